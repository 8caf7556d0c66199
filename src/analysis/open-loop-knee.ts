import type { Knee, StepRow } from '../model/analysis.ts';
import { curveOf } from './curve.ts';
import { deviationOf } from './curve-model.ts';
import { riseAtEnd } from './curve-shape.ts';

/** Below this share of the offered rate, requests pile up. */
const KEEPING_UP_RATIO = 0.97;
const PLAN_RATIO = 0.7;
const OPERATE_FROM_RATIO = 0.5;

/**
 * The knee of an open-loop sweep: the bend lies between the last offered rate that is answered to 97 % and
 * the first that is not. There is no N*: nobody waits for an answer before asking again. Loads are offered
 * rates per second. The throughput at a rate that is not answered is what the service can do; where two such steps
 * differ beyond their error X still rises, and it is a lower bound.
 */
export function findOpenLoopKnee(rows: readonly StepRow[]): Knee {
  const curve = curveOf(rows);
  const top = curve.reduce((best, p) => (p.throughputPerSecond > best.throughputPerSecond ? p : best));
  const firstBehind = curve.findIndex((p) => p.throughputPerSecond < KEEPING_UP_RATIO * p.load);
  const seen = firstBehind >= 0;
  const behind = curve[firstBehind];
  const before = curve[firstBehind - 1];
  const overloaded = firstBehind < 0 ? [] : curve.slice(firstBehind);
  const rise = riseAtEnd(
    overloaded,
    overloaded.map((point) => deviationOf(point)),
  );
  const isReached = seen && rise === undefined;
  const capacityPerSecond = top.throughputPerSecond;
  return {
    seen,
    reason: behind
      ? `at ${behind.load}/s offered only ${Number(behind.throughputPerSecond.toPrecision(4))}/s are answered`
      : `${curve.length === 1 ? 'the offered rate of' : 'every offered rate up to'} ${curve.at(-1)!.load}/s is answered`,
    ...(behind && before && { bend: [before.load, behind.load] }),
    ...(!seen && { lowerBound: curve.at(-1)!.load }),
    peak: { load: top.load, throughputPerSecond: capacityPerSecond, reached: isReached },
    ...(rise && { rise }),
    capacityPerSecond,
    capacitySource: isReached ? 'plateau' : 'highest-measured',
    planForPerSecond: PLAN_RATIO * capacityPerSecond,
    operatingBand: [OPERATE_FROM_RATIO * capacityPerSecond, PLAN_RATIO * capacityPerSecond],
  };
}
