import { percentText } from '../../stats/wording.ts';
import { thresholdRule } from './threshold-rule.ts';

/** Red flag: the process's CPU above 70 % of its cores, where waiting grows out of proportion to load. */
export const cpuAbove70 = thresholdRule({
  id: 'cpu-above-70',
  resource: 'cpu',
  quantity: 'utilizationRatio.cpu',
  label: 'CPU',
  unit: 'ratio',
  limit: 0.7,
  read: (row) => row.utilizationRatio['cpu'],
  text: percentText,
  claim: (highest, from) => `the process uses more than 70 % of its cores from ${from} on, up to ${highest}`,
  nextExperiment: 'shipload isolate: which route uses the CPU',
});
