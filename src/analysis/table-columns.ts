import { usualName } from './table-tool-names.ts';

export type LatencyUnit = 'seconds' | 'milliseconds' | 'microseconds';
export type LatencyStatistic = 'p50' | 'p95' | 'p99' | 'mean' | 'max';

/** What a column of a foreign table holds. `series`: what precedes the quantity's name (`readHeavy` of `readHeavyX`). */
export type ColumnMeaning =
  | { readonly kind: 'users' | 'concurrency' | 'arrivalRate' }
  | { readonly kind: 'throughput'; readonly series: string }
  | {
      readonly kind: 'latency';
      readonly statistic: LatencyStatistic;
      /** Route, or series: told apart once all columns are known. Empty: over all. */
      readonly of: string;
      readonly unit?: LatencyUnit;
    }
  | { readonly kind: 'utilization'; readonly of: 'cpu' | 'machine' | 'generator'; readonly percent: boolean }
  | { readonly kind: 'errorRatio'; readonly percent: boolean }
  | { readonly kind: 'demand' | 'thinkTime' | 'window' | 'busy'; readonly unit?: LatencyUnit }
  | { readonly kind: 'residentMemory'; readonly bytesPerUnit: number }
  | { readonly kind: 'failuresPerSecond' }
  | { readonly kind: 'errors' | 'completions' | 'loadPerCore' | 'meanInFlight' | 'residual' };

/** Plain names in lower case without spaces, underscores, hyphens and dots. */
const NAMES: Readonly<Record<string, ColumnMeaning>> = {
  ...named({ kind: 'users' }, 'n', 'users', 'usercount', 'vus', 'virtualusers', 'threads', 'concurrentusers'),
  ...named(
    { kind: 'concurrency' },
    'concurrency',
    'concurrencylevel',
    'workers',
    'c',
    'clients',
    'connections',
    'conns',
  ),
  ...named(
    { kind: 'arrivalRate' },
    'rate',
    'offered',
    'offeredrate',
    'arrivalrate',
    'arrivalratepersecond',
    'lambda',
    'λ',
    'λ/s',
    'lambda/s',
  ),
  ...named(
    { kind: 'utilization', of: 'cpu', percent: false },
    'u',
    'cpu',
    'appcpu',
    'utilization',
    'utilisation',
  ),
  ...named(
    { kind: 'utilization', of: 'cpu', percent: false },
    'utilizationratio',
    'utilizationratiocpu',
    'ucpu',
  ),
  ...named({ kind: 'utilization', of: 'cpu', percent: true }, 'u%', 'cpu%', 'cpupercent', 'appcpu%'),
  ...named(
    { kind: 'utilization', of: 'machine', percent: true },
    'machine%',
    'machinepercent',
    'machinecpu%',
  ),
  ...named({ kind: 'utilization', of: 'machine', percent: false }, 'machinecpu', 'machinecpuratio'),
  ...named(
    { kind: 'utilization', of: 'generator', percent: false },
    'generatoru',
    'generatorutilizationratio',
  ),
  ...named({ kind: 'errors' }, 'errors', 'err', 'errs', 'errorcount', 'failures', 'failed', 'non2xx'),
  ...named({ kind: 'errors' }, 'failedrequests', 'failurecount', 'non2xxresponses'),
  ...named({ kind: 'failuresPerSecond' }, 'failures/s', 'failures/sec', 'errors/s', 'failurespersecond'),
  ...named({ kind: 'errorRatio', percent: false }, 'errorratio', 'errorrate', 'failureratio'),
  ...named({ kind: 'errorRatio', percent: true }, 'error%', 'errors%', 'err%', 'failures%', 'failed%'),
  ...named({ kind: 'completions' }, 'completions', 'completioncount', 'requests', 'samples', 'requestcount'),
  ...named({ kind: 'completions' }, 'completerequests', 'completedrequests'),
  ...named({ kind: 'loadPerCore' }, 'load/core', 'loadpercore'),
  ...named({ kind: 'meanInFlight' }, 'meaninflight', 'inflight'),
  ...named({ kind: 'residual' }, 'littleresidualratio'),
  ...named({ kind: 'residentMemory', bytesPerUnit: 1e6 }, 'rssmb', 'residentmb'),
  ...named({ kind: 'residentMemory', bytesPerUnit: 1 }, 'rssbytes', 'residentbytes'),
};

/** Names of durations, after their unit was taken off. */
const DURATIONS: Readonly<Record<string, 'demand' | 'thinkTime' | 'window' | 'busy'>> = {
  d: 'demand',
  demand: 'demand',
  servicedemand: 'demand',
  servicedemandcpu: 'demand',
  z: 'thinkTime',
  think: 'thinkTime',
  thinktime: 'thinkTime',
  t: 'window',
  window: 'window',
  timetakenfortests: 'window',
  testduration: 'window',
  b: 'busy',
  busy: 'busy',
};

