import type { CrossCheck, Knee, UslFit } from '../model/analysis.ts';
import type { Notice } from '../model/notice.ts';
import type { CurvePoint } from './curve.ts';
import { kneedle } from './kneedle.ts';
import { BY_PLATEAU } from './saturation.ts';
import { fitSegmented } from './segmented.ts';

const DISAGREEMENT_RATIO = 0.2;

/** Other methods' answers to where the curve turns, each with what it really measures. */
export function curveCrossChecks(points: readonly CurvePoint[], usl: UslFit | undefined): CrossCheck[] {
  const loads = points.map((p) => p.load);
  const throughputs = points.map((p) => p.throughputPerSecond);
  const farthest = kneedle(loads, throughputs);
  const broken = fitSegmented(loads, throughputs);
  return [
    {
      method: 'kneedle',
      ...(farthest !== undefined && { users: farthest }),
      note: farthest === undefined ? 'no knee' : 'the measured step farthest from the chord',
    },
    {
      method: 'segmented',
      ...(broken && { users: broken.breakpoint }),
      ...(broken &&
        Number.isFinite(broken.breakpointStandardError) && { standardError: broken.breakpointStandardError }),
      note: broken ? 'break point of two lines' : 'needs five steps',
    },
    {
      method: 'usl peak',
      ...(usl?.peakUsers !== undefined && { users: usl.peakUsers }),
      note: usl?.note ?? 'needs four steps',
    },
  ];
}

/**
 * A notice for every asymptote that crosses more than 20 % away from a knee that was seen. While X still rises that of
 * X_plateau is a lower bound, and no disagreement.
 */
export function disagreements(knee: Knee, crossings: readonly CrossCheck[]): Notice[] {
  const { users } = knee;
  if (!knee.seen || users === undefined) return [];
  return crossings.flatMap((crossing): Notice[] => {
    if (crossing.users === undefined || (knee.rise !== undefined && crossing.method === BY_PLATEAU))
      return [];
    if (Math.abs(crossing.users / users - 1) <= DISAGREEMENT_RATIO) return [];
    return [
      {
        code: 'knee-methods-disagree',
        severity: 'warning',
        message: `${crossing.method} crosses at ${crossing.users.toPrecision(3)}, the knee lies at ${users.toPrecision(3)}`,
        advice: 'look for a second bottleneck, or for demand that changes with load',
      },
    ];
  });
}
