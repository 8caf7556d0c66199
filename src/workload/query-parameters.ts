import { percentDecoded } from './target-path.ts';

/** One `name=value` of a query, decoded. A bare query (`?8890121518`) is a value with an empty name. */
export interface QueryPair {
  readonly name: string;
  readonly value: string;
}

/** Names that say where a visitor came from or defeat caches: they choose nothing on the server. */
const NOISE = /^(?:utm_\w+|gclid|fbclid|msclkid|_ga|_|v|ver|cb|nocache|ts)$/i;
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
