import { spacedWords } from '../stats/metric-words.ts';

/** Counters whose names, spaced, would say too little or too much. */
const NAMES: Readonly<Record<string, string>> = {
  rssBytes: 'resident memory',
  swapBytes: 'swapped out',
  memoryBytes: 'whole cgroup',
  descriptorCount: 'open descriptors',
  connectionCount: 'connections',
  threadCount: 'threads',
  blockedThreadCount: 'blocked threads',
  processCount: 'processes',
  poolInUse: 'pool places in use',
  poolWaiting: 'waiting for a place',
};

/** What a chart calls a counter: `poolWaiting` → `waiting for a place`, `queueLength` → `queue length`. */
export const counterWords = (quantity: string): string =>
  Object.hasOwn(NAMES, quantity)
    ? NAMES[quantity]!
    : spacedWords(quantity).replace(/ (?:count|bytes|seconds)$/, '');
