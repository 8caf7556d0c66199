import type { ComparedMetric } from '../model/record.ts';
import { jointPermutationTest } from '../stats/joint-permutation-test.ts';
import type { TwoSided } from '../stats/joint-permutation-test.ts';
import { hodgesLehmann, median } from '../stats/rank-test.ts';
import type { MetricReading } from './compared-metrics.ts';

/** Effects below are not told from noise, however many runs agree. */
const LEAST_EFFECT = 0.05;
/**
 * So far below 5 % that any thousand comparisons of equal sides show fewer than fifty false changes: about 25 of
 * 1,000 at this level, 45 at 4 %, of which one thousand in three goes over.
 */
const SIGNIFICANT = 0.03;

interface MetricPair extends TwoSided {
  readonly metric: Omit<MetricReading, 'value'>;
}

/**
 * The metrics that both sides have, in the order of the first run. With one run on a side, or too few for a 95 %
 * interval (below 4 + 4), every metric is `indicative`. Otherwise it is `changed` when the exact Hodges–Lehmann
 * interval of the ratio (on logarithms; by run, the unit of replication) excludes 1, the joint permutation test
 * over all metrics keeps it at 3 %, and the effect is above 5 % and above the stored noise floor. Figures that are
 * 0 somewhere are tested without logarithms and floor, and have no interval.
 */
export function compareMetrics(
  before: readonly (readonly MetricReading[])[],
  after: readonly (readonly MetricReading[])[],
  floors: Readonly<Record<string, number>> = {},
): ComparedMetric[] {
  const pairs = pairUp(before, after);
  const isTested = Math.min(before.length, after.length) > 1;
  const pValues = isTested ? jointPermutationTest(pairs.map(onScale)) : [];
  return pairs.map((pair, i) => compareMetric(pair, pValues[i], floors[pair.metric.name]));
}

/** Every metric of the first side that the other has, run by run. */
function pairUp(
  before: readonly (readonly MetricReading[])[],
  after: readonly (readonly MetricReading[])[],
): MetricPair[] {
  const byName = (runs: readonly (readonly MetricReading[])[]) =>
    runs.map((readings) => new Map(readings.map((reading) => [reading.name, reading])));
  const [first, second] = [byName(before), byName(after)];
  const metrics = new Map(before.flat().map((reading) => [reading.name, reading]));
  return [...metrics].flatMap(([name, metric]) => {
    const values = (runs: typeof first): (number | undefined)[] => runs.map((run) => run.get(name)?.value);
    const pair = { metric, before: values(first), after: values(second) };
    return pair.after.some((value) => value !== undefined) ? [pair] : [];
  });
}

const isPositive = ({ before, after }: TwoSided): boolean =>
  [...before, ...after].every((value) => value === undefined || value > 0);

/** Logarithms where all values are above 0, so that differences are ratios. */
function onScale(pair: TwoSided): TwoSided {
  if (!isPositive(pair)) return pair;
  const logs = (values: TwoSided['before']): TwoSided['before'] =>
    values.map((value) => (value === undefined ? undefined : Math.log(value)));
  return { before: logs(pair.before), after: logs(pair.after) };
}

function compareMetric(
  pair: MetricPair,
  pValue: number | undefined,
  noiseFloorRatio: number | undefined,
): ComparedMetric {
  const { name, load, unit, better } = pair.metric;
  const from = median(known(pair.before));
  const to = median(known(pair.after));
  const tested = pValue === undefined ? undefined : judge(pair, pValue, noiseFloorRatio ?? 0);
  return {
    name,
    ...(load === undefined ? {} : { load }),
    before: from,
    after: to,
    ...(from === 0 ? {} : { ratio: to / from }),
    ...(tested?.interval === undefined ? {} : { interval: tested.interval }),
    ...(noiseFloorRatio === undefined ? {} : { noiseFloorRatio }),
    unit,
    better,
    verdict: tested?.verdict ?? 'indicative',
  };
}

const known = (values: TwoSided['before']): number[] => values.filter((value) => value !== undefined);

function judge(
  pair: TwoSided,
  pValue: number,
  floorRatio: number,
): Pick<ComparedMetric, 'interval' | 'verdict'> {
  const { before, after } = onScale(pair);
  const { shift, interval } = hodgesLehmann(known(after), known(before));
  if (interval === undefined) return { verdict: 'indicative' };
  const [low, high] = interval;
  const isSure = (low > 0 || high < 0) && pValue <= SIGNIFICANT;
  const verdict = (changed: boolean) => (changed ? 'changed' : 'no change shown');
  if (!isPositive(pair)) return { verdict: verdict(isSure) };
  const isLarge = Math.abs(shift) > Math.log1p(Math.max(LEAST_EFFECT, floorRatio));
  return { interval: [Math.exp(low), Math.exp(high)], verdict: verdict(isSure && isLarge) };
}
