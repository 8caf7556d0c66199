import { figure } from '../../stats/wording.ts';
import { leakRule, type Leak } from './leak.ts';

export const DESCRIPTORS: Leak = {
  id: 'descriptor-leak',
  resource: 'descriptors',
  quantity: 'descriptorCount',
  reads: 'descriptorCount',
  name: 'number of open descriptors',
  leastRise: 10,
  text: figure,
};

/** Open descriptors that grow on under constant load: files or sockets that are never closed. */
export const descriptorLeak = leakRule(DESCRIPTORS);
