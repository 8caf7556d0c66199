import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diagnosisInput } from '../../../test/support/diagnosis-input.ts';
import { cumulative } from '../../../test/support/measurements.ts';
import { stepMeasurement } from '../../../test/support/step-measurement.ts';
import { stepRow } from '../../../test/support/step-rows.ts';
import { memoryPressure } from './memory-pressure.ts';

/** Two steps with rates a second; no service can be made to swap here, so that its counters are constructed. */
const examine = (rates: { faults: number; pressure?: number; swappedIn?: number }) => {
  const counters = [
    cumulative('process', 'majorFaultCount', rates.faults, 10),
    cumulative('machine', 'memoryPressureSeconds', rates.pressure ?? 0, 10, 1),
    cumulative('machine', 'swappedInBytes', rates.swappedIn ?? 0, 10),
  ];
  const rows = [stepRow({ index: 0, users: 10 }), stepRow({ index: 1, users: 20 })];
  const measurements = [0, 1].map((index) => stepMeasurement(index, { counters }));
  return memoryPressure.examine(diagnosisInput(rows, { measurements }));
};

test('a service that swaps: faults, pages swapped in and pressure name memory', () => {
  const [finding, ...others] = examine({ faults: 300, pressure: 0.4, swappedIn: 4e6 });
  assert.deepEqual(others, []);
  assert.equal(finding!.confidence, 'high');
  assert.match(finding!.claim, /short from 10 users on: the process waits for 300 pages a second/);
  assert.match(finding!.evidence.map(({ text }) => text).join(), /4 MB a second swapped in/);
});

test('faults alone are a file that is read for the first time: a hint', () => {
  assert.equal(examine({ faults: 300 })[0]!.confidence, 'low');
});

test('swapping of others, which this process does not wait for, is not its limit', () => {
  assert.deepEqual(examine({ faults: 2, pressure: 0.6, swappedIn: 9e6 }), []);
});
