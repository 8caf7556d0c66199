import { mixSeed } from '../stats/random.ts';
import type { ReplacedValues } from '../model/workload.ts';
import type { RoutedTarget } from './class-routes.ts';
import { percentDecoded } from './target-path.ts';

/** Names of parameters whose values are secrets, or say who somebody is. Whole words of the name. */
const SENSITIVE_NAME =
  /(?:^|[^a-z])(?:token|jwt|auth|authorization|bearer|credentials?|secret|pass|passwd|password|pwd|pin|otp|api_?key|apikey|access_?key|private_?key|key|sig|signature|session|session_?id|sessid|sid|php_?sess_?id|j_?session_?id|csrf|xsrf|e?_?mail|email|phone|tel|mobile|msisdn|ssn|iban|card|cvv|user_?name|username|first_?name|last_?name|full_?name|fullname|surname|birth_?day|birth_?date|dob|street)(?:$|[^a-z])/i;
/** Folders whose next segment is a secret by which somebody is let in: `/reset-password/[token]`. */
const SECRET_FOLDER = /reset|verif|confirm|activat|invit|unsubscribe|magic|session|token|password/i;
const SECRET_TYPES = new Set(['token', 'hash', 'uuid', 'ulid']);

const EMAIL = /^[^@\s/]+@[^@\s/]+\.[a-z]{2,}$/i;
const JSON_WEB_TOKEN = /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/;
const PHONE = /^\+\d[\d ()-]{6,16}\d$/;
const IPV4 = /^(?:\d{1,3}\.){3}\d{1,3}$/;
const CARD = /^\d{13,19}$/;

/** Splits camel case, so that `accessToken` is two words. */
const wordsOf = (name: string): string => name.replace(/([a-z\d])([A-Z])/g, '$1_$2');

/** Whether a parameter of this name holds a secret or says who somebody is. */
export const isSensitiveName = (name: string): boolean => SENSITIVE_NAME.test(wordsOf(name));

/** Whether a value by itself looks like an address, a phone number, a card or a signed token. */
export function isSensitiveValue(value: string): boolean {
  if (value.length < 7) return false;
  return (
    EMAIL.test(value) ||
    JSON_WEB_TOKEN.test(value) ||
    PHONE.test(value) ||
    IPV4.test(value) ||
    (CARD.test(value) && passesLuhn(value))
  );
}

/** The check digit of card numbers (ISO/IEC 7812-1, annex B). */
function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** FNV-1a over UTF-16 code units (Fowler, Noll and Vo), mixed with a salt. */
export function hashText(text: string, salt: number): number {
  let hash = FNV_OFFSET ^ salt;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), FNV_PRIME);
  return mixSeed(hash >>> 0, text.length);
}

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const CLASSES = [LOWER, LOWER.toUpperCase(), '0123456789'];

/**
 * A made-up value of the same shape: each letter and digit becomes another of its kind, all else stays. Equal
 * values become equal ones, so that popularity is kept; the salt comes from the whole log, so that the same
 * log gives the same model and a value cannot be looked up from another one.
 */
export function syntheticValue(value: string, salt: number): string {
  const seed = hashText(value, salt);
  let place = 0;
  return value.replace(/%[\da-f]{2}|[a-z\d]/gi, (character) => {
    if (character.length > 1) return character;
    const kind = CLASSES.find((one) => one.includes(character))!;
    return kind[mixSeed(seed, place++) % kind.length]!;
  });
}

/** Replaces values in targets and keeps account of what it replaced. */
export interface Privacy {
  clean(target: RoutedTarget): RoutedTarget;
  /** By name; what was replaced in targets cleaned so far. */
  replaced(): readonly ReplacedValues[];
}

/** What `--keep-values` asks for: nothing is replaced. */
export const KEEP_VALUES: Privacy = { clean: (target) => target, replaced: () => [] };

/** `salt` is drawn from the log when the first value needs it. */
export function replaceValues(saltOf: () => number): Privacy {
  const seen = new Map<string, Set<string>>();
  const secrets = new Map<string, ReadonlySet<string>>();
  let salt: number | undefined;
  const replace = (place: 'path' | 'query', name: string, value: string): string => {
    const key = `${place} ${name}`;
    const values = seen.get(key) ?? new Set<string>();
    seen.set(key, values.add(value));
    return syntheticValue(value, (salt ??= saltOf()));
  };
  return {
    clean: (target) => {
      let secret = secrets.get(target.route);
      if (secret === undefined) secrets.set(target.route, (secret = secretNames(target.route)));
      return cleanQuery(cleanPath(cleanMatrix(target, replace), secret, replace), replace);
    },
    replaced: () =>
      [...seen]
        .map(([key, values]): ReplacedValues => {
          const place = key.startsWith('path ') ? 'path' : 'query';
          return { name: key.slice(place.length + 1), in: place, valueCount: values.size };
        })
        .sort((a, b) => (`${a.in} ${a.name}` < `${b.in} ${b.name}` ? -1 : 1)),
  };
}

