import { ShiploadError } from '../errors.ts';
import { nearestName } from '../stats/nearest-name.ts';

/** A place in a document: its path as written, the same with `[]` and `*`, and what stands there. */
export interface FoundField {
  readonly path: string;
  readonly generic: string;
  readonly value: unknown;
  /** Paths of the parents, from the document down. */
  readonly scopes: readonly string[];
}

/** Objects whose keys are names of routes or resources. */
const NAMED =
  /(^|\.)(byRoute|utilizationRatio|serviceDemandSeconds|serverCount|busySeconds|p95ByRoute|brokeOffAfter)$/;

/**
 * Finds `steps[5].byRoute./search.p95Seconds`. Keys may hold dots and brackets: the longest key that fits is taken.
 * Throws `option-invalid` for a field that is not there, with the nearest that is, or what stands beside it.
 */
export function findField(document: unknown, path: string): FoundField {
  let at: FoundField = { path: '', generic: '', value: document, scopes: [] };
  let rest = path.trim();
  while (rest !== '') {
    const key = keyOf(at.value, rest);
    if (key === undefined) throw unknownField(at, rest, path);
    at = enter(at, key);
    rest = rest.slice(key.written.length);
  }
  return at;
}

interface Key {
  readonly name: string;
  readonly written: string;
  readonly inList: boolean;
}

function keyOf(value: unknown, rest: string): Key | undefined {
  if (Array.isArray(value)) {
    const match = /^\[(\d+)\](?=$|[.[])\.?/.exec(rest);
    const index = Number(match?.[1]);
    if (match === null || index >= value.length) return undefined;
    return { name: match[1]!, written: match[0], inList: true };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const fits = Object.keys(value).filter(
    (key) => rest.startsWith(key) && /^($|[.[])/.test(rest.slice(key.length)),
  );
  const name = fits.sort((a, b) => b.length - a.length)[0];
  if (name === undefined) return undefined;
  const dot = rest[name.length] === '.' ? '.' : '';
  return { name, written: name + dot, inList: false };
}

function enter(at: FoundField, key: Key): FoundField {
  const step = (parent: string, name: string): string => (parent === '' ? name : `${parent}.${name}`);
  return {
    path: key.inList ? `${at.path}[${key.name}]` : step(at.path, key.name),
    generic: key.inList ? `${at.generic}[]` : step(at.generic, NAMED.test(at.generic) ? '*' : key.name),
    value: (at.value as Readonly<Record<string, unknown>>)[key.name],
    scopes: [...at.scopes, at.path],
  };
}

function unknownField(at: FoundField, rest: string, path: string): ShiploadError {
  const { value } = at;
  const place = at.path === '' ? 'the report' : at.path;
  const word = rest.split(/[.[]/)[0] || rest;
  const fail = (hint: string): ShiploadError =>
    new ShiploadError('option-invalid', `there is no field "${path}"`, { where: 'field', hint });
  if (Array.isArray(value)) return fail(`${place} has elements [0] to [${value.length - 1}]`);
  if (typeof value !== 'object' || value === null) return fail(`${place} has no parts`);
  const keys = Object.keys(value);
  const nearest = nearestName(word, keys);
  const known = `${place} has ${keys.join(', ')}`;
  return fail(nearest === undefined ? known : `Did you mean ${nearest}? ${known}`);
}
