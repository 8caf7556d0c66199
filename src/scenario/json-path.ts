import { remembered } from '../stats/remembered.ts';

const STEP = /^(?:\.?([^.[\]]+)|\[(\d+)\]|\["([^"]*)"\])/;

/** `items[0].id`, `$.items[0].id`, `["a.b"]` as keys. Throws a SyntaxError for what is no path. */
export function parsePath(path: string): readonly (string | number)[] {
  let rest = path.replace(/^\$\.?/, '');
  const keys: (string | number)[] = [];
  while (rest !== '') {
    const match = STEP.exec(rest);
    if (match === null) throw new SyntaxError(`"${path}" is no path into JSON, as items[0].id is`);
    keys.push(match[2] === undefined ? (match[1] ?? match[3]!) : Number(match[2]));
    rest = rest.slice(match[0].length);
  }
  return keys;
}

const keysOf = remembered(parsePath);

/** What `value` holds at a path; undefined where there is nothing. */
export function valueAt(value: unknown, path: string): unknown {
  let current = value;
  for (const key of keysOf(path)) {
    if (current === null || typeof current !== 'object' || !Object.hasOwn(current, key)) return undefined;
    current = (current as Record<string | number, unknown>)[key];
  }
  return current;
}

/** Whether two JSON values are the same, whatever the order of their fields. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  const of = (object: object, key: string): unknown => (object as Record<string, unknown>)[key];
  return keys.every((key) => Object.hasOwn(b, key) && sameJson(of(a, key), of(b, key)));
}
