import { ShiploadError } from '../errors.ts';
import type { IsolatedRoute, Isolation, StepRow } from '../model/analysis.ts';
import type { StepMeasurement } from '../model/measurement.ts';
import type { Notice } from '../model/notice.ts';
import { mergeHistograms } from '../stats/histogram.ts';
import { loadOf, percentText } from '../stats/wording.ts';
import { rateOf, serviceCounter } from './counter-window.ts';
import { quantilesOf } from './hold-variation.ts';

/** One route's own step: only this class was sent. */
export interface IsolatedStep {
  readonly route: string;
  readonly requestClassId: string;
  /** Share of the class in the mix; shares are scaled to sum to 1 over the isolated routes. */
  readonly shareRatio: number;
  readonly row: StepRow;
  /** What the row was made from: for quantiles, and the service's own count of its lock. */
  readonly measurement?: StepMeasurement;
  /** The route alone with more users: where D, and the time of a lock, are those of a service that is busy. */
  readonly busy?: { readonly row: StepRow; readonly measurement: StepMeasurement };
}

/** Above this utilisation the response times of an isolated route contain waiting for itself. */
const QUEUEING_RATIO = 0.7;
const ERROR_RATIO = 0.01;
/** Up to here queueing adds at most U/(2(1 − U)) = 6 % of D to the mean (one server, constant service). */
const IDLE_RATIO = 0.1;

/**
 * The demand of each route alone and its share of the work: D = B / C (busy CPU seconds of the process by
 * completions), which is U·m / X where only these are known; share of work = share·D / Σ share·D; demand of the
 * mix = Σ share·D. Idle costs of the process are part of B: nothing is subtracted. Throws `run-invalid` when a
 * step lacks the process's CPU, completions or response times. Where the measurements come along, the times of a route that
 * nothing waited in and the lock's own count are kept too. Where a busier step was made, D and the lock's time are its own:
 * a request that finds every thread asleep pays for waking them, up to as much as for all the rest, and what a service can
 * carry is decided where nobody sleeps.
 */
export function isolateRoutes(steps: readonly IsolatedStep[]): Isolation {
  const totalShare = steps.reduce((sum, { shareRatio }) => sum + shareRatio, 0);
  if (!(totalShare > 0)) throw invalid('no route', 'no requests were isolated');
  const alone = steps.map((step) => measureAlone(step, totalShare));
  const mixDemandSeconds = alone.reduce(
    (sum, route) => sum + route.shareRatio * route.serviceDemandSeconds,
    0,
  );
  const routes = alone.map((route) => ({
    ...route,
    shareOfWorkRatio:
      mixDemandSeconds > 0 ? (route.shareRatio * route.serviceDemandSeconds) / mixDemandSeconds : 0,
  }));
  const demands = routes.map(({ serviceDemandSeconds }) => serviceDemandSeconds).filter((d) => d > 0);
  return {
    routes,
    demandRatio: demands.length === 0 ? 1 : Math.max(...demands) / Math.min(...demands),
    mixDemandSeconds,
    serverCount: steps[0]!.row.serverCount['cpu'] ?? 1,
    notices: steps.flatMap(doubts),
  };
}

function measureAlone(
  { route, requestClassId, shareRatio, row, measurement, busy }: IsolatedStep,
  totalShare: number,
): Omit<IsolatedRoute, 'shareOfWorkRatio'> {
  const { utilizationRatio, completionCount, windowSeconds } = workOf(row, route);
  const own = row.byRoute[route] ?? row.overall;
  if (own.p50Seconds === undefined || own.p95Seconds === undefined) {
    throw invalid(route, 'there are no response times');
  }
  const demandStep = busy ?? { row, measurement };
  return {
    route,
    requestClassId,
    shareRatio: shareRatio / totalShare,
    users: loadOf(row)?.value ?? 0,
    completionCount,
    throughputPerSecond: row.throughputPerSecond,
    windowSeconds,
    utilizationRatio,
    serviceDemandSeconds: workOf(demandStep.row, route).demandSeconds,
    p50Seconds: own.p50Seconds,
    p95Seconds: own.p95Seconds,
    ...unqueued(row, measurement),
    ...lockHeld(demandStep.row, demandStep.measurement),
    ...threadDemand(demandStep.row, demandStep.measurement),
    ...(busy !== undefined && { demandUsers: loadOf(busy.row)?.value ?? 0 }),
    errorCount: row.errorCount,
  };
}

