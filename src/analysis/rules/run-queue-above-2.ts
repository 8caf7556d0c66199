import { figure } from '../../stats/wording.ts';
import { thresholdRule } from './threshold-rule.ts';

/** Red flag: more than two runnable tasks a processor (the load average a core where no queue is known). */
export const runQueueAbove2 = thresholdRule({
  id: 'run-queue-above-2',
  resource: 'machineCpu',
  quantity: 'runQueuePerCore',
  label: 'run queue per core',
  unit: 'count',
  limit: 2,
  read: (row) => row.runQueuePerCore ?? row.loadPerCore,
  text: figure,
  claim: (highest, from) =>
    `more than two tasks wait for every processor of the machine from ${from} on, up to ${highest}`,
  nextExperiment: 'stop what else runs on the machine, or move the generator to another one, and run again',
});
