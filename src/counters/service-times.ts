import type { CounterReading } from './counter-source.ts';
import type { PrometheusPage, PrometheusSample } from './prometheus.ts';

/** Cumulative counts of requests that took at most so long; the last may be +Infinity. */
export type TimeBuckets = readonly (readonly [upToSeconds: number, count: number])[];

/** The response times that a page tells of, over all routes. */
export interface ServiceTimes {
  readonly count?: number;
  readonly sumSeconds?: number;
  readonly buckets?: TimeBuckets;
  /** Quantiles as the service itself worked them out, over whatever time it likes. */
  readonly p50Seconds?: number;
  readonly p95Seconds?: number;
}

const RESPONSE_TIME =
  /(request|response|http|latency|handler).*(duration|latency|time)|request_seconds|latency/i;

/**
 * The service's response times on a Prometheus page: of the first histogram or summary in seconds or milliseconds
 * whose name is one of response times. The page's own requests, told by `ownPath`, are left out where they have a label.
 */
export function serviceTimesOf(page: PrometheusPage, ownPath: string): ServiceTimes | undefined {
  for (const [family, type] of page.types) {
    const unitSeconds = /_(ms|milliseconds)$/.test(family) ? 1e-3 : 1;
    if (!RESPONSE_TIME.test(family) || !['histogram', 'summary'].includes(type)) continue;
    const own = page.samples.filter(
      (sample) => sample.name.startsWith(family) && !Object.values(sample.labels).includes(ownPath),
    );
    const named = (name: string): readonly PrometheusSample[] => own.filter((sample) => sample.name === name);
    const count = sumOf(named(`${family}_count`));
    const sum = sumOf(named(`${family}_sum`));
    if (count === undefined) continue;
    const quantiles = named(family).filter(({ labels }) => labels['quantile'] !== undefined);
    const quantile = (q: number): number | undefined => {
      const at = quantiles.filter(
        ({ labels, value }) => Number(labels['quantile']) === q && !Number.isNaN(value),
      );
      return at.length === 1 ? at[0]!.value * unitSeconds : undefined;
    };
    return withKnown({
      count,
      sumSeconds: sum === undefined ? undefined : sum * unitSeconds,
      buckets: type === 'histogram' ? bucketsOf(named(`${family}_bucket`), unitSeconds) : undefined,
      p50Seconds: quantile(0.5),
      p95Seconds: quantile(0.95),
    });
  }
  return undefined;
}

const sumOf = (samples: readonly PrometheusSample[]): number | undefined =>
  samples.length === 0 ? undefined : samples.reduce((sum, { value }) => sum + value, 0);

function bucketsOf(samples: readonly PrometheusSample[], unitSeconds: number): TimeBuckets {
  const counts = new Map<number, number>();
  for (const { labels, value } of samples) {
    const limit = labels['le'] === '+Inf' ? Infinity : Number(labels['le']) * unitSeconds;
    if (!Number.isNaN(limit)) counts.set(limit, (counts.get(limit) ?? 0) + value);
  }
  return [...counts].sort((a, b) => a[0] - b[0]);
}

/** The times without the fields that are not known. */
export function withKnown(times: {
  readonly [Name in keyof ServiceTimes]: ServiceTimes[Name] | undefined;
}): ServiceTimes {
  return Object.fromEntries(Object.entries(times).filter(([, value]) => value !== undefined));
}

/**
 * The quantile of what ended between two readings of a histogram, linear within its bucket. Undefined when
 * nothing ended, when the counts were reset, or when it lies in the bucket without an upper end.
 * Source: Prometheus, histogram_quantile.
 */
export function quantileBetween(before: TimeBuckets, after: TimeBuckets, q: number): number | undefined {
  const grown = after.map(([limit, count]) => [limit, count - countUpTo(before, limit)] as const);
  const total = grown.at(-1)?.[1] ?? 0;
  if (!(total > 0) || grown.some(([, count]) => count < 0)) return undefined;
  const rank = q * total;
  let [from, below] = [0, 0];
  for (const [limit, count] of grown) {
    if (count >= rank) {
      if (limit === Infinity) return undefined;
      return from + ((limit - from) * (rank - below)) / (count - below);
    }
    [from, below] = [limit, count];
  }
  return undefined;
}

/** How many took at most so long; a limit that is not among them counts as the one below. */
export const countUpTo = (buckets: TimeBuckets, limitSeconds: number): number =>
  buckets.findLast(([limit]) => limit <= limitSeconds)?.[1] ?? 0;

/** The readings of two pages one after the other: counts of the later, quantiles of what ended between them. */
export function readServiceTimes(
  source: string,
  before: ServiceTimes | undefined,
  after: ServiceTimes,
): readonly CounterReading[] {
  const between = (q: number): number | undefined =>
    before?.buckets === undefined || after.buckets === undefined
      ? undefined
      : quantileBetween(before.buckets, after.buckets, q);
  const head = { source, unit: 'seconds' } as const;
  const told = after.buckets === undefined;
  const quantiles = [
    ['serviceTimeP50Seconds', told ? after.p50Seconds : between(0.5)],
    ['serviceTimeP95Seconds', told ? after.p95Seconds : between(0.95)],
  ] as const;
  return [
    ...(after.count === undefined
      ? []
      : [
          {
            source,
            quantity: 'serviceTimeCount',
            unit: 'count',
            kind: 'cumulative',
            value: after.count,
          } as const,
        ]),
    ...(after.sumSeconds === undefined
      ? []
      : [
          {
            ...head,
            quantity: 'serviceTimeSumSeconds',
            kind: 'cumulative',
            value: after.sumSeconds,
          } as const,
        ]),
    ...quantiles.flatMap(([quantity, value]) =>
      value === undefined
        ? []
        : [
            {
              ...head,
              quantity,
              kind: 'gauge',
              value,
              label: told ? 'as the service tells it' : 'since the page before',
            } as const,
          ],
    ),
  ];
}
