import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diagnosisInput } from '../../../test/support/diagnosis-input.ts';
import { cumulative } from '../../../test/support/measurements.ts';
import { stepMeasurement } from '../../../test/support/step-measurement.ts';
import { stepRow } from '../../../test/support/step-rows.ts';
import { cpuThrottled } from './cpu-throttled.ts';

/** Ten periods of 100 ms a second, of which some were cut short. */
const examine = (throttledPerSecond: number) =>
  cpuThrottled.examine(
    diagnosisInput([stepRow({ index: 0, users: 8 })], {
      measurements: [
        stepMeasurement(0, {
          counters: [
            cumulative('cgroup', 'periodCount', 10, 10),
            cumulative('cgroup', 'throttledPeriodCount', throttledPerSecond, 10),
            cumulative('cgroup', 'cpuSeconds', 0.29, 10, 0.3),
          ],
        }),
      ],
    }),
  );

test('a group stopped in nine of ten periods is at its quota', () => {
  const [finding] = examine(9);
  assert.equal(finding!.confidence, 'high');
  assert.match(finding!.claim, /CPU quota of 0\.3 cores .* 90 % of the periods/);
});

test('one period in five is likely felt, one in twenty is not', () => {
  assert.equal(examine(2)[0]!.confidence, 'medium');
  assert.deepEqual(examine(0.5), []);
});
