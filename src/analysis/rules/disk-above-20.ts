import { percentText } from '../../stats/wording.ts';
import { thresholdRule } from './threshold-rule.ts';

/** Red flag: the disk busy for more than 20 % of the time. */
export const diskAbove20 = thresholdRule({
  id: 'disk-above-20',
  resource: 'disk',
  quantity: 'diskBusyRatio',
  label: 'disk busy',
  unit: 'ratio',
  limit: 0.2,
  read: (row) => row.diskBusyRatio ?? row.utilizationRatio['disk'],
  text: percentText,
  claim: (highest, from) =>
    `the disk is busy for more than 20 % of the time from ${from} on, up to ${highest}`,
  nextExperiment: 'run the same step with the data in memory (tmpfs) and compare',
});
