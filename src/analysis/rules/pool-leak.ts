import { figure } from '../../stats/wording.ts';
import { leakRule, type Leak } from './leak.ts';

const PLACES: Leak = {
  id: 'pool-leak',
  resource: 'pool',
  quantity: 'poolInUse',
  reads: 'responseTimeSeconds',
  name: 'number of pool places in use',
  leastRise: 2,
  text: figure,
};

/** Places of a pool, as the service counts them, that are taken and not given back: the pool slowly starves. */
export const poolLeak = leakRule(PLACES);
