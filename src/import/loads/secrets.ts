import { isSensitiveName } from '../../workload/privacy.ts';
import { isSensitiveValue } from '../../workload/sensitive-values.ts';
import {
  type ImportedBody,
  type ImportedJson,
  type ImportedText,
  Leaf,
  type Secret,
  textOfParts,
  type TextPart,
} from './imported-load.ts';

/** Where a value that must not be written down comes from instead; undefined: from the environment. */
export type KeptFrom = (value: string) => string | undefined;

const SCHEME = /^(bearer|basic|digest|token|apikey)\s+(\S.*)$/is;
/** Long and of letters and digits: no word, no version, but what a program made up. */
const TOKEN = /^(?=.*\d)(?=.*[a-z])[\w+/=.~-]{24,}$/i;
const JSON_WEB_TOKEN = /\beyJ[\w-]+\.[\w-]+\.[\w-]*/;
const ALWAYS_SECRET = /^(?:proxy-)?authorization$|^cookie2?$/i;
const HARMLESS = /^(?:accept(?:-.*)?|content-(?:type|encoding|language)|user-agent|x-requested-with)$/i;

/**
 * Takes values that open doors, or say who somebody is, out of requests: each gets the name of an environment
 * variable, the same value the same name. No value leaves this class.
 */
export class Secrets {
  readonly #byValue = new Map<string, string>();
  readonly #secrets: Secret[] = [];
  readonly #keptFrom: KeptFrom;

  constructor(keptFrom: KeptFrom = () => undefined) {
    this.#keptFrom = keptFrom;
  }

  get list(): readonly Secret[] {
    return this.#secrets;
  }

  /** The part that stands for a secret value. */
  part(name: string, value: string, place: string, encoded = false): TextPart {
    const more = encoded ? ({ encoded: true } as const) : {};
    const kept = this.#keptFrom(value);
    return kept === undefined ? { variable: this.variable(name, value, place), ...more } : { kept, ...more };
  }

  /** The variable of a value, made from the name of what holds it. */
  variable(name: string, value: string, place: string): string {
    const known = this.#byValue.get(value);
    if (known !== undefined) return known;
    const wanted = variableName(name);
    const taken = new Set(this.#secrets.map(({ variable }) => variable));
    let variable = wanted;
    for (let n = 2; taken.has(variable); n += 1) variable = `${wanted}_${n}`;
    this.#byValue.set(value, variable);
    this.#secrets.push({ variable, place });
    return variable;
  }

  header(name: string, value: string): ImportedText {
    const place = `header ${name}`;
    const scheme = SCHEME.exec(value);
    const isSecret = ALWAYS_SECRET.test(name) || isSensitiveName(name);
    if (HARMLESS.test(name) || (!isSecret && !isSecretText(value))) return value;
    if (scheme === null) return [this.part(name, value, place)];
    return [`${scheme[1]} `, this.part(`${scheme[1]}_TOKEN`, scheme[2]!, place)];
  }

  /** A path with its query. */
  target(target: string): ImportedText {
    const mark = target.indexOf('?');
    const path = mark === -1 ? target : target.slice(0, mark);
    const segments = path.split('/').flatMap((segment, i): TextPart[] => {
      const lead = i === 0 ? '' : '/';
      const value = decoded(segment);
      return isSensitiveValue(value) || JSON_WEB_TOKEN.test(value)
        ? [lead, this.part('PATH_VALUE', value, 'path', true)]
        : [lead + segment];
    });
    if (mark === -1) return textOfParts(segments);
    return textOfParts([...segments, '?', ...this.#pairs(target.slice(mark + 1), 'query')]);
  }

  /** `a=b&c=d` of a query or a form. */
  #pairs(text: string, where: string): readonly TextPart[] {
    return text.split('&').flatMap((pair, i): TextPart[] => {
      const lead = i === 0 ? '' : '&';
      const equals = pair.indexOf('=');
      const name = decoded(equals === -1 ? '' : pair.slice(0, equals));
      const value = decoded(pair.slice(equals + 1).replaceAll('+', ' '));
      if (value === '' || !isSecretMember(name, value)) return [lead + pair];
      const start = equals === -1 ? '' : pair.slice(0, equals + 1);
      return [lead + start, this.part(name === '' ? where : name, value, `${where} ${name}`.trim(), true)];
    });
  }

  /** One field of a form. */
  member(name: string, value: string): ImportedText {
    return value !== '' && isSecretMember(name, value) ? [this.part(name, value, `form ${name}`)] : value;
  }

  /** A body by its type; JSON that is written as we would write it is kept as data. */
  body(text: string, type: string | undefined): ImportedBody {
    if (/urlencoded/i.test(type ?? '')) return { kind: 'text', text: textOfParts(this.#pairs(text, 'form')) };
    const json = parsed(text);
    if (json === undefined) return { kind: 'text', text: this.plainText(text) };
    if (JSON.stringify(json) === text) return { kind: 'json', value: this.json(json) };
    return { kind: 'text', text: this.plainText(text) };
  }

  json(value: unknown, name = ''): ImportedJson {
    if (Array.isArray(value)) return value.map((element: unknown) => this.json(element, name));
    if (typeof value === 'object' && value !== null) {
      const members = Object.entries(value).map(([key, member]): [string, unknown] => [
        key,
        this.json(member, key),
      ]);
      return Object.fromEntries(members);
    }
    if (typeof value !== 'string' && typeof value !== 'number') return value;
    if (value === '' || !isSecretMember(name, String(value))) return value;
    const part = this.part(name === '' ? 'BODY_VALUE' : name, String(value), `body ${name}`.trim());
    return new Leaf([part], typeof value === 'number');
  }

  /** Text of any kind: members that look like JSON's, and signed tokens. */
  plainText(text: string): ImportedText {
    const parts: TextPart[] = [];
    let from = 0;
    const pattern =
      /("([\w.-]+)"\s*:\s*")((?:[^"\\]|\\.)+)(?=")|(<(\w+)>)([^<>]+)(?=<\/\5>)|\b(eyJ[\w-]+\.[\w-]+\.[\w-]*)/g;
    for (const match of text.matchAll(pattern)) {
      const lead = match[1] ?? match[4] ?? '';
      const name = match[2] ?? match[5] ?? 'TOKEN';
      const value = match[3] ?? match[6] ?? match[7]!;
      if (match[7] === undefined && !isSecretMember(name, value)) continue;
      parts.push(text.slice(from, match.index) + lead, this.part(name, value, `body ${name}`));
      from = match.index + match[0].length;
    }
    return textOfParts([...parts, text.slice(from)]);
  }
}

/** `accessToken` → `ACCESS_TOKEN`. A name that says nothing of the kind is a value's. */
export function variableName(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z\d]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .toUpperCase();
  if (words === '') return 'SECRET';
  return /^\d/.test(words) ? `SECRET_${words}` : words.slice(0, 60);
}

const isSecretText = (value: string): boolean =>
  isSensitiveValue(value) || TOKEN.test(value) || JSON_WEB_TOKEN.test(value);

const isSecretMember = (name: string, value: string): boolean =>
  isSensitiveName(name) || isSensitiveValue(value) || JSON_WEB_TOKEN.test(value);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** JSON nested deeper than this is taken as text. */
const MOST_NESTING = 200;

/** How deep brackets nest, at least; those within strings count too. */
function nestingOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

function parsed(text: string): unknown {
  if (!/^\s*[[{]/.test(text) || nestingOf(text) > MOST_NESTING) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
