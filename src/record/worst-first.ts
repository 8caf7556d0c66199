import type { Verdict } from '../model/verdict.ts';

/** Decisions of several runs: the first of these that any has is theirs together. */
export const WORST_FIRST: readonly Verdict['decision'][] = [
  'invalid',
  'fail',
  'no-margin',
  'inconclusive',
  'pass',
  'not-judged',
];