/** One user never waits for another, and hardly anybody where the CPU is this idle: the times are the route's own. */
function unqueued(
  row: StepRow,
  measurement: StepMeasurement | undefined,
): Pick<IsolatedRoute, 'meanSeconds' | 'quantileSeconds'> {
  const isAlone = loadOf(row)?.value === 1 || (row.utilizationRatio['cpu'] ?? 1) <= IDLE_RATIO;
  if (!isAlone || row.responseTimeSeconds === undefined) return {};
  const times = measurement?.byRoute.map(({ responseTime }) => responseTime) ?? [];
  const quantileSeconds = times.length === 0 ? undefined : quantilesOf(mergeHistograms(times));
  return { meanSeconds: row.responseTimeSeconds, ...(quantileSeconds !== undefined && { quantileSeconds }) };
}

/** What a step asked of the CPU: U, and D = B / C. */
function workOf(row: StepRow, route: string) {
  const { windowSeconds, completionCount, serverCount, busySeconds } = row;
  const utilizationRatio = row.utilizationRatio['cpu'];
  if (utilizationRatio === undefined) throw invalid(route, "the process's CPU was not watched");
  if (windowSeconds === undefined || completionCount === undefined || completionCount === 0) {
    throw invalid(route, 'no request succeeded in the window');
  }
  const busy = busySeconds?.['cpu'] ?? utilizationRatio * windowSeconds * (serverCount['cpu'] ?? 1);
  return { utilizationRatio, windowSeconds, completionCount, demandSeconds: busy / completionCount };
}

function threadDemand(
  { throughputPerSecond }: StepRow,
  measurement: StepMeasurement | undefined,
): Pick<IsolatedRoute, 'threadDemandSeconds'> {
  const used = measurement && rateOf(serviceCounter(measurement, 'busiestThreadCpuSeconds'));
  return used === undefined || !(throughputPerSecond > 0)
    ? {}
    : { threadDemandSeconds: used / throughputPerSecond };
}

/** D of the lock: the share of the time that it was held, over X. */
function lockHeld(
  { throughputPerSecond }: StepRow,
  measurement: StepMeasurement | undefined,
): Pick<IsolatedRoute, 'lockHeldSeconds'> {
  const held = measurement && rateOf(serviceCounter(measurement, 'lockHeldSeconds'));
  return held === undefined ? {} : { lockHeldSeconds: held / throughputPerSecond };
}

function invalid(route: string, why: string): ShiploadError {
  return new ShiploadError('run-invalid', `isolated run of ${route}: ${why}`, {
    hint: 'watch the process (--pid, --port or --start) and run long enough for a few hundred requests',
    where: route,
  });
}

function doubts({ route, row }: IsolatedStep): Notice[] {
  const notices: Notice[] = row.notices.map((notice) => ({ ...notice, where: route }));
  const cpu = row.utilizationRatio['cpu'] ?? 0;
  if (row.errorRatio > ERROR_RATIO) {
    const message = `${percentText(row.errorRatio)} of the isolated requests of ${route} failed: their CPU counts in D`;
    notices.push({ code: 'isolation-errors', severity: 'warning', message, where: route });
  }
  if (cpu > QUEUEING_RATIO) {
    const message = `${route} alone keeps the process ${percentText(cpu)} busy: its response times contain waiting, D does not`;
    const advice = 'isolate it with fewer users';
    notices.push({ code: 'isolation-queueing', severity: 'info', message, advice, where: route });
  }
  return notices;
}
