import type { Evidence, StepRow } from '../../model/analysis.ts';
import { figure, loadText, percentText, secondsText } from '../../stats/wording.ts';
import { diskEvidence } from './plateau-device.ts';
import type { DiagnosisInput, DiagnosisRule } from './rule.ts';
import { cpuWaitRatio, loadValue, risingRows } from './step-counters.ts';
import { stepEvidence } from './threshold-rule.ts';

const DEMAND_GROWTH = 1.15;
const HIGH_ERROR_RATIO = 0.01;
/** A smaller loss is a flat curve. */
export const LEAST_LOSS = 0.15;
/** More waiting for a core than at the peak by this: others took it. */
const STARVED_BY = 0.2;

/**
 * More is less (Smith & Williams, 2002): throughput falls beyond its peak by more than its noise and 15 %. The CPU a
 * request costs, and its response time, beside the load say whether work itself grows (contention, collections,
 * caches pushed out) or only waiting. A process that got less of the machine at the higher load speaks against it.
 */
export const moreIsLess: DiagnosisRule = {
  id: 'more-is-less',
  examine: (input) => {
    const { degradation, peak } = input.analysis.knee;
    if (degradation === undefined || peak === undefined || degradation.lossRatio < LEAST_LOSS) return [];
    const rows = risingRows(input);
    const at = rows.find((row) => loadValue(row) === peak.load);
    const last = rows.at(-1);
    if (at === undefined || last === undefined || last.errorRatio > HIGH_ERROR_RATIO) return [];
    // A disk that others use as well is slower now and faster then.
    const beyond = rows.filter((row) => loadValue(row) > peak.load);
    if (diskEvidence(beyond, input).length > 0) return [];
    const counterEvidence = starvation(at, last, input);
    return [
      {
        ruleId: 'more-is-less',
        claim: `more load is less throughput: ${figure(peak.throughputPerSecond)}/s at ${loadText(at)}, ${figure(last.throughputPerSecond)}/s at ${loadText(last)}`,
        confidence: counterEvidence.length > 0 ? 'low' : 'high',
        resource: 'concurrency',
        evidence: [lossEvidence(last, degradation.lossRatio), ...demandGrowth(rows, last)],
        counterEvidence,
        nextExperiment: `admit fewer at once: at most ${figure(peak.load)} in flight, the rest waits outside`,
        experiment: {
          kind: 'double-load',
          stepIndex: last.index,
          reads: { quantity: 'throughputPerSecond' },
          supports: { atMost: 0.95 },
          refutes: { atLeast: 1.05 },
        },
      },
    ];
  },
};

const lossEvidence = (last: StepRow, lossRatio: number): Evidence =>
  stepEvidence(
    last,
    'lossRatio',
    lossRatio,
    'ratio',
    `throughput is ${percentText(lossRatio)} below its peak`,
  );

function demandGrowth(rows: readonly StepRow[], last: StepRow): Evidence[] {
  const demands = rows.flatMap((row) => row.serviceDemandSeconds['cpu'] ?? []);
  const to = last.serviceDemandSeconds['cpu'];
  const from = Math.min(...demands);
  if (to === undefined || to <= DEMAND_GROWTH * from) return [];
  const text = `a request costs ${secondsText(to)} of CPU, ${secondsText(from)} where it is cheapest,`;
  return [stepEvidence(last, 'serviceDemandSeconds.cpu', to, 'seconds', text)];
}

function starvation(peak: StepRow, last: StepRow, input: DiagnosisInput): Evidence[] {
  const [then, now] = [peak, last].map((row) => cpuWaitRatio(row, input));
  if (now! <= then! + STARVED_BY) return [];
  const text = `the process waits for a core ${percentText(now!)} of the time, ${percentText(then!)} at the peak: others use the machine`;
  return [stepEvidence(last, 'runQueueWaitRatio', now!, 'ratio', text)];
}
