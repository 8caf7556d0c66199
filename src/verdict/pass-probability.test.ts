import assert from 'node:assert/strict';
import { test } from 'node:test';
import { histogramOf } from '../../test/support/measurements.ts';
import { stepMeasurement } from '../../test/support/step-measurement.ts';
import { stepRow } from '../../test/support/step-rows.ts';
import { createRandom, drawExponential } from '../stats/random.ts';
import { parseTarget } from './parse-target.ts';
import { passProbability } from './pass-probability.ts';

/** Ten seconds of 200 exponential response times each; `swing` makes every other second slower. */
function measured(seed: number, meanSeconds: number, swing = 1) {
  const random = createRandom(seed);
  const seconds = Array.from({ length: 10 }, (_, s) =>
    Array.from({ length: 200 }, () => drawExponential(random, meanSeconds * (s % 2 === 0 ? 1 : swing))),
  );
  const slices = seconds.map((times, s) => ({
    atSeconds: s,
    durationSeconds: 1,
    okCount: times.length,
    errorCount: 0,
    timeoutCount: 0,
    meanInFlight: 1,
    meanResponseTimeSeconds: times.reduce((sum, t) => sum + t, 0) / times.length,
  }));
  return stepMeasurement(0, { responseTime: histogramOf(seconds.flat()), slices, completionCount: 2000 });
}

const chance = (text: string, ...args: Parameters<typeof measured>) =>
  passProbability(parseTarget(text), stepRow({ completionCount: 2000 }), measured(...args), 0);

test('a probability of 90 % and more is right nine times in ten: the p95 of an exponential is ln 20 means', () => {
  // At the very border the probability is uniform: as often above a half as below, within three standard errors.
  const border = Math.log(20) * 100;
  const chances = Array.from(
    { length: 200 },
    (_, seed) => chance(`p95 <= ${border} ms`, seed + 1, 0.1) as number,
  );
  const above = (share: number) => chances.filter((p) => p > share).length / chances.length;
  assert.ok(Math.abs(above(0.5) - 0.5) < 3 * Math.sqrt(0.25 / 200), `${above(0.5)}`);
  assert.ok(above(0.9) < 0.1 + 3 * Math.sqrt(0.09 / 200), `${above(0.9)}`);
});

test('well inside and well outside the limit are certain', () => {
  assert.ok((chance('p95 <= 400 ms', 1, 0.1) as number) > 0.999);
  assert.ok((chance('p95 <= 200 ms', 1, 0.1) as number) < 0.001);
});

test('requests that slow down together tell less: the same distance is less sure', () => {
  const limit = 'p95 <= 520 ms';
  const steady = chance(limit, 3, 0.15) as number;
  const swinging = chance(limit, 3, 0.1, 2) as number;
  assert.ok(steady > swinging && swinging > 0.5, `${steady}, ${swinging}`);
});

test('figures without an error are certain either way; one that is not there is said', () => {
  const row = stepRow({ errorCount: 3, errorRatio: 0.003, completionCount: 997 });
  const of = (text: string) => passProbability(parseTarget(text), row, stepMeasurement(0), 0);
  assert.ok((of('errors <= 5') as number) > 0.999);
  assert.ok((of('errors = 0') as number) < 0.001);
  assert.match(of('cpu <= 70%') as string, /not watched/);
});
