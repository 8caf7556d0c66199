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
