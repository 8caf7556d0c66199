import type {
  Analysis,
  Confirmation,
  CrossCheck,
  Finding,
  Isolation,
  Knee,
  Saturation,
  StepRow,
} from '../model/analysis.ts';
import type { LoadPlan } from '../model/load.ts';
import type { StepMeasurement } from '../model/measurement.ts';
import type { Notice } from '../model/notice.ts';
import type { WorkloadModel } from '../model/workload.ts';
import { applyConfirmations } from './confirmations.ts';
import { cacheNotices } from './cache-notices.ts';
import { curveCrossChecks, disagreements } from './cross-checks.ts';
import { condensed, curveOf, loadOf, MOST_POINTS } from './curve.ts';
import type { CurvePoint } from './curve.ts';
import { deviationOf, modelCurve } from './curve-model.ts';
import type { CurveModel } from './curve-model.ts';
import { riseAtEnd } from './curve-shape.ts';
import { capacity, findKnee } from './knee.ts';
import { findOpenLoopKnee } from './open-loop-knee.ts';
import { surestFirst } from './rules/causes.ts';
import { responseSplits } from './response-split.ts';
import type { DiagnosisRule } from './rules/rule.ts';
import { asymptoteCrossings, busiestResource, findSaturation } from './saturation.ts';
import { useTable } from './use-table.ts';
import { fitUsl } from './usl.ts';
import { countText, figure, loadText } from '../stats/wording.ts';

/** What an analysis may use besides the step table. */
export interface AnalysisOptions {
  /** Diagnosis rules, asked in this order. None by default. */
  readonly rules?: readonly DiagnosisRule[];
  readonly measurements?: readonly StepMeasurement[];
  readonly isolation?: Isolation;
  readonly workload?: WorkloadModel;
  readonly plan?: LoadPlan;
  readonly machineCoreCount?: number;
  /** Experiments that were made on the findings. */
  readonly confirmations?: readonly Confirmation[];
  /** Notices on the table as a whole, passed on (of an import, for one). */
  readonly notices?: readonly Notice[];
  /** Seed and number of the bootstrap's replicates; the same seed gives the same interval. */
  readonly seed?: number;
  readonly replicates?: number;
}

const DEFAULT_SEED = 1;
const DEFAULT_REPLICATES = 400;
/** a, k and p of the curve, and one step to spare. */
const FEWEST_STEPS = 4;
/** The lowest steps must agree on R₀ + Z within this. */
const LIGHT_LOAD_AGREEMENT = 0.1;

type CurveAnalysis = Omit<Analysis, 'steps' | 'findings'>;

/**
 * From the step table to the knee, the saturation, their cross-checks and the findings of the rules. Pure and
 * deterministic. Steps that are not valid stand in the table and nowhere else.
 */
export function analyze(rows: readonly StepRow[], options: AnalysisOptions = {}): Analysis {
  const curve = curveOf(rows);
  const {
    notices: tableNotices = [],
    rules = [],
    measurements = [],
    confirmations = [],
    ...context
  } = options;
  const analysed = analyseCurve(rows, curve, options);
  const analysis = {
    ...analysed,
    steps: rows,
    notices: [
      ...tableNotices,
      ...invalidSteps(rows),
      ...unknownCores(rows),
      ...cacheNotices(rows),
      ...analysed.notices,
    ],
  };
  const { isolation, workload, plan, machineCoreCount } = context;
  const input = {
    rows,
    measurements,
    analysis,
    ...(isolation && { isolation }),
    ...(workload && { workload }),
    ...(plan && { plan }),
    ...(machineCoreCount !== undefined && { machineCoreCount }),
  };
  const found = rules.flatMap((rule) => rule.examine(input));
  const open = isolation === undefined ? found : found.map(withoutIsolating);
  const findings = surestFirst(applyConfirmations(open, confirmations));
  return { ...analysis, findings, ...resourcesOf(rows, measurements, findings) };
}

/** The USE table, and the service's own times beside the client's, where there are counters. */
function resourcesOf(
  rows: readonly StepRow[],
  measurements: readonly StepMeasurement[],
  findings: readonly Finding[],
): Pick<Analysis, 'useTable' | 'responseSplits'> {
  const table = useTable(rows, measurements, findings);
  const splits = responseSplits(rows, measurements);
  return {
    ...(table !== undefined && { useTable: table }),
    ...(splits.length > 0 && { responseSplits: splits }),
  };
}

