import type { LoadShape } from './shape.ts';
import { staircase } from './staircase.ts';

/** Unless it is said, a stress run goes no higher than so many times its highest given load. */
const FARTHEST = 100;

/** Past the knee: the loads given, then ×1.5 until the service breaks (`nextStressLoad`). */
export const stress: LoadShape = {
  name: 'stress',
  summary: 'a staircase that goes on, ×1.5 a step, until errors or response times pass a limit',
  loadKinds: ['users', 'concurrency', 'arrivalRatePerSecond'],
  plan: staircase,
  growth: ({ errorLimitRatio = 0.1, responseLimitSeconds = 10, highestLoad }, topLoad) => ({
    kind: 'stress',
    errorLimitRatio,
    responseLimitSeconds,
    highestLoad: highestLoad ?? FARTHEST * topLoad,
  }),
};
