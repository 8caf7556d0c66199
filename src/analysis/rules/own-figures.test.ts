import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diagnosisInput } from '../../../test/support/diagnosis-input.ts';
import { cumulative } from '../../../test/support/measurements.ts';
import { stepMeasurement } from '../../../test/support/step-measurement.ts';
import { stepRow } from '../../../test/support/step-rows.ts';
import { ownCollections, ownLockFigures, ownPoolFigures } from './own-figures.ts';

const row = stepRow({ index: 0, users: 32 });
const input = diagnosisInput([row], {
  measurements: [
    stepMeasurement(0, {
      counters: [
        cumulative('prometheus', 'lockHeldSeconds', 0.97, 10, 1),
        cumulative('prometheus', 'collectorPauseSeconds', 0.08, 10),
        {
          source: 'stats',
          quantity: 'poolInUse',
          unit: 'count',
          kind: 'gauge',
          capacity: 8,
          points: [
            [0, 8],
            [1, 8],
          ],
        },
      ],
    }),
  ],
});

test('what the service counts of itself stands among the evidence', () => {
  const texts = [ownLockFigures([row], input), ownPoolFigures([row], input), ownCollections(row, input)].map(
    ([evidence]) => evidence!.text,
  );
  assert.deepEqual(texts, [
    'by its own count the lock is held 97 % of the time at 32 users',
    'the service counts 8 of 8 places in use at 32 users',
    'by its own count the service collects garbage 8 % of the time at 32 users',
  ]);
});

test('a service that counts nothing adds nothing', () => {
  const silent = diagnosisInput([row], { measurements: [stepMeasurement(0)] });
  assert.deepEqual(
    [ownLockFigures([row], silent), ownPoolFigures([row], silent), ownCollections(row, silent)].flat(),
    [],
  );
});
