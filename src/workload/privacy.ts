import type { ReplacedValues } from '../model/workload.ts';
import type { RoutedTarget } from './class-routes.ts';
import { nameVerdict, wordsOfName } from './sensitive-names.ts';
import { isSensitive } from './sensitive-values.ts';
import { cleanInside, type Replace } from './sensitive-texts.ts';
import { syntheticValue } from './synthetic-value.ts';
import { percentDecoded } from './target-path.ts';

/** Folders whose next segment is a secret by which somebody is let in: `/reset-password/[token]`. */
const SECRET_FOLDER = /reset|verif|confirm|activat|invit|unsubscribe|magic|session|token|password/i;
const SECRET_TYPES = new Set(['token', 'hash', 'uuid', 'ulid']);
/** Folders that say what stands behind them, whatever it looks like: `/phone/5551234567`. */
const TELLING_FOLDER = /^(?:otp|totp|passcode|e-?mail|phone|phone-?number|tel|msisdn|ssn|iban|passport)s?$/i;

/**
 * Whether what goes by this name in a command, an environment or a text of a service is better not shown. There the
 * value may be anything, so a name that only may be one of a secret is taken for one.
 */
export const isSensitiveName = (name: string): boolean =>
  nameVerdict(name) === 'sensitive' || wordsOfName(name).some((word) => HIDDEN.has(word));
const HIDDEN = new Set(['key', 'pin', 'card', 'mobile', 'session', 'sid', 'cookie']);

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
  const replaceIn =
    (place: 'path' | 'query'): Replace =>
    (name, value) => {
      const key = `${place} ${name}`;
      const values = seen.get(key) ?? new Set<string>();
      seen.set(key, values.add(value));
      return syntheticValue(value, (salt ??= saltOf()));
    };
  const [inPath, inQuery] = [replaceIn('path'), replaceIn('query')];
  return {
    clean: (target) => {
      let secret = secrets.get(target.route);
      if (secret === undefined) secrets.set(target.route, (secret = secretNames(target.route)));
      return cleanQuery(cleanPath(cleanMatrix(target, inPath), secret, inPath), inQuery);
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

/** `;jsessionid=…` is no part of the route, but of what would be sent. */
function cleanMatrix(target: RoutedTarget, replace: Replace): RoutedTarget {
  if (!target.target.includes(';')) return target;
  const [path = '', ...query] = target.target.split('?');
  const cleaned = path.replace(/;([^=;/]*)=([^;/]*)/g, (whole: string, name: string, value: string) =>
    isSensitive(percentDecoded(name), percentDecoded(value), path)
      ? `;${name}=${replace(name, value)}`
      : whole,
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
        const folder = folders[place - 1] ?? '';
        if (TELLING_FOLDER.test(folder)) return true;
        if (SECRET_TYPES.has(type)) return SECRET_FOLDER.test(folder);
        return nameVerdict(type) === 'sensitive';
      })
      .map(({ name }) => name),
  );
}

function cleanPath(target: RoutedTarget, secret: ReadonlySet<string>, replace: Replace): RoutedTarget {
  const cleanPart = (name: string, part: string): string =>
    secret.has(name) || isSensitive(name, part, target.route) ? replace(name, part) : part;
  // A `[...rest]` is several segments.
  const cleanValue = (name: string, value: string): string =>
    value.includes('/')
      ? value
          .split('/')
          .map((part) => cleanPart(name, part))
          .join('/')
      : cleanPart(name, value);
  const pathValues = target.pathValues.map(({ name, value }) => ({ name, value: cleanValue(name, value) }));
  if (pathValues.every(({ value }, index) => value === target.pathValues[index]!.value)) return target;
  const segments = target.target.split('?', 1)[0]!.split('/');
  pathValues.forEach(({ value }, index) => {
    const parts = value.split('/');
    target.pathValues[index]!.value.split('/').forEach((part, at) => {
      if (part === parts[at]) return;
      const place = segments.findIndex((segment) => percentDecoded(segment).includes(part));
      if (place < 0) return;
      segments[place] = encodeSegment(percentDecoded(segments[place]!).replace(part, () => parts[at]!));
    });
  });
  const mark = target.target.indexOf('?');
  const query = mark < 0 ? '' : target.target.slice(mark);
  return { ...target, target: segments.join('/') + query, pathValues };
}

function cleanQuery(target: RoutedTarget, replace: Replace): RoutedTarget {
  const mark = target.target.indexOf('?');
  if (mark < 0) return target;
  const cleanValue = (name: string, value: string): string =>
    isSensitive(name, value, target.target)
      ? replace(name, value)
      : cleanInside(value, target.target, name, replace);
  const query = target.target
    .slice(mark + 1)
    .replace(/([^&;=]*)(=?)([^&;]*)/g, (whole: string, left: string, equals: string, right: string) => {
      if (whole === '') return whole;
      const [name, value] = equals === '' ? ['', left] : [percentDecoded(left), right];
      const decoded = percentDecoded(value.replaceAll('+', ' '));
      const cleaned = cleanValue(name, decoded);
      return cleaned === decoded ? whole : `${equals === '' ? '' : `${left}=`}${encodeValue(cleaned)}`;
    });
  const queryValues = target.queryValues.map(({ name, value }) => ({ name, value: cleanValue(name, value) }));
  return { ...target, target: `${target.target.slice(0, mark + 1)}${query}`, queryValues };
}

/** A lone half of a surrogate pair cannot be encoded and is left out. */
const encoded = (text: string): string => encodeURIComponent(text.replace(/\p{Cs}/gu, ''));

/** As a form sends it. */
const encodeValue = (value: string): string => encoded(value).replaceAll('%20', '+');

/** What a path may hold as it is stays so (RFC 3986, §3.3). */
const encodeSegment = (segment: string): string =>
  encoded(segment).replace(/%(?:40|3A|24|2C|2B|3D|3B|26)/g, percentDecoded);
