import { ShiploadError } from '../errors.ts';
import type { ComparedMetric, Comparison, RunRecord } from '../model/record.ts';
import type { Notice } from '../model/notice.ts';
import type { Verdict } from '../model/verdict.ts';
import { holm } from '../stats/holm.ts';
import { hodgesLehmann, median, rankSumTest } from '../stats/rank-test.ts';
import { countText } from '../stats/wording.ts';
import { metricsOf } from './compared-metrics.ts';
import type { MetricReading } from './compared-metrics.ts';
import { scorePredictions } from './score-predictions.ts';

/** Effects below are not told from noise, however many runs agree. */
const NOISE_FLOOR = Math.log(1.05);
const SIGNIFICANT = 0.05;
/** Fewer runs a side cannot reach 95 % with a rank test. */
const RUNS_NEEDED = 4;

const WORST_FIRST: readonly Verdict['decision'][] = [
  'invalid',
  'fail',
  'no-margin',
  'inconclusive',
  'pass',
  'not-judged',
];

/**
 * Two sides of runs compared: at every load both have, X, response times per route, U, D and errors; beside them
 * knee, saturation and capacity. Sides are the medians over runs, ratio = after / before. With one run on a side
 * every metric is `indicative`. With several, a metric is `changed` when the 95 % Hodges–Lehmann interval of the
 * ratio (on logarithms; by run, the unit of replication) excludes 1 and the effect is above 5 %; figures that
 * are 0 somewhere are tested by the exact rank-sum test alone. A regression is a change for the worse, or a check
 * that passed before and no longer does. The options of the last record before are scored against the runs
 * after. Throws `usage` when a side is empty.
 */
export function compareRecords(before: readonly RunRecord[], after: readonly RunRecord[]): Comparison {
  if (before.length === 0 || after.length === 0) {
    throw new ShiploadError('usage', 'a comparison needs a run on each side', {
      hint: 'shipload compare runs/before runs/after',
    });
  }
  const runCounts = [before.length, after.length] as const;
  const pairs = pairUp(before.map(metricsOf), after.map(metricsOf));
  const metrics = pairs.map((pair) => compareMetric(pair, runCounts));
  return {
    before: side(before),
    after: side(after),
    metrics,
    predictions: scorePredictions(before, after),
    regression: metrics.some(isWorse) || lostChecks(before, after).length > 0,
    notices: noticesOf(before, after, metrics, replication(pairs, metrics, runCounts)),
  };
}

function side(records: readonly RunRecord[]): Comparison['before'] {
  const decisions = records.map(({ verdict }) => verdict.decision);
  return {
    label: [...new Set(records.map(({ manifest }) => manifest.label))].join(', '),
    runCount: records.length,
    decision: WORST_FIRST.find((decision) => decisions.includes(decision)) ?? 'not-judged',
  };
}

interface MetricPair {
  readonly metric: Omit<MetricReading, 'value'>;
  readonly before: readonly number[];
  readonly after: readonly number[];
}

/** The metrics that both sides have, in the order of the first run. */
function pairUp(
  before: readonly (readonly MetricReading[])[],
  after: readonly (readonly MetricReading[])[],
): MetricPair[] {
  const group = (runs: readonly (readonly MetricReading[])[]): Map<string, MetricReading[]> => {
    const byName = new Map<string, MetricReading[]>();
    for (const reading of runs.flat())
      byName.set(reading.name, [...(byName.get(reading.name) ?? []), reading]);
    return byName;
  };
  const later = group(after);
  return [...group(before)].flatMap(([name, readings]) => {
    const others = later.get(name);
    if (others === undefined) return [];
    const values = (list: readonly MetricReading[]): number[] => list.map(({ value }) => value);
    return [{ metric: readings[0]!, before: values(readings), after: values(others) }];
  });
}

function compareMetric(
  { metric, before, after }: MetricPair,
  runCounts: readonly [number, number],
): ComparedMetric {
  const from = median(before);
  const to = median(after);
  const tested = Math.min(...runCounts, before.length, after.length) > 1 ? test(before, after) : undefined;
  return {
    name: metric.name,
    ...(metric.load === undefined ? {} : { load: metric.load }),
    before: from,
    after: to,
    ...(from === 0 ? {} : { ratio: to / from }),
    ...(tested?.interval === undefined ? {} : { interval: tested.interval }),
    unit: metric.unit,
    better: metric.better,
    verdict: tested?.verdict ?? 'indicative',
  };
}

type Tested = Pick<ComparedMetric, 'interval' | 'verdict'>;

