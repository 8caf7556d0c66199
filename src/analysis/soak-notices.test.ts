import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stepMeasurement } from '../../test/support/step-measurement.ts';
import type { CounterSeries, Slice } from '../model/measurement.ts';
import { createRandom, drawNormal } from '../stats/random.ts';
import { soakNotices } from './soak-notices.ts';

/** Half an hour, a slice every five seconds, with the memory of the process. */
function soak(bytesPerSecond: number, slowdown: number) {
  const random = createRandom(2);
  const at = Array.from({ length: 360 }, (_, i) => 5 * i);
  const slices = at.map((atSeconds): Slice => ({
    atSeconds,
    durationSeconds: 5,
    okCount: Math.round(500 + 10 * drawNormal(random)),
    errorCount: 0,
    timeoutCount: 0,
    meanInFlight: 2,
    meanResponseTimeSeconds: 0.02 * (1 + slowdown * atSeconds + 0.05 * drawNormal(random)),
  }));
  const memory: CounterSeries = {
    source: 'process',
    quantity: 'rssBytes',
    unit: 'bytes',
    kind: 'gauge',
    capacity: 400e6,
    points: at.map((t) => [t, 100e6 + bytesPerSecond * t + 1e6 * drawNormal(random)]),
  };
  return stepMeasurement(0, { windowSeconds: 1800, slices, counters: [memory] });
}

test('a soak that leaks says how much an hour, and when the limit is reached', () => {
  const [notice, ...others] = soakNotices(soak(50e3, 0));
  assert.deepEqual(others, []);
  assert.equal(notice!.code, 'soak-leak');
  assert.match(notice!.message, /memory rose by 8\d\.?\d* MB/);
  // 210 MB are left at 50 kB/s: 1.17 h.
  assert.match(notice!.message, /limit is reached in 1\.[12]\d? h/);
});

test('response times that grow are a drift; a level soak says nothing', () => {
  assert.deepEqual(
    soakNotices(soak(0, 0.0005)).map(({ code, message }) => [code, message.slice(0, 22)]),
    [['soak-drift', 'the response time rose']],
  );
  assert.deepEqual(soakNotices(soak(0, 0)), []);
});

test('a step of a minute is no soak', () => {
  assert.deepEqual(soakNotices({ ...soak(50e3, 0), windowSeconds: 60 }), []);
});

/** The soak above with a counter beside it, sampled every five seconds. */
const watching = (counters: readonly CounterSeries[]) => ({ ...soak(0, 0), counters });
const sampled = Array.from({ length: 360 }, (_, i) => 5 * i);
const series = (
  quantity: string,
  kind: CounterSeries['kind'],
  at: (second: number) => number,
  capacity?: number,
): CounterSeries => ({
  source: 'stats',
  quantity,
  unit: 'count',
  kind,
  points: sampled.map((t) => [t, at(t)] as const),
  ...(capacity !== undefined && { capacity }),
});

test('a pool whose places are slowly not given back starves, and it is said when', () => {
  // A place lost every three minutes, of twenty; up to three come and go with the load.
  const random = createRandom(5);
  const inUse = (t: number): number => Math.floor(t / 180) + Math.floor(4 * random.next());
  const [notice, ...others] = soakNotices(watching([series('poolInUse', 'gauge', inUse, 20)]));
  assert.deepEqual(others, []);
  assert.match(notice!.message, /pool places in use rose by (8|9|10)/);
  // Ten are left at one in three minutes: half an hour.
  assert.match(notice!.message, /limit is reached in 0\.(4|5|6)\d* h/);
  const busy = (): number => 4 + Math.floor(4 * random.next());
  assert.deepEqual(soakNotices(watching([series('poolInUse', 'gauge', busy, 20)])), []);
});

/** Counts of a cache whose hit ratio goes evenly from one value to another, 100 requests a second. */
function cache(from: number, to: number): readonly CounterSeries[] {
  const hits = (t: number): number => Math.round(100 * (from * t + ((to - from) * t * t) / (2 * 1795)));
  return [
    series('cacheHitCount', 'cumulative', hits),
    series('cacheMissCount', 'cumulative', (t) => 100 * t - hits(t)),
  ];
}

test('a hit ratio that falls over a soak is an alert; one that rises, or stands, is none', () => {
  const [notice, ...others] = soakNotices(watching(cache(0.95, 0.7)));
  assert.deepEqual(others, []);
  assert.match(notice!.message, /hit ratio of the cache fell by 2[345]/);
  assert.equal(notice!.severity, 'warning');
  assert.deepEqual(soakNotices(watching(cache(0.2, 0.95))), []);
  assert.deepEqual(soakNotices(watching(cache(0.9, 0.9))), []);
});
