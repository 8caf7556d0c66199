import assert from 'node:assert/strict';
import { test } from 'node:test';
import { near } from '../../test/support/truth.ts';
import { createRandom, drawNormal } from '../stats/random.ts';
import { driftOf } from './drift.ts';
import type { SoakSeries } from './drift.ts';

/** An hour in seconds, one point every ten. */
function soak(of: (seconds: number) => number, noise: number, seed = 1): SoakSeries['points'] {
  const random = createRandom(seed);
  return Array.from({ length: 360 }, (_, i) => [10 * i, of(10 * i) + noise * drawNormal(random)] as const);
}

test('a leak of 10 kB/s is a leak, with its slope and the time to the limit', () => {
  const drift = driftOf({
    quantity: 'rssBytes',
    read: 'lowest',
    points: soak((t) => 100e6 + 10e3 * t, 2e6),
    limit: 256e6,
  })!;
  assert.equal(drift.drifts, true);
  assert.equal(drift.shape, 'leak');
  near(drift.slopePerSecond, 10e3, 0.05, 'slope');
  const { expected, low, high } = drift.secondsToLimit!;
  near(expected, (256e6 - 136e6) / 10e3, 0.06, 'seconds to the limit');
  assert.ok(low < expected && expected < high!);
});

test('a cache that fills rises too, and is told from a leak', () => {
  const points = soak((t) => 100e6 + 50e6 * (1 - Math.exp(-t / 600)), 1e6);
  const drift = driftOf({ quantity: 'rssBytes', read: 'lowest', points })!;
  assert.equal(drift.drifts, true);
  assert.equal(drift.shape, 'fill');
});

test('the saw-tooth of a collector is no drift: the lowest values stay', () => {
  const points = soak((t) => 100e6 + 40e6 * ((t % 290) / 290), 1e5);
  assert.equal(driftOf({ quantity: 'rssBytes', read: 'lowest', points })!.drifts, false);
});

test('a few descriptors more are none; ten and a steady climb are', () => {
  const of = (perSecond: number): boolean =>
    driftOf({
      quantity: 'descriptorCount',
      read: 'lowest',
      leastRise: 10,
      points: soak((t) => 40 + Math.floor(perSecond * t), 0),
    })!.drifts;
  assert.equal(of(5 / 3600), false);
  assert.equal(of(60 / 3600), true);
});

test('throughput that falls is a drift without a shape', () => {
  const drift = driftOf({ quantity: 'throughput', read: 'median', points: soak((t) => 100 - t / 180, 2) })!;
  assert.equal(drift.drifts, true);
  assert.equal(drift.shape, undefined);
  near(drift.riseRatio, -0.19, 0.1, 'an hour takes a fifth away, between the middles of the outer blocks');
});

test('level soaks with correlated noise drift in at most 2 % of 150', () => {
  const random = createRandom(4);
  let called = 0;
  for (let run = 0; run < 150; run += 1) {
    let level = 0;
    const points = Array.from({ length: 360 }, (_, i) => {
      level = 0.8 * level + drawNormal(random);
      return [10 * i, 50 + 5 * level] as const;
    });
    if (driftOf({ quantity: 'p95', read: 'median', points })!.drifts) called += 1;
  }
  assert.ok(called <= 3, `${called} of 150`);
});

test('too few points are no basis', () => {
  assert.equal(driftOf({ quantity: 'p95', read: 'median', points: [[0, 1]] }), undefined);
});

test('memory that climbs from block to block drifts, also where what the line leaves is correlated', () => {
  // A leak by request under a load that changes slowly: no S of 24 blocks reaches p < 0.01 at that correlation.
  const leak = soak((t) => 100e6 + 60e3 * t + 10e6 * Math.sin((2 * Math.PI * t) / 3600), 0.1e6);
  const drift = driftOf({ quantity: 'rssBytes', read: 'lowest', points: leak })!;
  assert.ok(drift.pValue >= 0.01, `${drift.pValue}`);
  assert.equal(drift.climbs, true);
  assert.equal(drift.drifts, true);
});

test('of 300 level series with AR(1) noise of 0.95 from point to point, none is said to climb', () => {
  const random = createRandom(19);
  let climbing = 0;
  for (let i = 0; i < 300; i += 1) {
    let state = drawNormal(random) / Math.sqrt(1 - 0.95 ** 2);
    const points = Array.from({ length: 120 }, (_, t) => {
      state = 0.95 * state + drawNormal(random);
      return [t, 1000 + 10 * state] as const;
    });
    if (driftOf({ quantity: 'x', read: 'median', points })!.climbs === true) climbing += 1;
  }
  assert.equal(climbing, 0);
});
