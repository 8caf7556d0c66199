import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diagnosisInput } from '../../../test/support/diagnosis-input.ts';
import { cumulative, histogramOf } from '../../../test/support/measurements.ts';
import { stepMeasurement } from '../../../test/support/step-measurement.ts';
import { stepRow } from '../../../test/support/step-rows.ts';
import { pauses } from './pauses.ts';

/** Ten seconds at 400 answers a second, and gaps of so many seconds among them. */
const examine = (gaps: readonly number[], waitRatio = 0, generatorDelaySeconds = 0, diskBusyRatio = 0) => {
  const quick = Array.from({ length: 4000 }, () => 0.002);
  const steps = [0, 1, 2].map((index) =>
    stepMeasurement(index, {
      windowSeconds: 10,
      answerGap: histogramOf([...quick, ...gaps]),
      counters: [
        cumulative('process', 'runQueueWaitSeconds', waitRatio, 10),
        cumulative('process', 'writtenBytes', 2e6, 10),
      ],
      generator: {
        ...stepMeasurement(0).generator,
        scheduleLag: histogramOf(quick.map(() => generatorDelaySeconds)),
        eventLoopDelayMaxSeconds: generatorDelaySeconds,
      },
    }),
  );
  const rows = steps.map((_, index) => stepRow({ index, users: 10 + index, diskBusyRatio }));
  return pauses.examine(diagnosisInput(rows, { measurements: steps }));
};

const FIVE_PAUSES = [0.08, 0.08, 0.08, 0.08, 0.08];

test('five times 80 ms without an answer, where 32 would have come, are pauses', () => {
  const [finding] = examine(FIVE_PAUSES);
  assert.equal(finding!.confidence, 'high');
  assert.match(
    finding!.claim,
    /still for about (79|80)(\.\d)? ms again and again, (3|4)(\.\d*)? % of the time/,
  );
});

test('gaps in which four answers are missing are chance', () => {
  assert.deepEqual(examine(Array.from({ length: 60 }, () => 0.01)), []);
});

test('a generator that was late itself, and a process without a core, explain the stillness', () => {
  assert.deepEqual(examine(FIVE_PAUSES, 0, 0.07), []);
  assert.equal(examine(FIVE_PAUSES, 0.5)[0]!.confidence, 'low');
});

test('stretches in which each request waits for the disk are the disk’s', () => {
  const [finding] = examine(FIVE_PAUSES, 0, 0, 0.7);
  assert.equal(finding!.confidence, 'low');
  assert.match(finding!.counterEvidence[0]!.text, /the disk is busy, or waited for, 70 % of the time/);
});
