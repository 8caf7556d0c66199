import type { ByResource, RoutePercentiles, StepRow } from '../model/analysis.ts';
import type { PredictedStep, Prediction, PredictionError } from '../model/prediction.ts';
import { solveFcfsNetwork } from '../stats/queueing/fcfs-network.ts';
import type { FcfsSolution, FcfsStation } from '../stats/queueing/fcfs-network.ts';
import { loadOf } from '../stats/wording.ts';
import type { DemandBasis, RouteDemand } from './demand-basis.ts';
import { simulatedBasis, type SimulatedBasis } from './simulated-basis.ts';
import { applyWhatIf } from './what-if.ts';

export interface PredictOptions {
  readonly thinkTimeSeconds: number;
  /** Loads to predict; without them the measured ones, else a ladder around the saturation. */
  readonly users?: readonly number[];
  readonly whatIf?: readonly string[];
  /** Steps measured of the same mix, put beside the predicted ones, also under a change. */
  readonly measured?: readonly StepRow[];
  /** Runs the stations on a virtual clock, for percentiles, and for what mean values only approximate. */
  readonly simulate?: (basis: SimulatedBasis, users: number, expectedPerSecond: number) => StepRow;
}

/** Shares of N* in the ladder where no loads are given. */
const LADDER = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2];

const MEAN_VALUES =
  'mean values of a closed network, first come first served, with the residual of the service an arrival finds';
const SIMULATED = 'the stations on a virtual clock, first come first served';

/**
 * The step curve before it is measured: X(N), R(N), U(N) and the mean response time of each route, of a network of
 * the CPU (m servers), the pool (where its size is given), the lock (where the service counts it) or a delay for the
 * time outside the CPU, and the think time. Demands do not change with the load in it: contention and collection of garbage are what a measured curve
 * shows beyond it. Throws what `applyWhatIf` throws.
 */
export function predictCurve(given: DemandBasis, options: PredictOptions): Prediction {
  const { thinkTimeSeconds, whatIf = [], measured = [] } = options;
  const basis = applyWhatIf(given, whatIf);
  const demand = mixDemand(basis);
  const { bottleneck, throughputLimitPerSecond } = firstToFill(basis, demand);
  const saturationUsers = (lightResponse(basis) + thinkTimeSeconds) * throughputLimitPerSecond;
  const rows = measured.filter((row) => row.valid && row.arrivalRatePerSecond === undefined);
  const loads = options.users ?? loadsOf(rows, saturationUsers);
  const curve = solveFcfsNetwork(
    stationsOf(basis),
    basis.routes.map(({ shareRatio }) => shareRatio),
    thinkTimeSeconds,
    Math.max(...loads),
  );
  const steps = loads.map((users) => {
    const step = simulated(predictedStep(curve[users - 1]!, basis, demand), basis, options);
    const row = rows.find((one) => loadOf(one)?.value === users);
    return row === undefined ? step : besideMeasured(step, row);
  });
  const error = errorOf(steps, saturationUsers);
  return {
    basis: basis.basis,
    method: options.simulate === undefined ? MEAN_VALUES : SIMULATED,
    whatIf,
    thinkTimeSeconds,
    serverCount: sizesOf(basis),
    serviceDemandSeconds: demand,
    bottleneck,
    throughputLimitPerSecond,
    saturationUsers,
    steps,
    ...(error === undefined ? {} : { error }),
    notices: basis.notices,
  };
}

/** The CPU first, then where the time outside it is spent. */
function stationsOf({ routes, coreCount, laneCount = coreCount, poolSize }: DemandBasis): FcfsStation[] {
  const demands = (of: (route: RouteDemand) => number): FcfsStation['demands'] =>
    routes.map((route) => ({ serviceTimeSeconds: of(route), squaredVariation: route.squaredVariation }));
  const delays = demands(delayOf);
  return [
    { serverCount: laneCount, demands: demands(({ cpuSeconds }) => cpuSeconds) },
    {
      ...(poolSize === undefined ? {} : { serverCount: poolSize }),
      demands: demands(({ elsewhereSeconds }) => elsewhereSeconds),
    },
    ...(delays.some(({ serviceTimeSeconds }) => serviceTimeSeconds > 0) ? [{ demands: delays }] : []),
  ];
}

const delayOf = ({ delaySeconds = 0 }: RouteDemand): number => delaySeconds;

/** What is full where the time outside the CPU is held: a pool, or a lock. */
const heldName = ({ isLock }: DemandBasis): string => (isLock === true ? 'lock' : 'pool');

const elsewhereName = (basis: DemandBasis): string =>
  basis.poolSize === undefined ? 'elsewhere' : heldName(basis);

const overMix = ({ routes }: DemandBasis, of: (route: RouteDemand) => number): number =>
  routes.reduce((sum, route) => sum + route.shareRatio * of(route), 0);

function mixDemand(basis: DemandBasis): ByResource {
  const delay = overMix(basis, delayOf);
  return {
    cpu: overMix(basis, ({ cpuSeconds, heldCpuSeconds = 0 }) => cpuSeconds + heldCpuSeconds),
    ...(delay > 0 && { elsewhere: delay }),
    [elsewhereName(basis)]: overMix(basis, ({ elsewhereSeconds }) => elsewhereSeconds),
  };
}

