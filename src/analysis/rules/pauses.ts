import type { Finding, StepRow } from '../../model/analysis.ts';
import { binsOf, percentileOf } from '../../stats/histogram.ts';
import { figure, percentText, secondsText } from '../../stats/wording.ts';
import { ownCollections } from './own-figures.ts';
import { oneLaneBridge } from './one-lane-bridge.ts';
import { diskEvidence } from './plateau-device.ts';
import type { DiagnosisInput, DiagnosisRule } from './rule.ts';
import { cpuWaitRatio, measurementOf, risingRows } from './step-counters.ts';
import { stepEvidence } from './threshold-rule.ts';

/** So many answers would have come in a gap by the step's own rate: none came, so all stood still. */
const ANSWERS_MISSED = 8;
const LEAST_PAUSE_SECONDS = 0.02;
/** Over all steps; once or twice happens on any machine. */
const LEAST_COUNT = 4;
/** Still for a smaller share of the time is noise of any machine; for a larger one it is no pause but the rule. */
const SHARE_RATIO = [0.02, 0.5] as const;
/** The generator's own delay explains gaps of its length. */
const GENERATOR_SHARE = 0.5;
/** A process that waits for a core so much of the time is stopped by others. */
const STARVED_RATIO = 0.3;

interface Still {
  readonly row: StepRow;
  readonly count: number;
  readonly seconds: number;
  readonly longestSeconds: number;
  readonly shareRatio: number;
}

/**
 * Pauses that stop everything (collections, a blocked event loop, a timer's work): stretches with requests in flight
 * and no answer to any route, in which eight or more would have come at the step's rate (a Poisson chance of
 * e⁻⁸), for 2–50 % of the time. A bridge, whose slow route explains such stretches, a generator that was late itself,
 * a process without a core and a disk that all wait for speak against it. After DynamicSpotter's hiccups (Wert 2015), which cluster.
 */
export const pauses: DiagnosisRule = {
  id: 'pauses',
  examine: (input) => {
    const still = risingRows(input).flatMap((row) => stillAt(row, input));
    const count = still.reduce((sum, one) => sum + one.count, 0);
    if (still.length < 2 || count < LEAST_COUNT || hasBridge(input)) return [];
    return [findingOf(still, input)];
  },
};

const hasBridge = (input: DiagnosisInput): boolean =>
  oneLaneBridge.examine(input).some(({ confidence }) => confidence !== 'low');

function stillAt(row: StepRow, input: DiagnosisInput): Still[] {
  const measurement = measurementOf(row, input);
  if (measurement?.answerGap === undefined) return [];
  const perSecond = measurement.answerGap.totalCount / measurement.windowSeconds;
  const least = Math.max(LEAST_PAUSE_SECONDS, ANSWERS_MISSED / perSecond);
  const { generator } = measurement;
  if (generator === undefined) return [];
  const ownDelay = generator.eventLoopDelayMaxSeconds;
  const long = [...binsOf(measurement.answerGap)].filter(({ lowSeconds }) => lowSeconds > least);
  const count = long.reduce((sum, bin) => sum + bin.count, 0);
  const seconds = long.reduce((sum, bin) => sum + (bin.count * (bin.lowSeconds + bin.highSeconds)) / 2, 0);
  const shareRatio = seconds / measurement.windowSeconds;
  const meanSeconds = seconds / Math.max(1, count);
  if (count === 0 || shareRatio < SHARE_RATIO[0] || shareRatio > SHARE_RATIO[1]) return [];
  const late = percentileOf(generator.scheduleLag, 99) ?? 0;
  if (Math.min(ownDelay, late) > GENERATOR_SHARE * meanSeconds) return [];
  return [
    { row, count, seconds, shareRatio, longestSeconds: measurement.answerGap.maxSeconds ?? meanSeconds },
  ];
}

function findingOf(still: readonly Still[], input: DiagnosisInput): Finding {
  const worst = still.reduce((most, one) => (one.shareRatio > most.shareRatio ? one : most));
  const meanSeconds = worst.seconds / worst.count;
  const disk = diskEvidence(
    still.map(({ row }) => row),
    input,
  );
  const starved = still.filter(({ row }) => cpuWaitRatio(row, input) > STARVED_RATIO);
  return {
    ruleId: 'pauses',
    claim: `everything stands still for about ${secondsText(meanSeconds)} again and again, ${percentText(worst.shareRatio)} of the time: no route is answered meanwhile`,
    confidence: starved.length > 0 || disk.length > 0 ? 'low' : still.length > 2 ? 'high' : 'medium',
    resource: 'process',
    evidence: [
      ...still.map(({ row, count, shareRatio, longestSeconds }) =>
        stepEvidence(
          row,
          'stillRatio',
          shareRatio,
          'ratio',
          `${count} stretches without an answer, ${percentText(shareRatio)} of the time, the longest ${secondsText(longestSeconds)},`,
        ),
      ),
      ...ownCollections(worst.row, input),
    ],
    counterEvidence: [
      ...starved.map(({ row }) => {
        const wait = cpuWaitRatio(row, input);
        return stepEvidence(
          row,
          'runQueueWaitRatio',
          wait,
          'ratio',
          `the process waits for a core ${figure(wait)} s a second`,
        );
      }),
      ...disk,
    ],
    nextExperiment:
      'one user: the pauses stay if a timer or the collector makes them; then trace collections and the event loop',
    experiment: {
      kind: 'light-load',
      stepIndex: worst.row.index,
      reads: { quantity: 'p95Seconds' },
      supports: { atLeast: 0.5 },
      refutes: { atMost: 0.2 },
    },
  };
}
