import { rateOf, serviceCounter } from '../../analysis/counter-window.ts';
import type { Prediction } from '../../model/prediction.ts';
import type { RunRecord } from '../../model/record.ts';
import { figure, secondsText } from '../../stats/wording.ts';

/** Commits that take so much more or less than in the prediction explain a miss of X by themselves. */
const NOTEWORTHY_RATIO = 1.1;

/** How long a request of the mix held the lock in a sweep, beside what the prediction of it rests on. */
export interface LockDrift {
  readonly predictedSeconds: number;
  readonly measuredSeconds: number;
  /** measured / predicted. */
  readonly ratio: number;
}

/**
 * At the lowest load of the sweep, where nobody else is in the way of whoever has the lock: what differs there is the disk,
 * whose commits take now more, now less. Undefined where the lock was not counted.
 */
export function lockDrift(prediction: Prediction, { measurements }: RunRecord): LockDrift | undefined {
  const predictedSeconds = prediction.serviceDemandSeconds['lock'];
  const [first] = measurements;
  const held = first && rateOf(serviceCounter(first, 'lockHeldSeconds'));
  if (held === undefined || first === undefined || !((predictedSeconds ?? 0) > 0)) return undefined;
  const measuredSeconds = (held * first.windowSeconds) / first.completionCount;
  return {
    predictedSeconds: predictedSeconds!,
    measuredSeconds,
    ratio: measuredSeconds / predictedSeconds!,
  };
}

/** What a reader must know of the disk before the misses of a sweep; undefined where it stayed as it was. */
export function driftSentence({ predictedSeconds, measuredSeconds, ratio }: LockDrift): string | undefined {
  if (ratio < NOTEWORTHY_RATIO && ratio > 1 / NOTEWORTHY_RATIO) return undefined;
  return `The disk was not the same: a request held the lock for ${secondsText(measuredSeconds)} with one worker, and for ${secondsText(predictedSeconds)} when its routes were measured alone (× ${figure(ratio)}): what rests on it misses too.`;
}
