import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cumulative, soundStep } from '../../../test/support/measurements.ts';
import { sampleRecord } from '../../../test/support/sample-record.ts';
import type { Prediction } from '../../model/prediction.ts';
import { driftSentence, lockDrift } from './lock-drift.ts';

const predictionOf = (lockSeconds: number): Prediction =>
  ({ serviceDemandSeconds: { cpu: 1e-3, lock: lockSeconds } }) as never;

/** A sweep whose lock was held for 0.6 s of each second of its first step. */
function sweepWith(heldPerSecond: number) {
  const step = soundStep({ counters: [cumulative('prometheus', 'lockHeldSeconds', heldPerSecond, 60)] });
  return { ...sampleRecord(), measurements: [step] };
}

test('the time that a request held the lock is what its own count says, over the completions of the step', () => {
  const record = sweepWith(0.6);
  const [{ completionCount, windowSeconds }] = record.measurements as [(typeof record.measurements)[number]];
  const each = (0.6 * windowSeconds) / completionCount;
  const drift = lockDrift(predictionOf(each / 3), record)!;
  assert.ok(Math.abs(drift.measuredSeconds / each - 1) < 1e-9);
  assert.ok(Math.abs(drift.ratio - 3) < 1e-9);
  assert.match(driftSentence(drift)!, /60 ms .* 20 ms .*× 3\)/);
  assert.equal(driftSentence(lockDrift(predictionOf(each * 1.05), record)!), undefined);
});

test('without a count of the lock, or a lock in the prediction, nothing is said', () => {
  assert.equal(
    lockDrift(predictionOf(1e-3), { ...sampleRecord(), measurements: [soundStep({})] }),
    undefined,
  );
  assert.equal(lockDrift({ serviceDemandSeconds: { cpu: 1e-3 } } as never, sweepWith(0.6)), undefined);
});
