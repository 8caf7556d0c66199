import { mixSeed } from '../stats/random.ts';
import { lexicalPattern } from './segment-pattern.ts';
import { isCardNumber, isIban } from './sensitive-values.ts';

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
const DIGITS = '0123456789';
const CLASSES = [LOWER, LOWER.toUpperCase(), DIGITS];
const HEX = ['abcdef', 'ABCDEF', DIGITS];
/** Crockford's base 32. */
const BASE32 = ['ABCDEFGHJKMNPQRSTVWXYZ', DIGITS];
const MOST_TRIES = 20;

/**
 * A made-up value of the same shape: each letter and digit becomes another of its kind, all else stays, and a value
 * that must hold together (an address, a date, a UUID, check digits) still does. Equal values become equal ones, so
 * that popularity is kept; the salt comes from the whole log, so that the same log gives the same model and a value
 * cannot be looked up from another one.
 */
export function syntheticValue(value: string, salt: number): string {
  const pattern = lexicalPattern(value);
  let made = value;
  for (let attempt = 0; attempt < MOST_TRIES; attempt += 1) {
    made = madeFrom(value, hashText(value, (salt + attempt) | 0));
    // What looks like another type would be another route.
    if (made !== value && lexicalPattern(made) === pattern) break;
  }
  return made;
}

function madeFrom(value: string, seed: number): string {
  let place = 0;
  const below = (count: number): number => mixSeed(seed, place++) % count;
  const redraw = (text: string, classes: readonly string[] = CLASSES): string =>
    text.replace(/%[\da-f]{2}|[\p{L}\p{N}]/giu, (character) => {
      if (character.startsWith('%')) return character;
      const kind = classes.find((one) => one.includes(character));
      return kind === undefined ? neighbour(character, mixSeed(seed, place++)) : kind[below(kind.length)]!;
    });
  const two = (number: number): string => String(number).padStart(2, '0');
  // A private network is nobody's (RFC 1918).
  if (IPV4.test(value)) return `10.${below(256)}.${below(256)}.${below(256)}`;
  const date = DATE.exec(value);
  if (date !== null) {
    const [, dash, time = ''] = date;
    const day = [`${1950 + below(70)}`, two(1 + below(12)), two(1 + below(28))].join(dash);
    return day + time.replace(/\d\d:\d\d(?::\d\d)?/, (clock) => clock.replace(/\d\d/g, () => two(below(24))));
  }
  if (JSON_WEB_TOKEN.test(value))
    return value
      .split('.')
      .map((part) => (part.startsWith('eyJ') ? `eyJ${redraw(part.slice(3))}` : redraw(part)))
      .join('.');
  // Version and variant say how it was made (RFC 9562, §4).
  const uuid = UUID.exec(value);
  if (uuid !== null) {
    const [, head, version, middle, variant, tail] = uuid as unknown as readonly string[];
    return `${redraw(head!, HEX)}${version}${redraw(middle!, HEX)}${variant}${redraw(tail!, HEX)}`;
  }
  if (/^[\da-f]{8,}$/i.test(value) && /\d/.test(value)) return withCheckDigits(value, redraw(value, HEX));
  if (ULID.test(value)) return `${below(8)}${redraw(value.slice(1), BASE32)}`;
  return withCheckDigits(value, redraw(value));
}

const IPV4 = /^(?:\d{1,3}\.){3}\d{1,3}$/;
const DATE = /^(?:19|20)\d\d(-?)(?:0[1-9]|1[0-2])\1(?:0[1-9]|[12]\d|3[01])(T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?$/;
const JSON_WEB_TOKEN = /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/;
const UUID = /^([\da-f]{8}-[\da-f]{4}-)([\da-f])([\da-f]{3}-)([\da-f])([\da-f]{3}-[\da-f]{12})$/i;
const ULID = /^[0-7][\dA-HJKMNP-TV-Z]{25}$/;

/** The made-up text with the check digits that the value had. */
function withCheckDigits(value: string, made: string): string {
  if (isCardNumber(value)) {
    const last = made.search(/\d(?=\D*$)/);
    const found = Array.from(DIGITS, (digit) => made.slice(0, last) + digit + made.slice(last + 1));
    return found.find(isCardNumber) ?? made;
  }
  if (!isIban(value)) return made;
  const [country, rest] = [value.slice(0, 2), made.slice(4)];
  const found = Array.from({ length: 97 }, (_, check) => country + String(check + 2).padStart(2, '0') + rest);
  return found.find(isIban) ?? made;
}

const KINDS = [/\p{Lu}/u, /\p{Ll}/u, /\p{L}/u, /\p{N}/u];
const kindOf = (character: string): number => KINDS.findIndex((kind) => kind.test(character));

/** Letters of one script stand together: one of the 32 code points around it, of the same case, or else a plain letter. */
const ROW = 32;

function neighbour(character: string, draw: number): string {
  const code = character.codePointAt(0)!;
  for (let step = 0; step < ROW; step += 1) {
    const other = String.fromCodePoint(code - (code % ROW) + ((draw + step) % ROW));
    if (other !== character && kindOf(other) === kindOf(character)) return other;
  }
  return LOWER[draw % LOWER.length]!;
}