/** Z/(R₀ + Z) of the valid step with the lowest load; 0 where it does not tell. */
function thinkRatioOf(rows: readonly StepRow[]): number {
  const lowest = rows
    .filter(({ valid }) => valid)
    .reduce<StepRow | undefined>((low, row) => (low && loadOf(low) <= loadOf(row) ? low : row), undefined);
  const { thinkTimeSeconds: think = 0, responseTimeSeconds: response } = lowest ?? {};
  return response === undefined ? 0 : think / (response + think);
}

/** An experiment that has been made is no next one. */
function withoutIsolating({ nextExperiment, ...finding }: Finding): Finding {
  const isDone = nextExperiment === undefined || nextExperiment.startsWith('shipload isolate');
  return isDone ? finding : { ...finding, nextExperiment };
}

function analyseCurve(
  rows: readonly StepRow[],
  curve: readonly CurvePoint[],
  options: AnalysisOptions,
): CurveAnalysis {
  if (curve.length === 0) {
    const reason = 'no valid step with any throughput';
    return { knee: { seen: false, reason }, crossChecks: [], notices: [] };
  }
  if (rows.some(({ part }) => part !== undefined)) {
    const reason = 'the steps are parts of one run in time, not loads of a curve';
    return { knee: { seen: false, reason }, crossChecks: [], notices: [] };
  }
  if (rows.some((row) => row.arrivalRatePerSecond !== undefined)) {
    return { knee: findOpenLoopKnee(rows), crossChecks: [], notices: [] };
  }
  if (curve.length < FEWEST_STEPS) return analyseFewSteps(curve);
  const { seed = DEFAULT_SEED, replicates = DEFAULT_REPLICATES } = options;
  const thinkRatio = thinkRatioOf(rows);
  const model = modelCurve(condensed(curve), { seed, replicates, thinkRatio });
  const found = analyseClosedLoop(rows, model);
  return { ...found, notices: [...found.notices, ...condensedNotices(curve.length)] };
}

function analyseClosedLoop(rows: readonly StepRow[], model: CurveModel): CurveAnalysis {
  const found = findKnee(model);
  const crossings = asymptoteCrossings(model, rows, found);
  const saturation = findSaturation(crossings, found, model);
  const knee = found.capacityPerSecond !== undefined ? found : withCapacity(found, model, rows, saturation);
  const usl = fitUsl(model.points);
  const crossChecks: CrossCheck[] = [...crossings, ...curveCrossChecks(model.points, usl)];
  return {
    knee,
    ...(saturation && { saturation }),
    ...(usl && { usl }),
    crossChecks,
    notices: [
      ...disagreements(knee, crossings),
      ...lightLoadNotices(model),
      ...reachNotices(knee, saturation),
    ],
  };
}

/** Where no knee is seen: the capacity by the busiest resource once that is near 1, else the highest X measured. */
function withCapacity(
  knee: Knee,
  model: CurveModel,
  rows: readonly StepRow[],
  saturation: Saturation | undefined,
): Knee {
  const limit = busiestResource(rows)?.throughputLimitPerSecond;
  if (saturation === undefined || limit === undefined) {
    return { ...knee, ...capacity(model, knee.peak!.throughputPerSecond, 'highest-measured') };
  }
  return { ...knee, ...capacity(model, limit, 'asymptote') };
}

function analyseFewSteps(curve: readonly CurvePoint[]): CurveAnalysis {
  const top = curve.reduce((best, p) => (p.throughputPerSecond > best.throughputPerSecond ? p : best));
  const rise = riseAtEnd(
    curve,
    curve.map((point) => deviationOf(point)),
  );
  const knee: Knee = {
    seen: false,
    reason: `${countText(curve.length, 'valid load')} ${curve.length === 1 ? 'is' : 'are'} too few for a knee, which takes ${FEWEST_STEPS}`,
    peak: {
      load: top.load,
      throughputPerSecond: top.throughputPerSecond,
      reached: curve.length > 1 && rise === undefined && top.load < curve.at(-1)!.load,
    },
    ...(rise && { rise }),
    capacityPerSecond: top.throughputPerSecond,
    capacitySource: 'highest-measured',
    planForPerSecond: 0.7 * top.throughputPerSecond,
  };
  return { knee, crossChecks: [], notices: [] };
}