const MEANS = new Set([
  'r',
  'responsetime',
  'latency',
  'avg',
  'average',
  'mean',
  'meanlatency',
  'avglatency',
  'averagelatency',
  'averageresponsetime',
  'avgresponsetime',
  'meanresponsetime',
]);
const MAXIMA = new Set(['max', 'maximum', 'maxlatency', 'maxresponsetime', 'max(onesample)']);
const THROUGHPUT =
  /^(.*?)[\s_-]*(?:(?<![A-Za-z])x|X|[Tt]hroughput|throughputpersecond|[rtq]ps|[RTQ]PS)(?:\/s)?$/;
const THROUGHPUT_PHRASE =
  /^(?:req|reqs|requests|transactions|throughput)[\s_]*(?:\/|per)[\s_]*s(?:ec|econd)?$/i;
const PERCENTILE = /^(.*?)[\s_-]*[pP](50|95|99)(?![0-9])[\s_-]*(.*)$/;

const UNITS: readonly (readonly [pattern: RegExp, unit: LatencyUnit])[] = [
  [/(?:[\s_(]*(?:ms|msec|millis|milliseconds)\)?|(?<=[a-z0-9])Ms|Milliseconds)$/, 'milliseconds'],
  [/(?:[\s_(]+(?:us|µs|micros|microseconds)\)?|Micros)$/, 'microseconds'],
  [/(?:[\s_(]+(?:s|sec|seconds)\)?|Seconds)$/, 'seconds'],
];

function named(meaning: ColumnMeaning, ...names: readonly string[]): Record<string, ColumnMeaning> {
  return Object.fromEntries(names.map((name) => [name, meaning]));
}

/** Takes a unit off the end of a name. */
function takeUnit(name: string): { readonly rest: string; readonly unit?: LatencyUnit } {
  for (const [pattern, unit] of UNITS) {
    if (pattern.test(name)) return { rest: name.replace(pattern, ''), unit };
  }
  return { rest: name };
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/[\s_.-]/g, '');

function latencyOf(name: string): ColumnMeaning | undefined {
  const percentile = PERCENTILE.exec(name);
  if (percentile === null) return undefined;
  const [, before = '', digits = '', after = ''] = percentile;
  // `p95Seconds /search` has its unit in the middle, `p95 /search (ms)` and `p95_search_ms` at the end.
  const middle = /^(Seconds|Ms|ms|s|\(ms\)|\(s\))(?:\s+|_|$)(.*)$/.exec(after);
  const ending = takeUnit(middle ? `x_${middle[1]!.replaceAll(/[()]/g, '').toLowerCase()}` : `_${after}`);
  const of = (middle ? middle[2]! : ending.rest.slice(1)).trim() || before.trim();
  const statistic = `p${digits}` as LatencyStatistic;
  return { kind: 'latency', statistic, of, ...(ending.unit && { unit: ending.unit }) };
}

/**
 * What a column's name says, whatever tool wrote it: `N`, `c`, `X/s`, `rps`, `p95 /search (ms)`, `p50Book`,
 * `app_cpu`, `D_ms`, `http_req_duration p(95)`, `Requests per second [#/sec]` … Undefined for a name that means nothing
 * here; such columns are named in a notice.
 */
export function meaningOf(given: string): ColumnMeaning | undefined {
  // C beside a load column is a count of completions; c is concurrency.
  if (given === 'C') return { kind: 'completions' };
  const name = usualName(given);
  const exact = NAMES[plain(name)];
  if (exact !== undefined) return exact;
  if (THROUGHPUT_PHRASE.test(name) || plain(name) === 'throughputpersecond') {
    return { kind: 'throughput', series: '' };
  }
  const latency = latencyOf(name);
  if (latency !== undefined) return latency;
  const { rest, unit } = takeUnit(name);
  const withUnit = unit && { unit };
  const duration = DURATIONS[plain(rest)];
  if (duration !== undefined) return { kind: duration, ...withUnit };
  if (MEANS.has(plain(rest))) return { kind: 'latency', statistic: 'mean', of: '', ...withUnit };
  if (MAXIMA.has(plain(rest))) return { kind: 'latency', statistic: 'max', of: '', ...withUnit };
  const throughput = THROUGHPUT.exec(name);
  return throughput ? { kind: 'throughput', series: throughput[1]! } : undefined;
}

/** Whether a line of names is the header of a step table: it names a load and a throughput. */
export function isStepHeader(names: readonly string[]): boolean {
  const kinds = names.map((name) => meaningOf(name)?.kind);
  const hasLoad = kinds.some((kind) => kind === 'users' || kind === 'concurrency' || kind === 'arrivalRate');
  return hasLoad && kinds.includes('throughput');
}
