import type { Probe } from './member.ts';

/** Users who think for 50 ms, from one to 32: every limit of a few hundred requests a second shows as a bend. */
export const SWEEP: Probe = {
  shape: 'steps',
  loadKind: 'users',
  loads: [1, 2, 4, 8, 16, 24, 32],
  stepSeconds: 1.3,
  warmupSeconds: 0.3,
  thinkSeconds: 0.05,
  shareOfFirst: 0.5,
  keyCount: 200,
};

/** Few users, so that the process has CPU to spare and what delays a request is not the queue for it. */
export const LIGHT: Probe = {
  ...SWEEP,
  loads: [2, 4, 6, 8],
  stepSeconds: 2.3,
  thinkSeconds: 0.1,
  shareOfFirst: 0.25,
};

/** One load for a while: what grows or shrinks meanwhile is not the load's doing. */
export const SOAK: Probe = {
  ...SWEEP,
  shape: 'soak',
  loads: [12],
  stepSeconds: 12,
  warmupSeconds: 2,
};
