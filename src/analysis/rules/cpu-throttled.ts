import type { Evidence } from '../../model/analysis.ts';
import { figure, loadText, percentText } from '../../stats/wording.ts';
import { counterOf } from '../counter-window.ts';
import type { DiagnosisRule } from './rule.ts';
import { counterRate, measurementOf, risingRows } from './step-counters.ts';
import { stepEvidence } from './threshold-rule.ts';

/** Periods in which the group was stopped, of all its periods: from here on requests feel it. */
const THROTTLED_RATIO = 0.1;
const CERTAIN_RATIO = 0.25;

/**
 * The CPU quota of the cgroup: its threads are stopped in more than 10 % of the periods (nr_throttled/nr_periods),
 * for the rest of each. The process's CPU stays below a core while it is ready to run. Source: kernel documentation,
 * cgroup-v2 and sched-bwc.
 */
export const cpuThrottled: DiagnosisRule = {
  id: 'cpu-throttled',
  examine: (input) => {
    const stopped = risingRows(input).flatMap((row) => {
      const periods = counterRate(row, input, 'cgroup', 'periodCount') ?? 0;
      const throttled = counterRate(row, input, 'cgroup', 'throttledPeriodCount') ?? 0;
      const ratio = periods > 0 ? throttled / periods : 0;
      return ratio > THROTTLED_RATIO ? [{ row, ratio }] : [];
    });
    const last = stopped.at(-1);
    if (last === undefined) return [];
    const measurement = measurementOf(last.row, input)!;
    const quota = counterOf(measurement, 'cgroup', 'cpuSeconds')?.capacity;
    const used = counterRate(last.row, input, 'cgroup', 'cpuSeconds');
    const evidence: Evidence[] = stopped.map(({ row, ratio }) =>
      stepEvidence(
        row,
        'throttledPeriodRatio',
        ratio,
        'ratio',
        `stopped in ${percentText(ratio)} of the periods`,
      ),
    );
    if (quota !== undefined && used !== undefined) {
      const text = `the group uses ${figure(used)} of the ${figure(quota)} cores it may`;
      evidence.push(stepEvidence(last.row, 'cpuSeconds', used, 'ratio', text));
    }
    const isQuota = quota === undefined ? '' : ` of ${figure(quota)} cores`;
    return [
      {
        ruleId: 'cpu-throttled',
        claim: `the CPU quota${isQuota} stops the service from ${loadText(stopped[0]!.row)} on, in ${percentText(last.ratio)} of the periods at ${loadText(last.row)}`,
        confidence: stopped.some(({ ratio }) => ratio >= CERTAIN_RATIO) ? 'high' : 'medium',
        resource: 'cgroup',
        evidence,
        counterEvidence: [],
        nextExperiment: 'twice the quota (cpu.max, --cpus): if throughput rises, it was the limit',
        experiment: {
          kind: 'double-load',
          stepIndex: last.row.index,
          reads: { quantity: 'throughputPerSecond' },
          supports: { atMost: 1.15 },
          refutes: { atLeast: 1.4 },
        },
      },
    ];
  },
};