type Replace = (place: 'path' | 'query', name: string, value: string) => string;

/** `;jsessionid=…` is no part of the route, but of what would be sent. */
function cleanMatrix(target: RoutedTarget, replace: Replace): RoutedTarget {
  if (!target.target.includes(';')) return target;
  const [path = '', ...query] = target.target.split('?');
  const cleaned = path.replace(/;([^=;/]*)=([^;/]*)/g, (whole: string, name: string, value: string) =>
    isSensitiveName(name) ? `;${name}=${replace('path', name, value)}` : whole,
  );
  return { ...target, target: [cleaned, ...query].join('?') };
}

/**
 * The parameters of a route that are secret whatever their value: by their name, or by the folder before them.
 * `[token]` is how the value is spelt, not what it is for; a vendor's id is spelt like that too.
 */
function secretNames(route: string): ReadonlySet<string> {
  const folders = route.split('?', 1)[0]!.split('/');
  const names = folders.flatMap((folder, place) =>
    [...folder.matchAll(/\[(?:\.\.\.)?([\w-]+)\]/g)].map(([, name]) => ({ name: name!, place })),
  );
  return new Set(
    names
      .filter(({ name, place }) => {
        const type = name.replace(/\d+$/, '');
        if (SECRET_TYPES.has(type)) return SECRET_FOLDER.test(folders[place - 1] ?? '');
        return isSensitiveName(type);
      })
      .map(({ name }) => name),
  );
}

function cleanPath(target: RoutedTarget, secret: ReadonlySet<string>, replace: Replace): RoutedTarget {
  const isSecret = (name: string, value: string): boolean => secret.has(name) || isSensitiveValue(value);
  if (!target.pathValues.some(({ name, value }) => isSecret(name, value))) return target;
  const segments = target.target.split('?', 1)[0]!.split('/');
  const pathValues = target.pathValues.map(({ name, value }) => {
    if (!isSecret(name, value)) return { name, value };
    const synthetic = replace('path', name, value);
    const place = segments.findIndex((segment) => percentDecoded(segment).includes(value));
    if (place >= 0) segments[place] = percentDecoded(segments[place]!).replace(value, () => synthetic);
    return { name, value: synthetic };
  });
  const mark = target.target.indexOf('?');
  const query = mark < 0 ? '' : target.target.slice(mark);
  return { ...target, target: segments.join('/') + query, pathValues };
}

function cleanQuery(target: RoutedTarget, replace: Replace): RoutedTarget {
  const mark = target.target.indexOf('?');
  if (mark < 0) return target;
  const isSecret = (name: string, value: string): boolean =>
    value !== '' && (isSensitiveName(name) || isSensitiveValue(value));
  const query = target.target
    .slice(mark + 1)
    .replace(/([^&;=]*)(=?)([^&;]*)/g, (whole: string, left: string, equals: string, right: string) => {
      const [name, value] = equals === '' ? ['', left] : [percentDecoded(left), right];
      const decoded = percentDecoded(value.replaceAll('+', ' '));
      if (whole === '' || !isSecret(name, decoded)) return whole;
      return `${equals === '' ? '' : `${left}=`}${encodeValue(replace('query', name, decoded))}`;
    });
  const queryValues = target.queryValues.map(({ name, value }) =>
    isSecret(name, value) ? { name, value: replace('query', name, value) } : { name, value },
  );
  return { ...target, target: `${target.target.slice(0, mark + 1)}${query}`, queryValues };
}

/** As a form sends it; a lone half of a surrogate pair cannot be encoded and is left out. */
const encodeValue = (value: string): string =>
  encodeURIComponent(value.replace(/[\ud800-\udfff]/g, '')).replaceAll('%20', '+');

const ADDRESS =
  /\b(?:\d{1,3}\.){3}\d{1,3}\b|(?<![\w:])(?:(?:[\da-f]{1,4}:){7}[\da-f]{1,4}|(?:[\da-f]{1,4}(?::[\da-f]{1,4})*)?::(?:[\da-f]{1,4}(?::[\da-f]{1,4})*)?)(?![\w:])/gi;
const MAIL_IN_TEXT = /[^\s"=&?;/@]+@[\w-]+(?:\.[\w-]+)+/g;
const PAIR_IN_TEXT = /([?&;])([^=&;?\s"]+)=([^&;\s"]+)/g;

/** A line of the log as an example, without addresses, mail addresses and the values of sensitive parameters. */
export const cleanExample = (text: string, keepValues: boolean): string => {
  const withoutAddress = text.replace(ADDRESS, '[address]');
  if (keepValues) return withoutAddress;
  return withoutAddress
    .replace(MAIL_IN_TEXT, '[email]')
    .replace(PAIR_IN_TEXT, (whole: string, lead: string, name: string) =>
      isSensitiveName(name) ? `${lead}${name}=[replaced]` : whole,
    );
};
