import type { Interval } from '../model/distribution.ts';
import type { KneeShift, RunRecord } from '../model/record.ts';
import { median } from '../stats/rank-test.ts';
import { figure } from '../stats/wording.ts';

interface Side {
  readonly users: number;
  readonly interval: Interval;
}

/**
 * Whether the knee N* moved between two sides: it did where their intervals lie apart. Of several runs a side has
 * the median of their knees and the widest span of their intervals. A side whose runs do not all show a knee has
 * none: of it only is known how far the curve was straight.
 */
export function kneeShift(before: readonly RunRecord[], after: readonly RunRecord[]): KneeShift {
  const [from, to] = [sideOf(before), sideOf(after)];
  if (from === undefined || to === undefined) {
    const text = `whether the knee moved cannot be told: ${[...without(before, 'before'), ...without(after, 'after')].join('; ')}`;
    return { ...fieldsOf(from, to), verdict: 'unknown', text };
  }
  const isApart = from.interval[1] < to.interval[0] || to.interval[1] < from.interval[0];
  const figures = `from ${sideText(from)} to ${sideText(to)} (× ${figure(to.users / from.users)})`;
  const text = isApart
    ? `the knee moved ${figures}: the intervals lie apart`
    : `it is not shown that the knee moved, ${figures}: the intervals overlap`;
  return { ...fieldsOf(from, to), verdict: isApart ? 'moved' : 'not shown', text };
}

function sideOf(records: readonly RunRecord[]): Side | undefined {
  const knees = records.flatMap(({ analysis: { knee } }) =>
    knee.seen && knee.users !== undefined
      ? [{ users: knee.users, interval: knee.interval ?? ([knee.users, knee.users] as const) }]
      : [],
  );
  if (knees.length === 0 || knees.length < records.length) return undefined;
  return {
    users: median(knees.map(({ users }) => users)),
    interval: [
      Math.min(...knees.map(({ interval }) => interval[0])),
      Math.max(...knees.map(({ interval }) => interval[1])),
    ],
  };
}

const sideText = ({ users, interval: [low, high] }: Side): string =>
  `${figure(users)} (${figure(low)}–${figure(high)})`;

const fieldsOf = (from: Side | undefined, to: Side | undefined) => ({
  ...(from !== undefined && { before: from.users, beforeInterval: from.interval }),
  ...(to !== undefined && { after: to.users, afterInterval: to.interval }),
});

/** Why a side has no knee. */
function without(records: readonly RunRecord[], name: string): string[] {
  const lacking = records.find(({ analysis }) => !analysis.knee.seen);
  return lacking === undefined ? [] : [`${name}, ${lacking.analysis.knee.reason}`];
}
