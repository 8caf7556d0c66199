import { mixSeed } from '../stats/random.ts';

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
  return value.replace(/%[\da-f]{2}|[\p{L}\p{N}]/giu, (character) => {
    if (character.startsWith('%')) return character;
    const draw = mixSeed(seed, place++);
    const kind = CLASSES.find((one) => one.includes(character));
    return kind === undefined ? neighbour(character, draw) : kind[draw % kind.length]!;
  });
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
