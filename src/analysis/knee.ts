import type { Interval } from '../model/distribution.ts';
import type { Knee } from '../model/analysis.ts';
import { sampleQuantile } from '../stats/order-statistics.ts';
import type { CurveModel } from './curve-model.ts';
import { bendOf, marginalSlopes, peakIndexOf, plateauOf } from './curve-shape.ts';
import type { MarginalSlope } from './curve-shape.ts';
import { loadFor } from './smooth-min.ts';

/** Share of the capacity to plan for, and the band to operate in. */
const PLAN_RATIO = 0.7;
const OPERATE_FROM_RATIO = 0.5;

const ONE_SIDED = 1.64;
/** Gate (a): the last step must lie at most here on the light-load line. */
const LINE_SHARE = 0.8;
/** Gate (b): or the last marginal slope, with its error, below this. */
const FLAT_SLOPE_RATIO = 0.6;
/** Gate (c): variances by which the curve must beat the line. */
const LEAST_GAIN = 9;
/** Gate (d): the knee must lie within the sweep, also in the worst replicate. */
const WITHIN_SWEEP = 1.05;
/** A peak at the last step counts as reached when the curve has levelled off this much. */
const LEVEL_SLOPE_RATIO = 0.1;
/** Systematic error of the family of curves and of X_plateau/a. */
const PADDING = 0.1;
const PLATEAU_UNCERTAINTY = 0.03;

const percent = (ratio: number): string => `${Math.round(ratio * 100)} %`;

/** What the gates look at, once. */
interface Gates {
  readonly lineShare: number;
  readonly lastSlope: MarginalSlope;
  readonly gain: number;
  readonly highKnee: number;
  readonly lastLoad: number;
}

/** The first gate that is shut, in words with figures; undefined when the data carry a knee. */
function refusal({ lineShare, lastSlope, gain, highKnee, lastLoad }: Gates): string | undefined {
  if (lineShare > LINE_SHARE) return `the sweep ends where X is ${percent(lineShare)} of the light-load line`;
  const steepest = lastSlope.ratio + ONE_SIDED * lastSlope.standardError;
  if (steepest >= FLAT_SLOPE_RATIO && lineShare > FLAT_SLOPE_RATIO) {
    return `X still rises at the last step, by ${percent(lastSlope.ratio)} of the light-load slope`;
  }
  if (gain <= LEAST_GAIN) return 'a straight line fits the steps as well as a curve with a knee';
  if (highKnee >= WITHIN_SWEEP * lastLoad) {
    return `the knee could lie as high as ${Number(highKnee.toPrecision(3))}, beyond the last step`;
  }
  return undefined;
}

/**
 * N* by the composite method: fit of the smooth minimum, and a knee is *seen* only when (a) the last step lies
 * at 80 % or less of the light-load line, (b) the last marginal slope with 1.64 standard errors is below 0.6
 * of the light-load slope (or the last step at 60 % of the line), (c) the curve beats the straight line by 9
 * variances and (d) the 97.5 % bootstrap quantile of N* is below 1.05 of the last load. The interval joins the
 * bootstrap's 95 % with X_plateau/a ± 3 %, padded by 10 %. Not seen: `lowerBound` is the 2.5 % quantile, at
 * most the last load.
 */
export function findKnee(model: CurveModel): Knee {
  const { points, deviations, fit, kneeReplicates, lightSlopePerSecond } = model;
  const last = points.at(-1)!;
  const slopes = marginalSlopes(points, deviations, lightSlopePerSecond);
  const highKnee = sampleQuantile(kneeReplicates, 0.975) ?? Infinity;
  const lineShare = last.throughputPerSecond / (fit.slopePerSecond * last.load);
  const lastSlope = slopes.at(-1)!;
  const reason = refusal({ lineShare, lastSlope, gain: model.gainOverLine, highKnee, lastLoad: last.load });
  const seen = reason === undefined;
  const bend = bendOf(slopes);
  const common = {
    ...(bend && { bend }),
    peak: peakOf(model, lastSlope),
    ...(model.degradation && { degradation: model.degradation.summary }),
  };
  if (!seen) {
    const low = sampleQuantile(kneeReplicates, 0.025);
    const lowerBound = low === undefined ? undefined : Math.min(low, last.load);
    return {
      seen,
      reason,
      ...(lowerBound && { lowerBound }),
      ...common,
    };
  }
  const plateau = plateauOf(points);
  return {
    seen,
    reason: `X levels off at ${Number(plateau.toPrecision(4))}/s, ${percent(lineShare)} of the light-load line at ${last.load}`,
    users: fit.kneeLoad,
    interval: kneeInterval(kneeReplicates, plateau / lightSlopePerSecond),
    ...common,
    ...capacity(model, plateau, 'plateau'),
  };
}

/** The capacity C, 0.70·C and the loads that use 50–70 % of it, as fields of a knee. */
export function capacity(
  model: CurveModel,
  capacityPerSecond: number,
  capacitySource: NonNullable<Knee['capacitySource']>,
): Pick<Knee, 'capacityPerSecond' | 'capacitySource' | 'planForPerSecond' | 'operatingBand'> {
  const band: Interval = [
    loadFor(model.fit, OPERATE_FROM_RATIO * capacityPerSecond),
    loadFor(model.fit, PLAN_RATIO * capacityPerSecond),
  ];
  return {
    capacityPerSecond,
    capacitySource,
    planForPerSecond: PLAN_RATIO * capacityPerSecond,
    ...(band.every(Number.isFinite) && { operatingBand: band }),
  };
}

function kneeInterval(replicates: readonly number[], byPlateau: number): Interval {
  const low = Math.min(sampleQuantile(replicates, 0.025)!, byPlateau * (1 - PLATEAU_UNCERTAINTY));
  const high = Math.max(sampleQuantile(replicates, 0.975)!, byPlateau * (1 + PLATEAU_UNCERTAINTY));
  return [low * (1 - PADDING), high * (1 + PADDING)];
}

function peakOf({ points }: CurveModel, lastSlope: MarginalSlope): NonNullable<Knee['peak']> {
  const index = peakIndexOf(points);
  const { load, throughputPerSecond } = points[index]!;
  const reached = index < points.length - 1 || lastSlope.ratio < LEVEL_SLOPE_RATIO;
  return { load, throughputPerSecond, reached };
}
