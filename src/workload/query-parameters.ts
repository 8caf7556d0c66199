import { percentDecoded } from './target-path.ts';

/** One `name=value` of a query, decoded. A bare query (`?8890121518`) is a value with an empty name. */
export interface QueryPair {
  readonly name: string;
  readonly value: string;
}

/** Names that say where a visitor came from or defeat caches: they choose nothing on the server. */
const NOISE = /^(?:utm_\w+|gclid|fbclid|msclkid|_ga|_|v|ver|cb|nocache|ts)$/i;
/** Names by which old scripts choose what to do. */
const DISPATCHERS = /^(?:action|do|op|task|option|view|mode|cmd|page|format|type)$/i;
const MOST_SELECTOR_VALUES = 12;
const MOST_NEW_RATIO = 0.05;

const decoded = (text: string): string => percentDecoded(text.replaceAll('+', ' '));

/** The pairs of a query, cut at `&` and `;`, noise left out. */
export function queryPairs(query: string): QueryPair[] {
  return query
    .split(/[&;]/)
    .filter((part) => part !== '')
    .map((part) => {
      const equals = part.indexOf('=');
      return equals < 0
        ? { name: '', value: decoded(part) }
        : { name: decoded(part.slice(0, equals)), value: decoded(part.slice(equals + 1)) };
    })
    .filter(({ name }) => !NOISE.test(name));
}

/**
 * Whether a parameter selects what is done (`?action=edit`) and so belongs in the route, rather than being
 * data: a dispatcher's name, at most 12 values that are words, and hardly any value seen once.
 */
export function isSelector(name: string, countByValue: ReadonlyMap<string, number>): boolean {
  if (!DISPATCHERS.test(name) || countByValue.size > MOST_SELECTOR_VALUES) return false;
  const counts = [...countByValue.values()];
  const requestCount = counts.reduce((sum, count) => sum + count, 0);
  const once = counts.filter((count) => count === 1).length;
  const areWords = [...countByValue.keys()].every((value) => /^[a-z][\w.-]*$/i.test(value));
  return areWords && once <= requestCount * MOST_NEW_RATIO;
}