/** CPU seconds without the number of cores: a service elsewhere tells the one and not the other. */
function unknownCores(rows: readonly StepRow[]): Notice[] {
  const isUnknown = rows.some(
    ({ busySeconds, serverCount }) => busySeconds?.['cpu'] !== undefined && serverCount['cpu'] === undefined,
  );
  if (!isUnknown) return [];
  return [
    {
      code: 'cores-unknown',
      severity: 'warning',
      message: 'how many cores the service has is not known: its CPU time gives D, but no U and no m/D',
      advice: 'give them: --cores <n>',
    },
  ];
}

/** Of a thousand steps nobody reads all. */
const MOST_NAMED = 12;

const fewOf = (names: readonly string[]): string =>
  names.length <= MOST_NAMED
    ? names.join(', ')
    : `${names.slice(0, MOST_NAMED).join(', ')} and ${names.length - MOST_NAMED} more`;

function invalidSteps(rows: readonly StepRow[]): Notice[] {
  const invalid = rows.filter((row) => !row.valid);
  if (invalid.length === 0) return [];
  return [
    {
      code: 'steps-left-out',
      severity: 'warning',
      message: `${invalid.length} of ${countText(rows.length, 'step')} ${invalid.length === 1 ? 'is not valid and was' : 'are not valid and were'} left out of the curve`,
      advice: 'see the notices of these steps',
      where: fewOf(invalid.map(loadText)),
    },
  ];
}

function condensedNotices(loadCount: number): Notice[] {
  if (loadCount <= MOST_POINTS) return [];
  const message = `${loadCount} loads were joined to ${MOST_POINTS} means of neighbours for the curve`;
  return [{ code: 'loads-joined', severity: 'info', message }];
}

function lightLoadNotices({ points, deviations, lightSlopePerSecond }: CurveModel): Notice[] {
  const first = points[0]!;
  const faster = fasterUnderLoad(points, deviations);
  if (faster !== undefined) return [faster];
  const ratio = first.throughputPerSecond / first.load / lightSlopePerSecond;
  const noise = (2 * (first.standardErrorPerSecond ?? 0)) / first.throughputPerSecond;
  if (Math.abs(ratio - 1) <= Math.max(LIGHT_LOAD_AGREEMENT, noise)) return [];
  return [
    {
      code: 'light-load-unsteady',
      severity: 'warning',
      message: `at ${first.load} a user makes ${Math.round(ratio * 100)} % of the requests of the other light steps`,
      advice: 'warm up longer or start lower: the light-load line rests on these steps',
    },
  ];
}

/** Queueing only slows: users who get more done each where there are more of them met another service. */
function fasterUnderLoad(points: readonly CurvePoint[], deviations: readonly number[]): Notice | undefined {
  const each = points.map((point, i) => ({
    load: point.load,
    rate: point.throughputPerSecond / point.load,
    error: deviations[i]! / point.throughputPerSecond,
  }));
  const slow = each[0]!;
  const fast = each.reduce((best, one) => (one.rate > best.rate ? one : best));
  const gain = fast.rate / slow.rate - 1;
  if (gain <= Math.max(LIGHT_LOAD_AGREEMENT, 3 * Math.hypot(slow.error, fast.error))) return undefined;
  return {
    code: 'faster-under-load',
    severity: 'warning',
    message: `a user made ${figure(fast.rate / slow.rate)} times as many requests at ${fast.load} as at ${slow.load}: more users never make a service faster, so it, or the machine, was slower in the first steps`,
    advice:
      'warm up longer (caches, compilation), see what else ran, and run the lowest loads again: knee and capacity rest on them',
  };
}

function reachNotices(knee: Knee, saturation: Saturation | undefined): Notice[] {
  if (knee.upperBound !== undefined) {
    return [
      {
        code: 'sweep-starts-too-high',
        severity: 'warning',
        message: knee.reason,
        advice:
          'start at 1, or at a quarter of the first load: where nobody waits, R₀ and the knee can be read',
      },
    ];
  }
  if (knee.seen || saturation === undefined) return [];
  const [from, to] = [1.5 * saturation.users, 2 * saturation.users].map(Math.ceil);
  return [
    {
      code: 'sweep-too-short',
      severity: 'info',
      message: knee.reason,
      advice: `to see the knee, go on to ${from}–${to}`,
    },
  ];
}
