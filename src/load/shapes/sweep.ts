import type { LoadShape } from './shape.ts';
import { staircase } from './staircase.ts';

/** A staircase of workers without think time: the throughput curve X(N) of a service by itself. */
export const sweep: LoadShape = {
  name: 'sweep',
  summary: 'workers without think time, 1, 2, 4 … of them: the throughput curve of the service',
  loadKinds: ['concurrency'],
  defaultLoads: [1, 2, 4, 8, 16, 32, 64, 128, 256],
  plan: staircase,
};
