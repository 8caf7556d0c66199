import type { LoadShape } from './shape.ts';
import { staircase } from './staircase.ts';

/** Unless it is said, a search goes no higher than so many times its first load. */
const FARTHEST = 1000;

/**
 * The highest load that meets the targets with margin. The plan is its first step; the others follow from what was
 * measured (`nextSearchLoad`).
 */
export const search: LoadShape = {
  name: 'search',
  summary: 'the highest load that meets the targets with margin, found from a first load',
  loadKinds: ['users', 'concurrency', 'arrivalRatePerSecond'],
  loadCount: 1,
  plan: staircase,
  growth: ({ precisionRatio = 0.05, highestLoad }, topLoad) => ({
    kind: 'search',
    precisionRatio,
    confidenceRatio: 0.95,
    longestRepeat: 3,
    highestLoad: highestLoad ?? FARTHEST * topLoad,
    mostSteps: 40,
  }),
};
