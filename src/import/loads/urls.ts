import { ShiploadError } from '../../errors.ts';
import type { PlannedRequest } from '../../model/load.ts';
import { routeName } from '../../scenario/route-name.ts';
import { countText } from '../../stats/wording.ts';
import { methodOf } from './imported-load.ts';

/** One line of a list. */
interface ListedUrl {
  readonly method: string;
  readonly target: string;
  readonly weight: number;
  readonly origin: string | undefined;
}

/** A list of URLs as a mix: every request independent of the one before. */
export interface ImportedMix {
  readonly source: 'urls';
  readonly summary: string;
  readonly requests: readonly PlannedRequest[];
  readonly notes: readonly string[];
}

const NUMBER = /^\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const PLACE = /^(?:https?:\/\/\S+|\/\S*)$/i;

const blankWords = (line: string): readonly string[] => line.trim().split(/\s+/);

/** Cells of a line of CSV, by commas, semicolons or tabs. */
const cells = (line: string): readonly string[] =>
  [...line.trim().matchAll(/(?:^|[,;\t])\s*(?:"((?:[^"]|"")*)"|([^,;\t]*))/g)]
    .map((match) => (match[1]?.replaceAll('""', '"') ?? match[2] ?? '').trim())
    .filter((cell) => cell !== '');

const isCsvLine = (line: string): boolean => {
  const words = cells(line);
  return words.length > 1 && (isHeading(words) || listed(words) !== undefined);
};

const isHeading = (words: readonly string[]): boolean =>
  words.length > 0 &&
  words.every((word) => /^(?:url|uri|path|target|method|verb|weight|count|hits|share)$/i.test(word));

/** Whether a line is one of a list; undefined where it says nothing. */
export function isUrlLine(line: string): boolean | undefined {
  const text = line.trim();
  if (text === '' || text.startsWith('#')) return undefined;
  const words = blankWords(text);
  return isHeading(words) || listed(words) !== undefined || isCsvLine(text);
}

function listed(words: readonly string[]): ListedUrl | undefined {
  const places = words.filter((word) => PLACE.test(word));
  const rest = words.filter((word) => !PLACE.test(word));
  const numbers = rest.filter((word) => NUMBER.test(word));
  const methods = rest.filter((word) => !NUMBER.test(word));
  if (places.length !== 1 || numbers.length > 1 || methods.length > 1) return undefined;
  const method = methods[0] === undefined ? 'GET' : methodOf(methods[0]);
  if (method === undefined) return undefined;
  const place = places[0]!;
  const weight = numbers[0] === undefined ? 1 : Number(numbers[0]);
  if (place.startsWith('/')) return { method, target: place.split('#', 1)[0]!, weight, origin: undefined };
  if (!URL.canParse(place)) return undefined;
  const url = new URL(place);
  return { method, target: url.pathname + url.search, weight, origin: url.origin };
}

/**
 * A list of URLs, one a line: `URL`, `WEIGHT URL`, `METHOD URL`, in any order of the words, separated by blanks or
 * commas, with or without a heading. Weights are shares of what is sent; a URL that stands twice weighs twice. URLs
 * of other hosts than the first (or `origin`) are left out and said. Throws `import-invalid` with file and line for a
 * line that is none of these, and for weights that are not finite or come to nothing.
 */
export function importUrls(text: string, file: string, origin?: string): ImportedMix {
  const urls: ListedUrl[] = [];
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n?|\n/)
    .map((line) => line.trim());
  const isSaying = (line: string): boolean => line !== '' && !line.startsWith('#');
  // A URL may hold commas itself, so they part cells only where they do on every line.
  const wordsOf = lines.filter(isSaying).every(isCsvLine) ? cells : blankWords;
  for (const [i, trimmed] of lines.entries()) {
    if (!isSaying(trimmed)) continue;
    const words = wordsOf(trimmed);
    if (urls.length === 0 && isHeading(words)) continue;
    const url = listed(words);
    if (url === undefined || !Number.isFinite(url.weight))
      throw new ShiploadError('import-invalid', `"${trimmed.slice(0, 80)}" is no line of a list of URLs`, {
        where: `${file}:${i + 1}`,
        hint: 'A line is a URL, a weight and a URL, or a method and a URL: 3 GET /books/7',
      });
    urls.push(url);
  }
  const origins = urls.flatMap((url) => url.origin ?? []);
  const first = origin !== undefined && origins.includes(origin) ? origin : origins[0];
  const own = urls.filter((url) => url.origin === undefined || url.origin === first);
  const others = new Map<string, number>();
  for (const { origin: other } of urls)
    if (other !== undefined && other !== first) others.set(other, (others.get(other) ?? 0) + 1);
  const requests = mixOf(own.filter(({ weight }) => weight > 0));
  if (requests.length === 0)
    throw new ShiploadError('import-invalid', 'the list has no URL with a weight', { where: file });
  return {
    source: 'urls',
    summary: `a list of ${countText(own.length, 'URL')} in ${countText(requests.length, 'route')}`,
    requests,
    notes:
      others.size === 0
        ? []
        : [
            `URLs of other hosts are left out: ${[...others]
              .slice(0, 20)
              .map(([name, count]) => `${name} (${count})`)
              .join(', ')}.`,
          ],
  };
}

/** By method and route; targets within a route in proportion to their weights. */
function mixOf(urls: readonly ListedUrl[]): readonly PlannedRequest[] {
  const classes = new Map<
    string,
    { method: string; route: string; targets: Map<string, number>; weight: number }
  >();
  for (const { method, target, weight } of urls) {
    const route = routeName(target);
    const id = `${method} ${route}`;
    const known = classes.get(id) ?? { method, route, targets: new Map<string, number>(), weight: 0 };
    known.targets.set(target, (known.targets.get(target) ?? 0) + weight);
    known.weight += weight;
    classes.set(id, known);
  }
  const total = [...classes.values()].reduce((sum, { weight }) => sum + weight, 0);
  return [...classes].map(([id, { method, route, targets, weight }]) => ({
    id,
    method,
    route,
    shareRatio: weight / total,
    targets: {
      draw: 'counted',
      targets: [...targets.keys()],
      counts: [...targets.values()],
      distinctCount: targets.size,
    },
  }));
}
