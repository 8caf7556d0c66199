import type { Evidence, StepRow } from '../../model/analysis.ts';
import type { HistogramData } from '../../model/histogram.ts';
import type { StepMeasurement } from '../../model/measurement.ts';
import { binsOf, percentileOf } from '../../stats/histogram.ts';
import { figure, loadText, percentText, secondsText } from '../../stats/wording.ts';
import type { DiagnosisInput, DiagnosisRule } from './rule.ts';
import { counterRate, measurementOf, risingRows } from './step-counters.ts';
import { stepEvidence } from './threshold-rule.ts';

/** Linux sends a SYN again after 1 s, then 3 and 7 s (RFC 6298: 1 s, doubled). */
const RETRY_SECONDS = [1, 3, 7] as const;
const RETRY_WIDTH_SECONDS = 0.25;
/** Answers that took a retry; and how rare what lies before and after must be beside them, or they are a long tail. */
const RETRY_SHARE = 0.005;
const VALLEY_SHARE = 0.3;
const TURNED_AWAY_PER_SECOND = 0.5;

/**
 * Connections that find the accept queue full: the client's SYN is dropped and sent again after 1, 3 or 7 s, so that
 * response times have modes there with a valley before. Slow answers can have such modes too, and the drain of a spike
 * passes through them: something of the connections themselves must speak for it, overflows or drops that the kernel
 * counts for the listening sockets, connect times with the same modes, or packets sent again. In a step that is not
 * meant to be steady it takes the connect times.
 */
export const acceptBacklog: DiagnosisRule = {
  id: 'accept-backlog',
  examine: (input) => {
    const found = risingRows(input).flatMap((row) => examineStep(row, input) ?? []);
    const last = found.at(-1);
    if (last === undefined) return [];
    const isSure = found.some(({ isOfConnections }) => isOfConnections);
    return [
      {
        ruleId: 'accept-backlog',
        claim: `new connections wait for a place in the accept queue from ${loadText(found[0]!.row)} on: their first packet is dropped and sent again a second later`,
        confidence: isSure ? 'high' : found.length > 1 ? 'medium' : 'low',
        resource: 'connections',
        evidence: found.flatMap(({ evidence }) => evidence),
        counterEvidence: counterEvidence(last.row, input),
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

interface FullQueue {
  readonly row: StepRow;
  readonly evidence: readonly Evidence[];
  /** It shows in the listening sockets or the connect times, not only in packets of the whole machine. */
  readonly isOfConnections: boolean;
}

function examineStep(row: StepRow, input: DiagnosisInput): FullQueue | undefined {
  const measurement = measurementOf(row, input);
  const answers = retriedShare(measurement?.responseTime);
  if (measurement === undefined || answers === undefined) return undefined;
  const slow = stepEvidence(
    row,
    'retriedShareRatio',
    answers,
    'ratio',
    `${percentText(answers)} of the answers take 1, 3 or 7 s, and hardly any a little less,`,
  );
  const connects = connectEvidence(row, measurement);
  if (measurement.step.part?.isTransient && connects.length === 0) return undefined;
  const own = [...connects, ...turnedAwayEvidence(row, input)];
  const evidence = own.length > 0 ? own : resentEvidence(row, input);
  if (evidence.length === 0) return undefined;
  return { row, evidence: [slow, ...evidence], isOfConnections: own.length > 0 };
}

/** The share of times at 1, 3 or 7 s; undefined where they are few, or no mode of their own. */
function retriedShare(times: HistogramData | undefined): number | undefined {
  if (times === undefined || times.totalCount === 0) return undefined;
  const bins = [...binsOf(times)];
  const countIn = (from: number, to: number): number =>
    bins
      .filter(({ lowSeconds }) => lowSeconds >= from && lowSeconds < to)
      .reduce((sum, { count }) => sum + count, 0);
  const late = RETRY_SECONDS.reduce((sum, at) => sum + countIn(at - 0.01, at + RETRY_WIDTH_SECONDS), 0);
  const before = countIn(1 - 2 * RETRY_WIDTH_SECONDS, 1 - 0.01);
  const after = countIn(1 + RETRY_WIDTH_SECONDS, 1 + 3 * RETRY_WIDTH_SECONDS);
  const share = late / times.totalCount;
  if (late < 2 || share < RETRY_SHARE || Math.max(before, after) > VALLEY_SHARE * late) return undefined;
  return share;
}

function connectEvidence(row: StepRow, { transport }: StepMeasurement): Evidence[] {
  const share = retriedShare(transport?.connectTime);
  if (share === undefined) return [];
  const text = `${percentText(share)} of the connections take 1, 3 or 7 s to stand`;
  return [stepEvidence(row, 'retriedConnectRatio', share, 'ratio', text)];
}

function turnedAwayEvidence(row: StepRow, input: DiagnosisInput): Evidence[] {
  const overflows = counterRate(row, input, 'listener', 'listenOverflowCount') ?? 0;
  const drops = counterRate(row, input, 'listener', 'listenDropCount') ?? 0;
  if (Math.max(overflows, drops) < TURNED_AWAY_PER_SECOND) return [];
  const [quantity, rate, what] =
    overflows >= TURNED_AWAY_PER_SECOND
      ? (['listenOverflowsPerSecond', overflows, 'overflows of the accept queue'] as const)
      : (['listenDropsPerSecond', drops, 'connections dropped at listening sockets'] as const);
  return [stepEvidence(row, quantity, rate, 'perSecond', `${figure(rate)} ${what} a second`)];
}

function resentEvidence(row: StepRow, input: DiagnosisInput): Evidence[] {
  const rate = counterRate(row, input, 'machine', 'retransmitCount') ?? 0;
  if (rate < TURNED_AWAY_PER_SECOND) return [];
  const text = `${figure(rate)} packets sent again a second on the machine`;
  return [stepEvidence(row, 'retransmitsPerSecond', rate, 'perSecond', text)];
}

/** What does not fit, or is not this service's alone. */
function counterEvidence(row: StepRow, input: DiagnosisInput): Evidence[] {
  const measurement = measurementOf(row, input)!;
  const connectTime = measurement.transport?.connectTime;
  const p99 = connectTime === undefined ? undefined : percentileOf(connectTime, 99);
  const quick =
    p99 !== undefined && p99 < RETRY_SECONDS[0]
      ? [
          stepEvidence(
            row,
            'connectP99Seconds',
            p99,
            'seconds',
            `99 % of the connections stand within ${secondsText(p99)}`,
          ),
        ]
      : [];
  const turnedAway = turnedAwayEvidence(row, input);
  const shared = turnedAway.map((one) => ({
    ...one,
    text: 'overflows and drops are counted for all listening sockets of the machine together',
  }));
  const overflows = counterRate(row, input, 'listener', 'listenOverflowCount');
  const none =
    turnedAway.length === 0 && overflows !== undefined
      ? [
          stepEvidence(
            row,
            'listenOverflowsPerSecond',
            overflows,
            'perSecond',
            'the accept queue hardly overflowed',
          ),
        ]
      : [];
  return [...quick, ...shared, ...none];
}
