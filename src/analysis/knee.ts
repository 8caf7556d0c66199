import type { Interval } from '../model/distribution.ts';
import type { CurveRise, Knee } from '../model/analysis.ts';
import { sampleQuantile } from '../stats/order-statistics.ts';
import type { CurveModel } from './curve-model.ts';
import { bendOf, marginalSlopes, peakIndexOf, plateauOf, riseAtEnd } from './curve-shape.ts';
import { residualWhereBalanced, residualWithKneeBeyond } from './knee-beyond.ts';
import { loadFor } from './smooth-min.ts';

/** Share of the capacity to plan for, and the band to operate in. */
const PLAN_RATIO = 0.7;
const OPERATE_FROM_RATIO = 0.5;

/** Gate (a): the last step must lie at most here on the light-load line. */
const LINE_SHARE = 0.75;
/** Above this the light-load line does not hold: no queue makes users faster. */
const MOST_SHARE = 1.1;
/** Gate (b): variances by which the curve must beat the line. */
const GAIN_OVER_LINE = 9;
/** Gate (c): variances by which it must beat every curve whose knee lies at the last step or beyond. */
const GAIN_OVER_KNEE_BEYOND = 1.5;
/** Gate (d): variances by which it must beat every network of equally busy stations with such a knee. */
const GAIN_OVER_BALANCED = 5.5;
/** Systematic error of the family of curves and of X_plateau/a. */
const PADDING = 0.1;
const PLATEAU_UNCERTAINTY = 0.03;

const percent = (ratio: number): string => `${Math.round(ratio * 100)} %`;

/** The first gate that is shut, in words with figures; undefined when the data carry a knee. */
function refusal(model: CurveModel, lineShare: number): string | undefined {
  const { points, fit, fitted, gainOverLine, kneeReplicates, thinkRatio } = model;
  const last = points.at(-1)!.load;
  if (lineShare > MOST_SHARE)
    return `X at the last step is ${percent(lineShare)} of what the lowest steps let expect`;
  if (lineShare > LINE_SHARE) return `the sweep ends where X is ${percent(lineShare)} of the light-load line`;
  if (gainOverLine <= GAIN_OVER_LINE) return 'a straight line fits the steps as well as a curve with a knee';
  if (residualWithKneeBeyond(fitted) - fit.residualSumOfSquares <= GAIN_OVER_KNEE_BEYOND) {
    const high = sampleQuantile(kneeReplicates, 0.975) ?? Infinity;
    return `a knee beyond the last step, as high as ${Number(high.toPrecision(3))}, fits the steps as well as one within`;
  }
  if (residualWhereBalanced(fitted, thinkRatio) - fit.residualSumOfSquares > GAIN_OVER_BALANCED)
    return undefined;
  return `several resources that fill together, with a knee beyond ${last}, would give these steps too: not sure`;
}

/**
 * N* by the fit of the smooth minimum. A knee is *seen* only when (a) the last step lies at 75 % or less of the
 * light-load line, (b) the curve beats the straight line by 9 variances, (c) it beats by 1.5 every curve of its family
 * of which the knee lies at the last step or beyond and (d) by 5.5 every network of equally busy stations of which
 * the same is true: likelihood ratios over all steps, where a last slope would rest on two. On exact queueing
 * networks a sweep that ends before N* is then claimed to have a knee in under 1 % of cases, also where the network
 * is balanced (test/truth/knee.test.ts). The interval joins the bootstrap's 95 % with
 * X_plateau/a ± 3 %, padded by 10 %. Not seen: `lowerBound` is the 2.5 % quantile, at most the last load. A knee may
 * be seen while X still rises (`rise`): there is no plateau yet, and the highest X is a lower bound of the capacity.
 */
export function findKnee(model: CurveModel): Knee {
  const { points, deviations, fit, kneeReplicates, lightSlopePerSecond } = model;
  const last = points.at(-1)!;
  const slopes = marginalSlopes(points, deviations, lightSlopePerSecond);
  const lineShare = last.throughputPerSecond / (fit.slopePerSecond * last.load);
  const rise = riseAtEnd(points, deviations);
  const reason = refusal(model, lineShare);
  const seen = reason === undefined;
  const bend = bendOf(slopes);
  const common = {
    ...(bend && { bend }),
    peak: peakOf(model, rise),
    ...(rise && { rise }),
    ...(model.degradation && { degradation: model.degradation.summary }),
  };
  if (!seen) {
    const low = sampleQuantile(kneeReplicates, 0.025);
    const isBounded = low !== undefined && lineShare <= MOST_SHARE;
    const lowerBound = isBounded ? Math.min(low, last.load) : undefined;
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
    reason: `X ${endText(plateau, rise)}, ${percent(lineShare)} of the light-load line at ${last.load}`,
    users: fit.kneeLoad,
    interval: kneeInterval(kneeReplicates, plateau / lightSlopePerSecond),
    ...common,
    ...(rise === undefined
      ? capacity(model, plateau, 'plateau')
      : capacity(model, last.throughputPerSecond, 'highest-measured')),
  };
}

/** Where X ends: level, or on its way up. */
function endText(plateau: number, rise: CurveRise | undefined): string {
  if (rise === undefined) return `levels off at ${Number(plateau.toPrecision(4))}/s`;
  const { fromLoad, toLoad, gainRatio } = rise;
  return `bends and does not level off: it rose by ${percent(gainRatio)} from ${fromLoad} to ${toLoad}`;
}

/** X where it levelled off; undefined without a knee, and while X still rose at the last step. */
export const plateauPerSecond = ({ seen, capacitySource, capacityPerSecond }: Knee): number | undefined =>
  seen && capacitySource === 'plateau' ? capacityPerSecond : undefined;

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

function peakOf({ points }: CurveModel, rise: CurveRise | undefined): NonNullable<Knee['peak']> {
  const { load, throughputPerSecond } = points[peakIndexOf(points)]!;
  return { load, throughputPerSecond, reached: rise === undefined };
}
