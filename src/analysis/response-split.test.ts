import assert from 'node:assert/strict';
import test from 'node:test';
import { diagnosisInput } from '../../test/support/diagnosis-input.ts';
import { stepMeasurement } from '../../test/support/step-measurement.ts';
import { stepRow } from '../../test/support/step-rows.ts';
import type { CounterSeries } from '../model/measurement.ts';
import { cacheNotices } from './cache-notices.ts';
import { responseSplits } from './response-split.ts';
import { responseSplit } from './rules/response-split.ts';

const series = (
  quantity: string,
  kind: CounterSeries['kind'],
  points: CounterSeries['points'],
  label?: string,
): CounterSeries => ({ source: 'stats', quantity, unit: 'seconds', kind, points, ...(label && { label }) });

const step = (index: number, clientP50Seconds: number, counters: readonly CounterSeries[]) => ({
  row: stepRow({ index, users: index + 1, overall: { p50Seconds: clientP50Seconds } }),
  measurement: stepMeasurement(index, { startedAtSeconds: 10, counters }),
});

test('the service’s median of a step is the mean of its seconds, weighted by requests, without the warm-up', () => {
  const { row, measurement } = step(0, 0.05, [
    series('serviceTimeP50Seconds', 'gauge', [
      [9.8, 9],
      [10.8, 0.04],
      [11.8, 0.06],
    ]),
    series('serviceTimeCount', 'cumulative', [
      [9.8, 0],
      [10.8, 300],
      [11.8, 400],
    ]),
  ]);
  const [split] = responseSplits([row], [measurement]);
  assert.ok(Math.abs(split!.serviceP50Seconds - 0.045) < 1e-12);
  assert.ok(Math.abs(split!.insideRatio - 0.9) < 1e-12);
});

test('a median that the service works out over a time of its own is taken as it stood last', () => {
  const { row, measurement } = step(0, 0.05, [
    series(
      'serviceTimeP50Seconds',
      'gauge',
      [
        [10.8, 0.01],
        [11.8, 0.02],
      ],
      'as the service tells it',
    ),
  ]);
  assert.equal(responseSplits([row], [measurement])[0]!.serviceP50Seconds, 0.02);
});

const told = (own: number): readonly CounterSeries[] => [
  series('serviceTimeP50Seconds', 'gauge', [[11, own]], 'as the service tells it'),
];
const PLACES: readonly (readonly [string, number, number, RegExp | undefined])[] = [
  ['a service that counts the wait itself has it inside', 0.2, 0.196, /goes by inside the service/],
  ['a service that counts a twentieth of the wait has it before it', 0.2, 0.01, /goes by between client and/],
  ['half and half is said to be both', 0.2, 0.13, /partly inside/],
  ['without a wait there is nothing to place', 0.012, 0.011, undefined],
];
for (const [title, client, own, claim] of PLACES) {
  test(title, () => {
    const steps = [step(0, 0.01, told(0.0095)), step(1, client, told(own))];
    const input = diagnosisInput(
      steps.map(({ row }) => row),
      { measurements: steps.map(({ measurement }) => measurement) },
    );
    const [finding] = responseSplit.examine(input);
    if (claim === undefined) assert.equal(finding, undefined);
    else assert.match(finding!.claim, claim);
  });
}

test('a hit ratio that falls by more than five points with the load is an alert, one that rises is none', () => {
  const rows = (...ratios: readonly number[]) =>
    ratios.map((cacheHitRatio, index) => stepRow({ index, users: index + 1, cacheHitRatio }));
  assert.deepEqual(cacheNotices(rows(0.2, 0.9, 0.95)), []);
  assert.deepEqual(cacheNotices(rows(0.95, 0.91)), []);
  assert.match(cacheNotices(rows(0.2, 0.95, 0.7))[0]!.message, /95 % .* at 2 users, and 70 % at 3 users/);
});