/** R of a request that waits for nobody; CPU used while the lock is held is part of the time it is held. */
const lightResponse = (basis: DemandBasis): number =>
  overMix(basis, (route) => route.cpuSeconds + route.elsewhereSeconds + delayOf(route));

function sizesOf(basis: DemandBasis): ByResource {
  const { coreCount, poolSize } = basis;
  return poolSize === undefined ? { cpu: coreCount } : { cpu: coreCount, [heldName(basis)]: poolSize };
}

function firstToFill(
  basis: DemandBasis,
  demand: ByResource,
): Pick<Prediction, 'bottleneck' | 'throughputLimitPerSecond'> {
  const { coreCount, laneCount = coreCount } = basis;
  const lanes = laneCount / overMix(basis, ({ cpuSeconds }) => cpuSeconds);
  return [
    ...Object.entries(sizesOf(basis)).map(([bottleneck, size]) => ({
      bottleneck,
      throughputLimitPerSecond: size / demand[bottleneck]!,
    })),
    { bottleneck: 'cpu', throughputLimitPerSecond: lanes },
  ].reduce((least, one) => (one.throughputLimitPerSecond < least.throughputLimitPerSecond ? one : least));
}

function loadsOf(rows: readonly StepRow[], saturationUsers: number): number[] {
  const measured = rows.flatMap((row) => loadOf(row)?.value ?? []);
  const ladder = LADDER.map((share) => Math.max(1, Math.round(share * saturationUsers)));
  const loads = measured.length > 0 ? measured : [1, ...ladder];
  return [...new Set(loads)].sort((a, b) => a - b);
}

function predictedStep(solution: FcfsSolution, basis: DemandBasis, demand: ByResource): PredictedStep {
  const [, held] = solution.utilizationRatio;
  const cpu = (solution.throughputPerSecond * demand['cpu']!) / basis.coreCount;
  return {
    users: solution.users,
    throughputPerSecond: solution.throughputPerSecond,
    responseTimeSeconds: solution.responseTimeSeconds,
    byRoute: Object.fromEntries(
      basis.routes.map(({ route }, c) => [route, solution.responseTimeByClassSeconds[c]!]),
    ),
    utilizationRatio: basis.poolSize === undefined ? { cpu } : { cpu, [heldName(basis)]: held! },
  };
}

/**
 * The step as a simulation of the same stations has it, where one is given: p95 of each route, and X and R, which mean
 * values miss by a third where a few users meet at a server that is held for very different times.
 */
function simulated(
  step: PredictedStep,
  basis: DemandBasis,
  { simulate, thinkTimeSeconds }: PredictOptions,
): PredictedStep {
  if (simulate === undefined) return step;
  const row = simulate(simulatedBasis(basis), step.users, step.throughputPerSecond);
  // X follows from R: what was counted in the window carries the chance of the think times drawn as well.
  const responseTimeSeconds = row.overall.meanSeconds;
  if (responseTimeSeconds === undefined) return step;
  const throughputPerSecond = step.users / (responseTimeSeconds + thinkTimeSeconds);
  const figures = (of: (route: RoutePercentiles) => number | undefined): Record<string, number> =>
    Object.fromEntries(
      Object.entries(row.byRoute).flatMap(([route, one]) => {
        const seconds = of(one);
        return seconds === undefined ? [] : [[route, seconds]];
      }),
    );
  const scale = throughputPerSecond / step.throughputPerSecond;
  return {
    ...step,
    throughputPerSecond,
    responseTimeSeconds,
    byRoute: { ...step.byRoute, ...figures(({ meanSeconds }) => meanSeconds) },
    p95ByRoute: figures(({ p95Seconds }) => p95Seconds),
    utilizationRatio: Object.fromEntries(
      Object.entries(step.utilizationRatio).map(([name, ratio]) => [name, ratio * scale]),
    ),
  };
}

function besideMeasured(step: PredictedStep, row: StepRow): PredictedStep {
  const { throughputPerSecond, responseTimeSeconds, utilizationRatio } = row;
  const cpu = utilizationRatio['cpu'];
  return {
    ...step,
    measured: {
      throughputPerSecond,
      ...(responseTimeSeconds === undefined ? {} : { responseTimeSeconds }),
      ...(cpu === undefined ? {} : { cpuUtilizationRatio: cpu }),
    },
    ...(throughputPerSecond > 0
      ? { throughputErrorRatio: step.throughputPerSecond / throughputPerSecond - 1 }
      : {}),
    ...(responseTimeSeconds === undefined || responseTimeSeconds === 0
      ? {}
      : { responseTimeErrorRatio: step.responseTimeSeconds / responseTimeSeconds - 1 }),
  };
}

function errorOf(steps: readonly PredictedStep[], saturationUsers: number): PredictionError | undefined {
  const throughput = steps.flatMap(({ throughputErrorRatio: ratio }) => ratio ?? []);
  const response = steps.flatMap(({ users, responseTimeErrorRatio: ratio }) =>
    users < saturationUsers ? (ratio ?? []) : [],
  );
  if (throughput.length === 0) return undefined;
  return {
    stepCount: throughput.length,
    throughputRatio: meanSize(throughput),
    ...(response.length === 0 ? {} : { responseTimeRatio: meanSize(response) }),
  };
}

const meanSize = (ratios: readonly number[]): number =>
  ratios.reduce((sum, ratio) => sum + Math.abs(ratio), 0) / ratios.length;
