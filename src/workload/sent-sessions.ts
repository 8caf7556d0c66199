import type { SessionSize } from '../model/workload.ts';
import type { Random } from '../stats/random.ts';
import { weightedSampler } from '../stats/random.ts';
import type { SentByUsers } from './sent-requests.ts';

/** The sessions that users of a run would have had: of each its number of requests and its length in seconds. */
export interface SentSessions {
  readonly requestCounts: readonly number[];
  readonly lengthSeconds: readonly number[];
}

/**
 * Cuts what users sent into sessions of as many requests as the log's sessions have steps, drawn in their
 * proportion. A session lasts from its first start to its last end: the cycles of its requests less the pause
 * behind the last. All users' requests make one row, so that long sessions are as likely to end within it as
 * short ones; the last, which may be cut, is left out.
 */
export function sentSessions(
  { cycleSeconds, pauseSeconds }: Pick<SentByUsers, 'cycleSeconds' | 'pauseSeconds'>,
  sizes: readonly SessionSize[],
  random: Random,
): SentSessions {
  const drawSize = weightedSampler(sizes.map(({ sessionCount }) => sessionCount));
  const requestCounts: number[] = [];
  const lengthSeconds: number[] = [];
  for (let from = 0; ;) {
    const to = from + wholeNear(sizes[drawSize(random)]!.stepCount, random);
    if (to > cycleSeconds.length) return { requestCounts, lengthSeconds };
    let length = -pauseSeconds[to - 1]!;
    for (let index = from; index < to; index += 1) length += cycleSeconds[index]!;
    requestCounts.push(to - from);
    lengthSeconds.push(length);
    from = to;
  }
}

/** One of the two whole numbers about a mean of several, such that the mean stays. */
const wholeNear = (mean: number, random: Random): number =>
  Math.max(1, Math.floor(mean) + (random.next() < mean % 1 ? 1 : 0));
