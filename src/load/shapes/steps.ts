import type { LoadShape } from './shape.ts';
import { staircase } from './staircase.ts';

/** A staircase of users, or of workers where the log has no think time. */
export const steps: LoadShape = {
  name: 'steps',
  summary: 'a staircase of users, each step measured after its warm-up; the first is the baseline',
  loadKinds: ['users', 'concurrency'],
  plan: staircase,
};
