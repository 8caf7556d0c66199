import type { SessionSize } from '../model/workload.ts';
import { MICROSECONDS, type Steps } from './steps.ts';

/** What a timeout cuts the steps of some clients into; times in whole microseconds. */
export interface SessionTotals {
  readonly count: number;
  readonly stepCount: number;
  readonly requestCount: number;
  /** From the first start to the last end, summed. */
  readonly length: number;
  readonly singleStepCount: number;
  /** Sessions that may go on beyond the first or the last moment seen. */
  readonly atEdgeCount: number;
  readonly gapCount: number;
  /** From the end of a step to the start of the next within a session, summed. */
  readonly gapSum: number;
}

/** The first start and the last end of a log, in microseconds from its zero. */
export interface Edges {
  readonly first: number;
  readonly last: number;
}

/** A session ends with a pause longer than the timeout; exactly the timeout is still a pause. */
export function sessionTotals(
  clients: readonly Steps[],
  timeoutSeconds: number,
  edges: Edges,
): SessionTotals {
  const timeout = timeoutSeconds * MICROSECONDS;
  const totals = {
    count: 0,
    stepCount: 0,
    requestCount: 0,
    length: 0,
    singleStepCount: 0,
    atEdgeCount: 0,
    gapCount: 0,
    gapSum: 0,
  };
  const close = ({ starts, ends }: Steps, from: number, to: number): void => {
    totals.count += 1;
    totals.length += ends[to]! - starts[from]!;
    if (from === to) totals.singleStepCount += 1;
    if (starts[from]! - edges.first <= timeout || edges.last - ends[to]! <= timeout) totals.atEdgeCount += 1;
  };
  for (const client of clients) {
    const { starts, ends } = client;
    totals.stepCount += starts.length;
    totals.requestCount += client.requestCount;
    let from = 0;
    for (let index = 1; index < starts.length; index += 1) {
      const gap = starts[index]! - ends[index - 1]!;
      if (gap > timeout) {
        close(client, from, index - 1);
        from = index;
      } else {
        totals.gapCount += 1;
        totals.gapSum += gap;
      }
    }
    close(client, from, starts.length - 1);
  }
  return totals;
}

const MOST_SIZES = 200;

/** How many sessions have how many steps; neighbours are put together, by their mean, where there are many sizes. */
export function sessionSizes(clients: readonly Steps[], timeoutSeconds: number): SessionSize[] {
  const timeout = timeoutSeconds * MICROSECONDS;
  const counts = new Map<number, number>();
  const add = (size: number): void => void counts.set(size, (counts.get(size) ?? 0) + 1);
  for (const { starts, ends } of clients) {
    let from = 0;
    for (let index = 1; index < starts.length; index += 1)
      if (starts[index]! - ends[index - 1]! > timeout) {
        add(index - from);
        from = index;
      }
    add(starts.length - from);
  }
  const sizes = [...counts].sort(([a], [b]) => a - b);
  const perGroup = Math.ceil(sizes.length / MOST_SIZES);
  return Array.from({ length: Math.ceil(sizes.length / perGroup) }, (_, group) =>
    joinedSize(sizes.slice(group * perGroup, (group + 1) * perGroup)),
  );
}

function joinedSize(sizes: readonly (readonly [stepCount: number, sessionCount: number])[]): SessionSize {
  const sessionCount = sizes.reduce((sum, [, count]) => sum + count, 0);
  const steps = sizes.reduce((sum, [size, count]) => sum + size * count, 0);
  return { stepCount: steps / sessionCount, sessionCount };
}

/** The gaps within sessions of one client: how many, their sum, and how many begin before the step before ends. */
export interface ClientGaps {
  readonly count: number;
  readonly gapSum: number;
  readonly cycleSum: number;
  readonly overlapCount: number;
}

/** `slackSeconds`: what the stamps cannot tell apart is no overlap. */
export function gapsOfClient(
  { starts, ends }: Steps,
  timeoutSeconds: number,
  slackSeconds: number,
): ClientGaps {
  let [count, gapSum, cycleSum, overlapCount] = [0, 0, 0, 0];
  for (let index = 1; index < starts.length; index += 1) {
    const gap = starts[index]! - ends[index - 1]!;
    if (gap > timeoutSeconds * MICROSECONDS) continue;
    count += 1;
    gapSum += gap;
    cycleSum += starts[index]! - starts[index - 1]!;
    if (gap < -slackSeconds * MICROSECONDS) overlapCount += 1;
  }
  return { count, gapSum, cycleSum, overlapCount };
}

/** The gaps within sessions in seconds, in rising order. */
export function sortedGaps(clients: readonly Steps[], timeoutSeconds: number): Float64Array {
  const timeout = timeoutSeconds * MICROSECONDS;
  const gaps = new Float64Array(clients.reduce((sum, { starts }) => sum + starts.length, 0));
  let count = 0;
  for (const { starts, ends } of clients)
    for (let index = 1; index < starts.length; index += 1) {
      const gap = starts[index]! - ends[index - 1]!;
      if (gap <= timeout) gaps[count++] = gap / MICROSECONDS;
    }
  return gaps.subarray(0, count).sort();
}
