const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const ULID = /^[0-7][\dA-HJKMNP-TV-Z]{25}$/;
const JSON_WEB_TOKEN = /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/;
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)$/;
const EMAIL = /^[^@\s/]+@[^@\s/]+\.[a-z]{2,}$/i;
const ISO_DATE = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?$/;
const ISO_WEEK = /^\d{4}-W(?:0[1-9]|[1-4]\d|5[0-3])$/;
const COMPACT_DATE = /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/;
const VENDOR_PREFIX = /^([a-z]{2,6}_)(.+)$/;
const EXTENSION = /^(.+?)((?:\.(?:min|tar|d|module))?\.[a-z][a-z\d]{0,5})$/i;

const YEAR = /^(?:19|20)\d\d$/;
const MONTH = /^(?:0[1-9]|1[0-2])$/;
const DAY = /^(?:0[1-9]|[12]\d|3[01])$/;
const FOLDER_TYPES: ReadonlyMap<string, RegExp> = new Map([
  ['year', YEAR],
  ['month', MONTH],
  ['day', DAY],
]);
const TYPE_NAMES = new Set('date id uuid ulid token hash ip coords ids num version size email'.split(' '));

/** Texts that are certain to be values whatever else the log holds, most special first. */
const WHOLE_TEXTS: readonly (readonly [test: (text: string) => boolean, pattern: string])[] = [
  [(text) => COMPACT_DATE.test(text) || ISO_DATE.test(text) || ISO_WEEK.test(text), '[date]'],
  [(text) => /^-?\d+$/.test(text), '[id]'],
  [(text) => UUID.test(text), '[uuid]'],
  [(text) => ULID.test(text), '[ulid]'],
  [(text) => JSON_WEB_TOKEN.test(text), '[token]'],
  [(text) => isHash(text), '[hash]'],
  [(text) => IPV4.test(text), '[ip]'],
  [(text) => /^-?\d+\.\d+,-?\d+\.\d+$/.test(text), '[coords]'],
  [(text) => /^\d+(?:,\d+)+$/.test(text), '[ids]'],
  [(text) => /^-?\d+\.\d+$/.test(text), '[num]'],
  [(text) => /^\d+(?:\.\d+){2,}(?:-[\w.]+)?$/.test(text), '[version]'],
  [(text) => /^\d+x\d+$/.test(text), '[size]'],
  [(text) => EMAIL.test(text), '[email]'],
  [(text) => /^@[\w.-]+$/.test(text), '@[name]'],
  [(text) => /^~[\w.-]+$/.test(text), '~[name]'],
  [(text) => /^\d+-[a-z]+(?:-[\w]+)*$/i.test(text), '[id]-[slug]'],
  [(text) => isToken(text, 16), '[token]'],
];

/** Digests: 24, 32, 40, 64 or 128 hex digits with a decimal one, or 8 and more with two and a letter. */
function isHash(text: string): boolean {
  if (!/^[\da-f]{8,}$/i.test(text)) return false;
  const digits = text.replace(/\D/g, '').length;
  const isDigest = [24, 32, 40, 64, 128].includes(text.length) && digits > 0;
  return isDigest || (digits >= 2 && digits < text.length);
}

/** Base64url-like: lower case, upper case and digits mixed. */
function isToken(text: string, shortest: number): boolean {
  return (
    text.length >= shortest &&
    /^[\w-]+$/.test(text) &&
    /[a-z]/.test(text) &&
    /[A-Z]/.test(text) &&
    /\d/.test(text)
  );
}

/** Build hashes need no digit: `index-HIcRLzdf.js`. */
const isBuildHash = (text: string): boolean =>
  isHash(text) ||
  (text.length >= 8 && /^[\w-]+$/.test(text) && /[a-z]/.test(text) && /[A-Z]/.test(text.slice(1)));

/**
 * The pattern of a decoded segment that is certain to hold a value (`42` → `[id]`, `9995.jpg` → `[id].jpg`,
 * `cus_9s6XKzkNRiz8i3` → `cus_[token]`); undefined for plain words, versions of an API and all else.
 */
