import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stepMeasurement } from '../../test/support/step-measurement.ts';
import type { Slice } from '../model/measurement.ts';
import { createRandom, drawNormal } from '../stats/random.ts';
import { steadyStateNotices } from './steady-state.ts';
import { stepTable } from './step-table.ts';

/** One slice a second: 100 completions and 50 ms, times what the case says, with correlated noise. */
function slices(
  seconds: number,
  seed: number,
  options: {
    readonly throughput?: (second: number) => number;
    readonly response?: (second: number) => number;
    readonly phi?: number;
    readonly perSecond?: number;
  } = {},
): Slice[] {
  const { throughput = () => 1, response = () => 1, phi = 0.5, perSecond = 100 } = options;
  const random = createRandom(seed);
  let busy = 0;
  return Array.from({ length: seconds }, (_, second) => {
    busy = phi * busy + Math.sqrt(1 - phi ** 2) * drawNormal(random);
    return {
      atSeconds: 1000 + second,
      durationSeconds: 1,
      okCount: Math.max(0, Math.round(perSecond * (throughput(second) + 0.05 * drawNormal(random)))),
      errorCount: 0,
      timeoutCount: 0,
      meanInFlight: 5,
      meanResponseTimeSeconds: Math.max(0.001, 0.05 * (response(second) + 0.1 * busy)),
    };
  });
}

const codes = (of: readonly Slice[]): string[] =>
  steadyStateNotices(stepMeasurement(0, { slices: of })).map(({ code }) => code);

test('steady windows of a minute are called unsteady in at most 2 % of 300, in 7 % where they are worth six samples', () => {
  for (const [phi, share] of [
    [0, 0.02],
    [0.5, 0.02],
    [0.8, 0.07],
  ] as const) {
    let called = 0;
    for (let seed = 0; seed < 300; seed += 1) if (codes(slices(60, seed, { phi })).length > 0) called += 1;
    assert.ok(called <= 300 * share, `φ ${phi}: ${called} of 300`);
  }
});

test('a service that settles within the window says after how long, and the warm-up it needs', () => {
  const cold = slices(60, 1, { response: (second) => (second < 15 ? 2.5 : 1) });
  const [notice, ...others] = steadyStateNotices(stepMeasurement(0, { slices: cold }));
  assert.deepEqual(others, []);
  assert.equal(notice!.code, 'warm-up-too-short');
  assert.equal(notice!.severity, 'warning');
  const after = Number(/settled only ([\d.]+) s/.exec(notice!.message)![1]);
  assert.ok(Math.abs(after - 15) <= 2, notice!.message);
  assert.match(notice!.advice!, /warm-up of at least/);
});

test('a level that changes in the second half, or drifts all along, is no steady state', () => {
  assert.deepEqual(codes(slices(60, 2, { response: (second) => (second < 45 ? 1 : 3) })), [
    'no-steady-state',
  ]);
  assert.deepEqual(codes(slices(60, 3, { throughput: (second) => (second < 40 ? 1 : 0.5) })), [
    'no-steady-state',
  ]);
  assert.deepEqual(codes(slices(120, 4, { response: (second) => 1 + second / 40 })), ['no-steady-state']);
});

test('too few completions to tell are no reason to speak', () => {
  assert.deepEqual(codes(slices(60, 5, { perSecond: 2, response: (second) => 1 + second })), []);
  assert.deepEqual(codes([]), []);
});

test('the step table carries the notice, and the step stays valid', () => {
  const unsteady = slices(60, 2, { response: (second) => (second < 45 ? 1 : 3) });
  const [row] = stepTable([stepMeasurement(0, { slices: unsteady })]);
  assert.ok(row!.notices.some(({ code, where }) => code === 'no-steady-state' && where !== undefined));
});
