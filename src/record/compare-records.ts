import { ShiploadError } from '../errors.ts';
import type { ComparedMetric, Comparison, NoiseFloor, RunRecord } from '../model/record.ts';
import type { Notice } from '../model/notice.ts';
import type { Prediction } from '../model/prediction.ts';
import { countText, percentText } from '../stats/wording.ts';
import { compareMetrics } from './compare-metrics.ts';
import { metricsOf } from './compared-metrics.ts';
import { kneeShift } from './knee-shift.ts';
import { scorePredictions } from './score-predictions.ts';
import { SHARED_SERVER_COUNT } from './server-count-source.ts';
import { unlikeOthers } from './unlike-others.ts';
import { WORST_FIRST } from './worst-first.ts';

/** Fewer runs a side cannot reach 95 % with a rank test. */
const RUNS_NEEDED = 4;

/**
 * Two sides of runs compared: at every load both have, X, response times per route, U, D and errors; beside them
 * knee, saturation and capacity. Sides are the medians over runs, ratio = after / before; `compareMetrics` says
 * which have changed. A regression is a change for the worse, or a check that passed before and no longer does.
 * The options of the last record before are scored against the runs after. Throws `usage` when a side is empty.
 */
export function compareRecords(
  before: readonly RunRecord[],
  after: readonly RunRecord[],
  noiseFloor?: NoiseFloor,
  whatIfs: readonly Prediction[] = [],
): Comparison {
  if (before.length === 0 || after.length === 0) {
    throw new ShiploadError('usage', 'a comparison needs a run on each side', {
      hint: 'shipload compare runs/before runs/after',
    });
  }
  const metrics = compareMetrics(before.map(metricsOf), after.map(metricsOf), noiseFloor?.ratios);
  return {
    before: side(before),
    after: side(after),
    metrics,
    kneeShift: kneeShift(before, after),
    predictions: scorePredictions(before, after, whatIfs),
    regression: metrics.some(isWorse) || lostChecks(before, after).length > 0,
    notices: noticesOf(before, after, metrics, [
      ...replication(metrics, [before.length, after.length]),
      ...floorNotices(metrics, noiseFloor),
    ]),
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

const isWorse = ({ verdict, better, before, after }: ComparedMetric): boolean =>
  verdict === 'changed' && (better === 'lower' ? after > before : after < before);

/** Targets whose check passed in every run before and not in every run after; a run without a verdict lost none. */
function lostChecks(before: readonly RunRecord[], everyAfter: readonly RunRecord[]): string[] {
  const after = everyAfter.filter(({ verdict }) => verdict.decision !== 'invalid');
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
    ...unlikeOthers(before),
    ...unlikeOthers(after),
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
    ...sharedCount([...before, ...after]),
    ...when(
      distinct([...before, ...after], ({ manifest }) => manifest.service.serverCount) > 1,
      'server-count-differs',
      'warning',
      'the runs divide the CPU by different numbers of cores (m): compare demands, or give --cores',
    ),
  ];
}

function sharedCount(records: readonly RunRecord[]): Notice[] {
  const { serverCount, serverCountSource } = records[0]!.manifest.service;
  return when(
    serverCountSource === SHARED_SERVER_COUNT,
    'server-count-shared',
    'info',
    `the runs found different numbers of cores (m) for the service; all are divided by m = ${serverCount}, the largest: a run that used fewer does not show that it could not use them`,
  );
}

/** What the number of runs carries: too few for a test, or how many figures were tested together. */
function replication(
  metrics: readonly ComparedMetric[],
  [before, after]: readonly [number, number],
): Notice[] {
  if (Math.min(before, after) < RUNS_NEEDED) {
    const sides = `${countText(before, 'run')} before, ${countText(after, 'run')} after`;
    const message = `${sides}: too few to tell a difference from the noise between runs`;
    const advice = `at least ${RUNS_NEEDED} runs a side, interleaved, give a tested difference`;
    return [{ code: 'few-runs', severity: 'info', message, advice }];
  }
  const untested = metrics.filter(({ verdict }) => verdict === 'indicative').length;
  const tested = metrics.length - untested;
  return [
    ...when(
      tested > 0,
      'many-metrics',
      'info',
      tested === 1
        ? '1 metric tested: the chance that it is called changed by chance alone is at most 5 %'
        : `${tested} metrics tested together: the chance that any of them is called changed by chance alone is at most 5 %`,
    ),
    ...when(
      untested > 0,
      'few-valid-runs',
      'warning',
      `${countText(untested, 'metric')} stayed untested: the step was valid in fewer than ${RUNS_NEEDED} runs of a side`,
    ),
  ];
}

/** What is known of equal runs of this plan, and which differences are no larger. */
function floorNotices(metrics: readonly ComparedMetric[], floor: NoiseFloor | undefined): Notice[] {
  if (floor === undefined) return [];
  const known = metrics.flatMap(({ ratio, noiseFloorRatio: noise }) =>
    noise === undefined || ratio === undefined ? [] : [{ noise, difference: Math.max(ratio, 1 / ratio) - 1 }],
  );
  if (known.length === 0) return [];
  const within = known.filter(({ noise, difference }) => difference <= noise).length;
  const widest = Math.max(...known.map(({ noise }) => noise));
  const message = `${within} of ${countText(known.length, 'difference')} lie within the noise floor of this plan, the most that 95 % of the pairs of ${countText(floor.runCount, 'equal run')} on this machine differed: up to ±${percentText(widest)}`;
  return [{ code: 'noise-floor', severity: 'info', message }];
}

function when(holds: boolean, code: string, severity: Notice['severity'], message: string): Notice[] {
  return holds ? [{ code, severity, message }] : [];
}

const distinct = (records: readonly RunRecord[], of: (record: RunRecord) => unknown): number =>
  new Set(records.map((record) => JSON.stringify(of(record)))).size;

const loadSetup = (plan: RunRecord['manifest']['plan']): unknown => [
  plan.thinkTimeSeconds,
  plan.requests.map(({ id, shareRatio, targets }) => [id, shareRatio, targets.draw, targets.distinctCount]),
];
