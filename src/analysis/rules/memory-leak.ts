import { bytesText } from '../../stats/wording.ts';
import { leakRule, type Leak } from './leak.ts';

export const MEMORY: Leak = {
  id: 'memory-leak',
  resource: 'memory',
  quantity: 'rssBytes',
  reads: 'residentGrowthBytes',
  name: 'resident memory',
  leastRise: 10e6,
  text: bytesText,
};

/** Resident memory, by its lowest values between collections, that grows on under constant load. */
export const memoryLeak = leakRule(MEMORY);
