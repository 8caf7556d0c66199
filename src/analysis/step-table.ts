import { journeyNotices } from './journey-notices.ts';
import type { GeneratorWorkerRow, RoutePercentiles, StepRow } from '../model/analysis.ts';
import type { HistogramData } from '../model/histogram.ts';
import type { RouteMeasurement, StepMeasurement, WorkerHealth } from '../model/measurement.ts';
import type { Notice } from '../model/notice.ts';
import { rateByBatchMeans } from '../stats/batch-means.ts';
import { meanOf, percentileOf, percentileRank, valuesAtRanks } from '../stats/histogram.ts';
import { percentileIntervalRanks } from '../stats/order-statistics.ts';
import { usersByLittle } from '../stats/queueing/operational-laws.ts';
import { droppedArrivals, lightestResponseSeconds } from './dropped-arrivals.ts';
import { present } from './present.ts';
import { resourceUse } from './resource-use.ts';
import { findServerCount } from './server-count.ts';
import { soakNotices } from './soak-notices.ts';
import { steadyStateNotices } from './steady-state.ts';
import { failureNotices } from './failures.ts';
import { examineStep, type StepCondition } from './validity.ts';

/** What the table cannot know from the measurements. */
export interface StepTableOptions {
  /** m: cores the service can use; wins over what the counters say. */
  readonly serverCount?: number;
  /** Redirects were followed. */
  readonly followsRedirects?: boolean;
}

/**
 * The step table: one row a step over its window T (first to last counter sample). X = C/T counts successes;
 * R and the percentiles cover successes and timeouts; U = B/(T·m), D = U·m/X. A row is valid when no notice
 * of it is a red flag.
 */
export function stepTable(
  measurements: readonly StepMeasurement[],
  options: StepTableOptions = {},
): StepRow[] {
  const serverCount = options.serverCount ?? findServerCount(measurements)?.serverCount;
  const lightestSeconds = lightestResponseSeconds(measurements);
  return measurements.map((measurement) => stepRow(measurement, serverCount, lightestSeconds, options));
}

function stepRow(
  measurement: StepMeasurement,
  serverCount: number | undefined,
  lightestSeconds: number | undefined,
  { followsRedirects }: StepTableOptions,
): StepRow {
  const { windowSeconds, completionCount, responseTime, outcomeCounts } = measurement;
  const throughputPerSecond = windowSeconds > 0 ? completionCount / windowSeconds : 0;
  const errorCount = outcomeCounts.error + outcomeCounts.timeout;
  const endedCount = outcomeCounts.ok + errorCount;
  const errorRatio = endedCount > 0 ? errorCount / endedCount : 0;
  const littleResidualRatio = littleResidual(measurement);
  const notices = [
    ...stepNotices(measurement, errorRatio, littleResidualRatio, followsRedirects),
    ...droppedArrivals(measurement, lightestSeconds).map((notice) => ({
      where: measurement.step.label,
      ...notice,
    })),
  ];
  return {
    index: measurement.step.index,
    ...(measurement.step.part !== undefined && { part: measurement.step.part.name }),
    ...loadColumn(measurement),
    ...(measurement.step.writeRatio !== undefined && { writeRatio: measurement.step.writeRatio }),
    ...arrivalColumns(measurement),
    windowSeconds,
    completionCount,
    throughputPerSecond,
    errorCount,
    errorRatio,
    ...(measurement.errorsUnknown && { errorCountUnknown: true, errorRatioUnknown: true }),
    overall: percentilesOf(responseTime, throughputPerSecond),
    byRoute: routeColumns(measurement),
    meanInFlight: measurement.meanInFlight,
    ...present({
      throughputStandardErrorPerSecond: throughputError(measurement),
      responseTimeSeconds: meanOf(responseTime),
      thinkTimeSeconds: measurement.thinkTimeSeconds,
      littleResidualRatio,
    }),
    ...resourceUse(measurement, throughputPerSecond, serverCount),
    ...present({ generator: generatorColumns(measurement) }),
    valid: notices.every((notice) => notice.severity !== 'red-flag'),
    notices,
  };
}

function loadColumn({
  step,
  importedLoad,
  thinkTimeSeconds,
}: StepMeasurement): Pick<StepRow, 'users' | 'concurrency' | 'arrivalRatePerSecond'> {
  const { driver } = step;
  if (importedLoad !== undefined) return { [importedLoad.kind]: importedLoad.value };
  if (driver.kind === 'open') return { arrivalRatePerSecond: driver.arrivalRatePerSecond };
  return thinkTimeSeconds === undefined ? { concurrency: driver.users } : { users: driver.users };
}

/** What became of the arrivals of an open step. */
function arrivalColumns({
  step,
  byRoute,
  windowSeconds,
}: StepMeasurement): Pick<StepRow, 'sentPerSecond' | 'droppedCount'> {
  if (step.driver.kind !== 'open' || !(windowSeconds > 0)) return {};
  const sentCount = byRoute.reduce((sum, route) => sum + route.sentCount, 0);
  const droppedCount = byRoute.reduce((sum, route) => sum + route.droppedCount, 0);
  return { sentPerSecond: sentCount / windowSeconds, droppedCount };
}

/** Standard error of X by ten batch means of the slices. */
const throughputError = ({ slices }: StepMeasurement): number | undefined =>
  rateByBatchMeans(
    slices.map((slice) => slice.okCount),
    slices.map((slice) => slice.durationSeconds),
  )?.standardError;

/**
 * (X(R+Z) − N)/N of a closed step, with X and R over everything that ended, failures too: a user that met an
 * error goes on to think like any other.
 */
