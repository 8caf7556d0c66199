import type { Interval } from '../model/distribution.ts';
import type { CurveRise, Knee } from '../model/analysis.ts';
import { sampleQuantile } from '../stats/order-statistics.ts';
import type { CurveModel } from './curve-model.ts';
import { bendOf, marginalSlopes, peakIndexOf, plateauOf, riseAtEnd } from './curve-shape.ts';
import { FAMILY_ERROR, kneeLowerBound, kneeUpperBound, mayStartAboveKnee } from './knee-bounds.ts';
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
/** Gate (f): high over low end of the interval. */
const WIDEST_RATIO = 4;
/** A bend takes a curve: variances by which it must beat the line, χ² of two degrees of freedom at 95 %. */
const GAIN_OF_BEND = 5.99;
/** Systematic error of X_plateau/a, besides that of the family of curves. */
const PLATEAU_UNCERTAINTY = 0.03;

const percent = (ratio: number): string => `${Math.round(ratio * 100)} %`;
const short = (load: number): number => Number(load.toPrecision(3));

/** The first gate that is shut, in words with figures; undefined when the data carry a knee. */
function refusal(model: CurveModel, lineShare: number, interval: Interval): string | undefined {
  const { points, fit, fitted, gainOverLine, kneeReplicates, thinkRatio } = model;
  const last = points.at(-1)!.load;
  if (lineShare > MOST_SHARE)
    return `X at the last step is ${percent(lineShare)} of what the lowest steps let expect`;
  if (lineShare > LINE_SHARE) return `the sweep ends where X is ${percent(lineShare)} of the light-load line`;
  if (gainOverLine <= GAIN_OVER_LINE) return 'a straight line fits the steps as well as a curve with a knee';
  if (residualWithKneeBeyond(fitted) - fit.residualSumOfSquares <= GAIN_OVER_KNEE_BEYOND) {
    const high = sampleQuantile(kneeReplicates, 0.975) ?? Infinity;
    return `a knee beyond the last step, as high as ${short(high)}, fits the steps as well as one within`;
  }
  if (residualWhereBalanced(fitted, thinkRatio) - fit.residualSumOfSquares <= GAIN_OVER_BALANCED)
    return `several resources that fill together, with a knee beyond ${last}, would give these steps too: not sure`;
  if (interval[1] > WIDEST_RATIO * interval[0])
    return `the knee may lie anywhere from ${short(interval[0])} to ${short(interval[1])}: not sure`;
  return undefined;
}

/**
 * N* by the fit of the smooth minimum. A knee is *seen* only when (a) the last step lies at 75 % or less of the
 * light-load line, (b) the curve beats the straight line by 9 variances, (c) it beats by 1.5 every curve of its family
 * of which the knee lies at the last step or beyond, (d) by 5.5 every network of equally busy stations of which
 * the same is true, and (e) by 6.63 every curve of either kind of which the knee lies at the first step or before it:
 * likelihood ratios over all steps, where a last slope would rest on two; and (f) its interval spans no more than a
 * factor of 4. On exact queueing networks a sweep that ends before N*, or starts above it, is then claimed to have a
 * knee in under 1 % of cases, also where the network is balanced (test/truth/knee.test.ts, knee-bounds.test.ts). The
 * interval joins the bootstrap's 95 % with X_plateau/a ± 3 %, padded by 10 %. Not seen: see `lowerBound`, and
 * `upperBound` for a sweep that may start above the knee, which has no bend and no loads to operate at. A knee may be
 * seen while X still rises (`rise`): there is no plateau yet, and the highest X is a lower bound of the capacity.
 */
export function findKnee(model: CurveModel): Knee {
  const { points, deviations, fit, kneeReplicates, lightSlopePerSecond } = model;
  const rise = riseAtEnd(points, deviations);
  if (mayStartAboveKnee(model)) return kneeBefore(model, rise);
  const last = points.at(-1)!;
  const lineShare = last.throughputPerSecond / (fit.slopePerSecond * last.load);
  const plateau = plateauOf(points);
  const interval = kneeInterval(kneeReplicates, plateau / lightSlopePerSecond);
  const reason = refusal(model, lineShare, interval);
  const seen = reason === undefined;
  const bend =
    model.gainOverLine > GAIN_OF_BEND
      ? bendOf(marginalSlopes(points, deviations, lightSlopePerSecond))
      : undefined;
  const common = { ...(bend && { bend }), ...endOf(model, rise, seen) };
  if (!seen) {
    const lowerBound = lineShare <= MOST_SHARE ? kneeLowerBound(model) : undefined;
    return { seen, reason, ...(lowerBound && { lowerBound }), ...common };
  }
  return {
    seen,
    reason: `X ${endText(plateau, rise)}, ${percent(lineShare)} of the light-load line at ${last.load}`,
    users: fit.kneeLoad,
    interval,
    ...common,
    ...capacityAtEnd(model, rise),
  };
}

/** Of a sweep that may start above the knee: what bounds it, and the capacity, which needs no light load. */
function kneeBefore(model: CurveModel, rise: CurveRise | undefined): Knee {
  const first = model.points[0]!.load;
  const isCurved = model.gainOverLine > GAIN_OVER_LINE;
  if (!isCurved) {
    const reason = `from ${first} on a straight line and a level one fit the steps alike: not sure`;
    return { seen: false, reason, ...endOf(model, rise, false) };
  }
  const upperBound = kneeUpperBound(model);
  const { operatingBand: _, ...atEnd } = capacityAtEnd(model, rise);
  return {
    seen: false,
    reason: `nothing shows that the first step, ${first}, is at light load: the knee may lie at or below it`,
    upperBound,
    ...endOf(model, rise, rise === undefined),
    ...atEnd,
  };
}

const capacityAtEnd = (model: CurveModel, rise: CurveRise | undefined): ReturnType<typeof capacity> =>
  rise === undefined
    ? capacity(model, plateauOf(model.points), 'plateau')
    : capacity(model, model.points.at(-1)!.throughputPerSecond, 'highest-measured');

/** Peak, rise and degradation. A peak is reached where X fell after it, or is known to be level. */
function endOf(model: CurveModel, rise: CurveRise | undefined, isLevel: boolean): Partial<Knee> {
  const { points, degradation } = model;
  const { load, throughputPerSecond } = points[peakIndexOf(points)]!;
  const reached = rise === undefined && (isLevel || degradation !== undefined);
  return {
    peak: { load, throughputPerSecond, reached },
    ...(rise && { rise }),
    ...(degradation && { degradation: degradation.summary }),
  };
}

/** Where X ends: level, or on its way up. */
function endText(plateau: number, rise: CurveRise | undefined): string {
  if (rise === undefined) return `levels off at ${Number(plateau.toPrecision(4))}/s`;
  const { fromLoad, toLoad, gainRatio } = rise;
  return `bends and does not level off: it rose by ${percent(gainRatio)} from ${fromLoad} to ${toLoad}`;
}

/** X where it levelled off; undefined without a knee, and while X still rose at the last step. */
export const plateauPerSecond = ({ capacitySource, capacityPerSecond }: Knee): number | undefined =>
  capacitySource === 'plateau' ? capacityPerSecond : undefined;

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
  return [low * (1 - FAMILY_ERROR), high * (1 + FAMILY_ERROR)];
}
