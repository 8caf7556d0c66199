import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diagnosisInput } from '../../../test/support/diagnosis-input.ts';
import { stepMeasurement } from '../../../test/support/step-measurement.ts';
import { stepRow } from '../../../test/support/step-rows.ts';
import type { LoadPlan } from '../../model/load.ts';
import { slowRecovery } from './slow-recovery.ts';

const plan: LoadPlan = { seed: 1, shape: 'spike', requests: [], requestTimeoutSeconds: 10, steps: [] };

/** Five seconds each of 20/s, 130/s and 20/s on a service of 100/s; the backlog gone after so many seconds. */
const examine = (drainSeconds: number) => {
  const step = (index: number, rate: number, okCount: number, inFlight: (second: number) => number) =>
    stepMeasurement(index, {
      step: {
        index,
        label: '',
        driver: { kind: 'open', arrivalRatePerSecond: rate, arrivals: 'poisson', maxInFlight: 1000 },
        warmupSeconds: 0,
        measureSeconds: 10,
      },
      startedAtSeconds: 10 * index,
      windowSeconds: 10,
      completionCount: 10 * okCount,
      slices: Array.from({ length: 10 }, (_, second) => ({
        atSeconds: 10 * index + second,
        durationSeconds: 1,
        okCount,
        errorCount: 0,
        timeoutCount: 0,
        meanInFlight: inFlight(second),
      })),
    });
  const measurements = [
    step(0, 20, 20, () => 0.2),
    step(1, 130, 100, (second) => 30 * second),
    step(2, 20, 60, (second) => (second < drainSeconds ? 300 - second : 0.2)),
  ];
  const rows = measurements.map(({ step: { index } }) => stepRow({ index, arrivalRatePerSecond: 20 }));
  return slowRecovery.examine(diagnosisInput(rows, { measurements, plan }));
};

test('a backlog of 300 drains in 3.75 s at 80/s; not in 10 s is no recovery', () => {
  // (130 − 100)·10/(100 − 20) = 3.75.
  const [finding] = examine(99);
  assert.match(finding!.claim, /is not gone after 10 s where its size gives 3\.75 s/);
  assert.equal(finding!.confidence, 'high');
});

test('a backlog that drains as its size says is none of this', () => {
  assert.deepEqual(examine(4), []);
  assert.deepEqual(examine(8), []);
});