export function lexicalPattern(segment: string): string | undefined {
  // Nearly all segments of a log are short numbers or plain words; both are told without the list.
  if (/^\d{1,7}$/.test(segment)) return '[id]';
  if (!/[\d@~.]/.test(segment)) return undefined;
  const vendor = VENDOR_PREFIX.exec(segment);
  if (vendor !== null && (isToken(vendor[2]!, 12) || isHash(vendor[2]!))) return `${vendor[1]}[token]`;
  const whole = wholePattern(segment);
  if (whole !== undefined) return whole;
  const file = EXTENSION.exec(segment);
  if (file === null) return undefined;
  const stem = wholePattern(file[1]!) ?? assetPattern(file[1]!);
  return stem === undefined ? undefined : stem + file[2]!;
}

const wholePattern = (text: string): string | undefined => WHOLE_TEXTS.find(([test]) => test(text))?.[1];

/** `app.3f2a1b9c` → `app.[hash]`; several hashes in one name are all marked. */
function assetPattern(stem: string): string | undefined {
  const underscored = /^([a-z]+_)([\w-]{20,})$/.exec(stem);
  if (underscored !== null && isBuildHash(underscored[2]!)) return `${underscored[1]}[hash]`;
  const parts = stem.split(/([.-])/);
  const marked = parts.map((part) => (isBuildHash(part) ? '[hash]' : part));
  return marked.length > 1 && marked.includes('[hash]') ? marked.join('') : undefined;
}

/** Extension of a file name with its dot, in lower case; empty without one. */
export const extensionOf = (segment: string): string =>
  /.(\.[a-z][a-z\d]{0,5})$/i.exec(segment)?.[1]?.toLowerCase() ?? '';

/** Whether a text reads like a title made into a path: two separators, very long, or not ASCII. */
export const isSlugLike = (text: string): boolean =>
  (text.match(/[-_+]/g)?.length ?? 0) >= 2 || text.length > 24 || /[^\x20-\x7e]/.test(text);

/**
 * Patterns of a whole path: per segment, with folders of dates (`2026/11/30` → `[year]/[month]/[day]`) told
 * from their neighbours. Undefined where a segment is a literal.
 */
export function lexicalPatterns(decoded: readonly string[]): (string | undefined)[] {
  const patterns = decoded.map(lexicalPattern);
  // A folder of a year has one of a month in it, so the last segment begins none.
  for (let index = 0; index < decoded.length - 1; index += 1) {
    if (decoded[index]!.length !== 4 || !YEAR.test(decoded[index]!) || !MONTH.test(decoded[index + 1]!))
      continue;
    patterns[index] = '[year]';
    patterns[index + 1] = '[month]';
    if (DAY.test(decoded[index + 2] ?? '')) patterns[index + 2] = '[day]';
  }
  return patterns;
}

/** `id2` is a second `id`. */
export const typeOfName = (name: string): string => name.replace(/\d+$/, '');

/** Whether a name says how its values are spelt. */
export const isTyped = (type: string): boolean => TYPE_NAMES.has(type) || FOLDER_TYPES.has(type);

const LOCALES = new Set(
  'ar bg ca cs da de el en es et fa fi fr he hi hr hu id it ja ko lt lv ms nb nl no pl pt ro ru sk sl sr sv th tr uk vi zh'.split(
    ' ',
  ),
);

/** A language, with or without a country. */
export const isLocale = (segment: string): boolean =>
  LOCALES.has(segment.split(/[-_]/)[0]!.toLowerCase()) && segment.length <= 5;

/**
 * Whether a whole segment is what the type of a parameter says: `[name]` and `[slug]` have no extension of a file,
 * `[locale]` is a language; true for names that say nothing (`[user]`).
 */
export function fitsType(text: string, type: string): boolean {
  const folder = FOLDER_TYPES.get(type);
  if (folder !== undefined) return folder.test(text);
  if (type === 'locale') return isLocale(text);
  const certain = lexicalPattern(text);
  if (type === 'name' || type === 'slug') return extensionOf(certain ?? text) === '';
  return !TYPE_NAMES.has(type) || certain === `[${type}]`;
}