function littleResidual(measurement: StepMeasurement): number | undefined {
  const { step, windowSeconds, responseTime, byRoute, thinkTimeSeconds = 0 } = measurement;
  if (step.driver.kind === 'open' || !(windowSeconds > 0) || !tellsLoad(measurement)) return undefined;
  const failures = byRoute.map((route) => route.failureTime);
  const histograms = [responseTime, ...failures];
  const count = histograms.reduce((sum, h) => sum + h.totalCount, 0);
  if (count === 0) return undefined;
  const response = histograms.reduce((sum, h) => sum + h.sumSeconds, 0) / count;
  const users = usersByLittle(count / windowSeconds, response, thinkTimeSeconds);
  return users / step.driver.users - 1;
}

/** Can Little's law check the load? Of another tool's run neither its pauses nor its own work between requests are known. */
const tellsLoad = ({ importedLoad }: StepMeasurement): boolean => importedLoad === undefined;

function stepNotices(
  measurement: StepMeasurement,
  errorRatio: number,
  littleResidualRatio: number | undefined,
  followsRedirects: boolean | undefined,
): Notice[] {
  const { step, meanThinking, meanInFlight, completionCount, generator } = measurement;
  const { driver } = step;
  return [
    ...measurement.notices,
    ...examineStep({
      ...conditionOfDriver(measurement, driver),
      ...present({ meanThinking, littleResidualRatio }),
      meanInFlight,
      completionCount,
      errorRatio,
      ...present({ generatorRatio: generator?.utilizationRatio, generatorWorkers: generator?.workers }),
    }),
    ...journeyNotices(measurement),
    ...failureNotices(measurement, followsRedirects),
    ...emptyOrCut(measurement),
    ...(step.part?.isTransient === true
      ? []
      : [...steadyStateNotices(measurement), ...soakNotices(measurement)]),
  ].map((notice) => ({ where: step.label, ...notice }));
}

/** Of a scenario, arrivals are of journeys, each of several requests: the requests do not tell how many came. */
function conditionOfDriver(
  measurement: StepMeasurement,
  driver: StepMeasurement['step']['driver'],
): Pick<StepCondition, 'users' | 'arrivals'> {
  if (!tellsLoad(measurement)) return {};
  if (driver.kind === 'closed') return { users: driver.users };
  return measurement.scenario === undefined ? { arrivals: arrivalsOf(measurement, driver) } : {};
}

function arrivalsOf(
  { byRoute, windowSeconds }: StepMeasurement,
  { arrivalRatePerSecond, arrivals }: Extract<StepMeasurement['step']['driver'], { kind: 'open' }>,
): NonNullable<StepCondition['arrivals']> {
  const offeredCount = byRoute.reduce((sum, route) => sum + route.sentCount + route.droppedCount, 0);
  return { offeredCount, ratePerSecond: arrivalRatePerSecond, windowSeconds, kind: arrivals };
}

function emptyOrCut({ completionCount, endedEarly }: StepMeasurement): Notice[] {
  const notices: Notice[] = [];
  if (completionCount === 0) {
    notices.push({
      code: 'nothing-completed',
      severity: 'red-flag',
      message: 'no request succeeded in the window',
    });
  }
  if (endedEarly !== undefined) {
    notices.push({
      code: 'window-cut-short',
      severity: 'warning',
      message: `the window was cut short: ${endedEarly}`,
    });
  }
  return notices;
}

const generatorColumns = ({ generator }: StepMeasurement): StepRow['generator'] =>
  generator && {
    utilizationRatio: generator.utilizationRatio,
    ...present({ scheduleLagP99Seconds: percentileOf(generator.scheduleLag, 99) }),
    ...(generator.workers !== undefined && { workers: generator.workers.map(workerColumns) }),
  };

const workerColumns = ({ scheduleLag, ...worker }: WorkerHealth): GeneratorWorkerRow => ({
  ...worker,
  ...present({ scheduleLagP99Seconds: percentileOf(scheduleLag, 99) }),
});

/** Columns by route; two methods on one route stand under their class ids. */
function routeColumns({ byRoute, windowSeconds }: StepMeasurement): Record<string, RoutePercentiles> {
  const shared = (route: RouteMeasurement): boolean =>
    byRoute.some((other) => other !== route && other.route === route.route);
  return Object.fromEntries(
    byRoute.map((route) => [
      shared(route) ? route.requestClassId : route.route,
      percentilesOf(route.responseTime, windowSeconds > 0 ? route.okCount / windowSeconds : 0),
    ]),
  );
}

function percentilesOf(histogram: HistogramData, throughputPerSecond: number): RoutePercentiles {
  const { totalCount: sampleCount, maxSeconds } = histogram;
  if (sampleCount === 0) return { sampleCount, throughputPerSecond };
  const [low95, high95 = Infinity] = percentileIntervalRanks(sampleCount, 95);
  const [low99, high99 = Infinity] = percentileIntervalRanks(sampleCount, 99);
  const ranks = [50, 95, 99].map((percentile) => percentileRank(percentile, sampleCount));
  const [p50Seconds, p95Seconds, p99Seconds, l95, h95, l99, h99] = valuesAtRanks(histogram, [
    ...ranks,
    low95,
    high95,
    low99,
    high99,
  ]);
  return {
    ...present({
      p50Seconds,
      p95Seconds,
      p99Seconds,
      meanSeconds: meanOf(histogram),
      maxSeconds,
      p95Interval: l95 === undefined ? undefined : { low: l95, ...present({ high: h95 }) },
      p99Interval: l99 === undefined ? undefined : { low: l99, ...present({ high: h99 }) },
    }),
    sampleCount,
    throughputPerSecond,
  };
}
