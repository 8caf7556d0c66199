import { ShiploadError } from '../errors.ts';
import type { Target } from '../model/verdict.ts';

const EXAMPLE = 'p95 of /books/[id] <= 100 ms at 200 users';

type Kind = 'duration' | 'rate' | 'count' | 'ratio';

const WORDS: Readonly<Record<string, { metric: Target['metric']; kind: Kind }>> = {
  mean: { metric: 'mean', kind: 'duration' },
  max: { metric: 'max', kind: 'duration' },
  throughput: { metric: 'throughput', kind: 'rate' },
  errors: { metric: 'errors', kind: 'count' },
  'error rate': { metric: 'errorRatio', kind: 'ratio' },
  cpu: { metric: 'cpu', kind: 'ratio' },
};

const COMPARISONS: Readonly<Record<string, Target['comparison']>> = {
  '<=': '<=',
  '≤': '<=',
  '<': '<=',
  '>=': '>=',
  '≥': '>=',
  '>': '>=',
  '==': '=',
  '=': '=',
};

/** Factor to SI, and the kinds of figure that a unit can stand behind. `''`: no unit. */
const UNITS: Readonly<Record<string, { factor: number; kinds: readonly Kind[] }>> = {
  ms: { factor: 1e-3, kinds: ['duration'] },
  s: { factor: 1, kinds: ['duration'] },
  us: { factor: 1e-6, kinds: ['duration'] },
  µs: { factor: 1e-6, kinds: ['duration'] },
  '%': { factor: 0.01, kinds: ['ratio', 'count'] },
  '/s': { factor: 1, kinds: ['rate'] },
  '': { factor: 1, kinds: ['rate', 'count', 'ratio'] },
};

const UNIT_ADVICE: Readonly<Record<Kind, string>> = {
  duration: 'a time with its unit, such as 100 ms',
  rate: 'a rate such as 100 /s',
  count: 'a number such as 0, or a share such as 1 %',
  ratio: 'a share such as 70 %',
};

const LOAD_KINDS: Readonly<Record<string, NonNullable<Target['loadKind']>>> = {
  user: 'users',
  users: 'users',
  worker: 'concurrency',
  workers: 'concurrency',
  connection: 'concurrency',
  connections: 'concurrency',
  '/s': 'arrivalRatePerSecond',
};

/** A reader over the text of a target that knows its column. */
class Cursor {
  readonly #text: string;
  #position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Takes what matches at the cursor (a sticky expression), blanks before it skipped. */
  take(pattern: RegExp): RegExpExecArray | undefined {
    const blanks = /\s*/y;
    blanks.lastIndex = this.#position;
    this.#position += blanks.exec(this.#text)![0].length;
    const sticky = new RegExp(pattern.source, 'iuy');
    sticky.lastIndex = this.#position;
    const match = sticky.exec(this.#text);
    if (match === null) return undefined;
    this.#position += match[0].length;
    return match;
  }

  get atEnd(): boolean {
    return this.#text.slice(this.#position).trim() === '';
  }

  expected(what: string): ShiploadError {
    const rest = this.#text.slice(this.#position).trim();
    const found = rest === '' ? 'the target ends' : `found "${rest.split(/\s+/u)[0]}"`;
    return new ShiploadError(
      'target-unparsable',
      `target "${this.#text}": expected ${what}, ${found} at column ${this.#position + 1}`,
      { hint: `write it like "${EXAMPLE}"`, where: `column ${this.#position + 1}` },
    );
  }
}

/**
 * A target from its text: `METRIC [of ROUTE] <=|>=|=|<|> VALUE [UNIT] [at LOAD [users|workers|connections|/s]
 * | at peak]`. METRIC is p50, p95, p99 or any percentile, mean, max, throughput, errors, error rate or cpu;
 * times need ms, s or us; `errors <= 1 %` is the error rate. `<` counts as `<=`, `>` as `>=`. The limit comes
 * out in SI units. Throws `target-unparsable` with the column and an example.
 */
export function parseTarget(text: string): Target {
  const cursor = new Cursor(text);
  const { metric, kind } = parseMetric(cursor);
  const route = parseRoute(cursor);
  const sign = cursor.take(/<=|>=|==|[<>=≤≥]/);
  if (sign === undefined) throw cursor.expected('one of <=, >= or =');
  const { limit, isShare } = parseLimit(cursor, kind);
  const load = parseLoad(cursor);
  if (!cursor.atEnd) throw cursor.expected('"at" and a load, or the end');
  return {
    text: text.trim(),
    metric: metric === 'errors' && isShare ? 'errorRatio' : metric,
    ...(route === undefined ? {} : { route }),
    comparison: COMPARISONS[sign[0]]!,
    limit,
    ...load,
  };
}

function parseMetric(cursor: Cursor): { metric: Target['metric']; kind: Kind } {
  const words = cursor.take(/error\s+rate|mean|max|throughput|errors|cpu/);
  if (words !== undefined) return WORDS[words[0].toLowerCase().replace(/\s+/u, ' ')]!;
  const percentile = cursor.take(/p([1-9]\d?(?:\.\d+)?|0\.\d*[1-9]\d*)(?=\s|[<>=≤≥])/);
  if (percentile === undefined) {
    throw cursor.expected('p50, p95, p99, mean, max, throughput, errors, error rate or cpu');
  }
  return { metric: `p${Number(percentile[1])}`, kind: 'duration' };
}

/** A route may hold `=` (`/search?q=[q]`), never a blank; a method may stand before it. */
function parseRoute(cursor: Cursor): string | undefined {
  if (cursor.take(/of\b/) === undefined) return undefined;
  const route = cursor.take(/(?:([A-Z]+)\s+)?([^\s<>≤≥]+)/);
  if (route === undefined || COMPARISONS[route[2]!] !== undefined) throw cursor.expected('a route');
  return route[1] === undefined ? route[2]! : `${route[1].toUpperCase()} ${route[2]}`;
}

function parseLimit(cursor: Cursor, kind: Kind): { limit: number; isShare: boolean } {
  const number = cursor.take(/\d+(?:\.\d+)?/);
  if (number === undefined) throw cursor.expected(UNIT_ADVICE[kind]);
  const unit = (cursor.take(/ms|us|µs|s\b|%|\/\s?s\b/)?.[0] ?? '').toLowerCase().replace(/\s/u, '');
  const known = UNITS[unit === 'μs' ? 'µs' : unit];
  const limit = Number(number[0]) * (known?.factor ?? 1);
  const ratioBeyondOne = kind === 'ratio' && unit === '' && limit > 1;
  if (known === undefined || !known.kinds.includes(kind) || ratioBeyondOne) {
    throw cursor.expected(`after "${number[0]}${unit === '' ? '' : ` ${unit}`}" ${UNIT_ADVICE[kind]}`);
  }
  return { limit, isShare: unit === '%' };
}

function parseLoad(cursor: Cursor): Pick<Target, 'load' | 'loadKind'> {
  if (cursor.take(/at\b/) === undefined) return {};
  if (cursor.take(/peak\b/) !== undefined) return {};
  const load = cursor.take(/\d+(?:\.\d+)?/);
  if (load === undefined) throw cursor.expected('a load such as "200 users", or "peak"');
  const unit = cursor.take(/users?\b|workers?\b|connections?\b|\/\s?s\b/);
  if (unit === undefined) return { load: Number(load[0]) };
  const loadKind = LOAD_KINDS[unit[0].toLowerCase().replace(/\s/u, '')]!;
  return { load: Number(load[0]), loadKind };
}
