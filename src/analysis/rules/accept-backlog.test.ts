import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diagnosisInput } from '../../../test/support/diagnosis-input.ts';
import { cumulative, histogramOf } from '../../../test/support/measurements.ts';
import { stepMeasurement } from '../../../test/support/step-measurement.ts';
import { stepRow } from '../../../test/support/step-rows.ts';
import { acceptBacklog } from './accept-backlog.ts';

const QUICK = Array.from({ length: 500 }, (_, i) => 0.002 + (i % 7) * 1e-3);

const examine = (slow: readonly number[], overflowsPerSecond = 0) => {
  const measurements = [0, 1].map((index) =>
    stepMeasurement(index, {
      responseTime: histogramOf([...QUICK, ...slow]),
      counters: [cumulative('listener', 'listenOverflowCount', overflowsPerSecond, 10)],
    }),
  );
  const rows = measurements.map((_, index) => stepRow({ index, users: 8 * (index + 1) }));
  return acceptBacklog.examine(diagnosisInput(rows, { measurements }));
};

const RETRIED = [1.01, 1.02, 1.03, 1.05, 1.1, 3.02];

test('answers at 1 and 3 s with nothing between are SYNs sent again; overflows make it sure', () => {
  assert.equal(examine(RETRIED, 4)[0]!.confidence, 'high');
  assert.equal(examine(RETRIED)[0]!.confidence, 'medium');
});

test('a long tail that passes through 1 s is none, nor are overflows of another port', () => {
  assert.deepEqual(examine([0.6, 0.7, 0.8, 0.9, 1.05, 1.1, 1.3, 1.4]), []);
  assert.deepEqual(examine([], 40), []);
});