function test(before: readonly number[], after: readonly number[]): Tested {
  const changed = (yes: boolean): Pick<Tested, 'verdict'> => ({
    verdict: yes ? 'changed' : 'no change shown',
  });
  const positive = [...before, ...after].every((value) => value > 0);
  const scale = positive ? Math.log : (value: number): number => value;
  const { shift, interval } = hodgesLehmann(after.map(scale), before.map(scale));
  if (interval === undefined) return { verdict: 'indicative' };
  if (!positive) return changed(rankSumTest(after, before).pValue < SIGNIFICANT);
  const [low, high] = interval;
  const excludesOne = low > 0 || high < 0;
  return {
    interval: [Math.exp(low), Math.exp(high)],
    ...changed(excludesOne && Math.abs(shift) > NOISE_FLOOR),
  };
}

const isWorse = ({ verdict, better, before, after }: ComparedMetric): boolean =>
  verdict === 'changed' && (better === 'lower' ? after > before : after < before);

/** Targets whose check passed in every run before and not in every run after. */
function lostChecks(before: readonly RunRecord[], after: readonly RunRecord[]): string[] {
  const passed = (records: readonly RunRecord[], text: string): boolean => {
    const checks = records.flatMap(({ verdict }) =>
      verdict.checks.filter(({ target }) => target.text === text),
    );
    return checks.length > 0 && checks.every(({ result }) => result === 'pass');
  };
  const textsOf = (records: readonly RunRecord[]): Set<string> =>
    new Set(records.flatMap(({ verdict }) => verdict.checks.map(({ target }) => target.text)));
  const later = textsOf(after);
  return [...textsOf(before)].filter(
    (text) => later.has(text) && passed(before, text) && !passed(after, text),
  );
}

function noticesOf(
  before: readonly RunRecord[],
  after: readonly RunRecord[],
  metrics: readonly ComparedMetric[],
  replicated: readonly Notice[],
): Notice[] {
  const lost = lostChecks(before, after);
  const atLoads = metrics.filter(({ load }) => load !== undefined);
  return [
    ...when(lost.length > 0, 'check-lost', 'warning', `passed before, no longer: ${lost.join('; ')}`),
    ...when(atLoads.length === 0, 'no-common-load', 'warning', 'the two sides have no step of the same load'),
    ...replicated,
    ...when(
      distinct([...before, ...after], ({ manifest }) => manifest.environment) > 1,
      'environment-differs',
      'warning',
      'the runs come from different machines or versions: differences may be theirs',
    ),
    ...when(
      distinct([...before, ...after], ({ manifest }) => loadSetup(manifest.plan)) > 1,
      'plan-differs',
      'warning',
      'the runs did not send the same mix with the same think time: differences may come from the load',
    ),
    ...when(
      distinct([...before, ...after], ({ manifest }) => manifest.service.serverCount) > 1,
      'server-count-differs',
      'warning',
      'the runs divide the CPU by different numbers of cores (m): compare demands, or give --cores',
    ),
  ];
}

/** What the number of runs carries: too few for a test, or how many changes survive the number of tests. */
function replication(
  pairs: readonly MetricPair[],
  metrics: readonly ComparedMetric[],
  [before, after]: readonly [number, number],
): Notice[] {
  if (Math.min(before, after) < RUNS_NEEDED) {
    const sides = `${countText(before, 'run')} before, ${countText(after, 'run')} after`;
    const message = `${sides}: too few to tell a difference from the noise between runs`;
    const advice = `at least ${RUNS_NEEDED} runs a side, interleaved, give a tested difference`;
    return [{ code: 'few-runs', severity: 'info', message, advice }];
  }
  const kept = holm(pairs.map((pair) => rankSumTest(pair.after, pair.before).pValue));
  const changed = metrics.filter(({ verdict }) => verdict === 'changed').length;
  const sure = metrics.filter(({ verdict }, i) => verdict === 'changed' && kept[i]).length;
  const message = `${countText(metrics.length, 'metric')} tested at 95 % each: one in twenty may seem changed by chance; ${sure} of the ${changed} that changed stay so when that is allowed for (Holm)`;
  return [{ code: 'many-metrics', severity: 'info', message }];
}

function when(holds: boolean, code: string, severity: Notice['severity'], message: string): Notice[] {
  return holds ? [{ code, severity, message }] : [];
}

const distinct = (records: readonly RunRecord[], of: (record: RunRecord) => unknown): number =>
  new Set(records.map((record) => JSON.stringify(of(record)))).size;

const loadSetup = (plan: RunRecord['manifest']['plan']): unknown => [
  plan.thinkTimeSeconds,
  plan.requests.map(({ id, shareRatio, targets }) => [id, shareRatio, targets.draw, targets.targets.length]),
];
