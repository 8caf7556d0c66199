import type { LoadShape } from './shape.ts';
import { staircase } from './staircase.ts';

/** A ladder of arrival rates: requests come whether or not earlier ones were answered. */
export const rate: LoadShape = {
  name: 'rate',
  summary: 'a ladder of arrival rates (open loop), each request at its own time',
  loadKinds: ['arrivalRatePerSecond'],
  plan: staircase,
};
