import type { Evidence, StepRow } from '../../model/analysis.ts';
import { binsOf } from '../../stats/histogram.ts';
import { figure, loadText, percentText } from '../../stats/wording.ts';
import type { DiagnosisInput, DiagnosisRule } from './rule.ts';
import { counterRate, measurementOf, risingRows } from './step-counters.ts';
import { stepEvidence } from './threshold-rule.ts';

/** Linux sends a SYN again after 1 s, then 3 and 7 s (RFC 6298: 1 s, doubled). */
const RETRY_SECONDS = [1, 3, 7] as const;
const RETRY_WIDTH_SECONDS = 0.25;
/** Answers that took a retry; and how rare what lies before and after must be beside them, or they are a long tail. */
const RETRY_SHARE = 0.005;
const VALLEY_SHARE = 0.3;
const OVERFLOWS_PER_SECOND = 0.5;

/**
 * Connections that find the accept queue full: the client's SYN is dropped and sent again after 1, 3 or 7 s, so that
 * response times have modes there with a valley before, and the kernel counts the overflows. Overflows are counted for
 * all listening sockets of the machine; with the modes beside them they are this one's.
 */
export const acceptBacklog: DiagnosisRule = {
  id: 'accept-backlog',
  examine: (input) => {
    const found = risingRows(input).flatMap((row) => {
      const modes = retryEvidence(row, input);
      return modes.length === 0 ? [] : [{ row, evidence: [...modes, ...overflowEvidence(row, input)] }];
    });
    const last = found.at(-1);
    if (last === undefined) return [];
    const counted = found.some(({ evidence }) => evidence.length > 1);
    return [
      {
        ruleId: 'accept-backlog',
        claim: `new connections wait for a place in the accept queue from ${loadText(found[0]!.row)} on: their first packet is dropped and sent again a second later`,
        confidence: counted ? 'high' : found.length > 1 ? 'medium' : 'low',
        resource: 'connections',
        evidence: found.flatMap(({ evidence }) => evidence),
        counterEvidence: [],
        nextExperiment:
          'a longer backlog (listen(2), net.core.somaxconn) or connections that are kept: the mode at 1 s vanishes',
        experiment: {
          kind: 'light-load',
          stepIndex: last.row.index,
          reads: { quantity: 'p95Seconds' },
          supports: { atMost: 0.5 },
          refutes: { atLeast: 0.8 },
        },
      },
    ];
  },
};

function retryEvidence(row: StepRow, input: DiagnosisInput): Evidence[] {
  const measurement = measurementOf(row, input);
  if (measurement === undefined || measurement.responseTime.totalCount === 0) return [];
  const bins = [...binsOf(measurement.responseTime)];
  const countIn = (from: number, to: number): number =>
    bins
      .filter(({ lowSeconds }) => lowSeconds >= from && lowSeconds < to)
      .reduce((sum, { count }) => sum + count, 0);
  const late = RETRY_SECONDS.reduce((sum, at) => sum + countIn(at - 0.01, at + RETRY_WIDTH_SECONDS), 0);
  const before = countIn(1 - 2 * RETRY_WIDTH_SECONDS, 1 - 0.01);
  const after = countIn(1 + RETRY_WIDTH_SECONDS, 1 + 3 * RETRY_WIDTH_SECONDS);
  const share = late / measurement.responseTime.totalCount;
  if (late < 2 || share < RETRY_SHARE || Math.max(before, after) > VALLEY_SHARE * late) return [];
  const text = `${percentText(share)} of the answers take 1, 3 or 7 s, and hardly any a little less,`;
  return [stepEvidence(row, 'retriedShareRatio', share, 'ratio', text)];
}

function overflowEvidence(row: StepRow, input: DiagnosisInput): Evidence[] {
  const rate = counterRate(row, input, 'listener', 'listenOverflowCount') ?? 0;
  if (rate < OVERFLOWS_PER_SECOND) return [];
  return [
    stepEvidence(
      row,
      'listenOverflowsPerSecond',
      rate,
      'perSecond',
      `${figure(rate)} overflows of the accept queue a second`,
    ),
  ];
}
