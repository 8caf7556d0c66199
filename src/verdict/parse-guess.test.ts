import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ShiploadError } from '../errors.ts';
import { parseGuess } from './parse-guess.ts';

test('three guesses: the peak, the load where a percentile crosses a limit, the first resource', () => {
  const text = 'peak=1500/s, p99>200ms at 250 users, first=cpu';
  assert.deepEqual(parseGuess(text), {
    text,
    peakPerSecond: 1500,
    crossing: { percentile: 'p99', limitSeconds: 0.2, load: 250 },
    firstResource: 'cpu',
  });
});

test('one alone, and of one route', () => {
  assert.deepEqual(parseGuess('p95 of /search > 1.5 s at 40').crossing, {
    percentile: 'p95',
    route: '/search',
    limitSeconds: 1.5,
    load: 40,
  });
  assert.equal(parseGuess('peak = 12.5').peakPerSecond, 12.5);
});

for (const text of [
  '',
  'peak',
  'peak=fast',
  'peak=1,peak=2',
  'p99<200ms at 3',
  'p99>200 at 3',
  'first=',
  'peak=0',
]) {
  test(`"${text}" is refused with an example`, () => {
    assert.throws(
      () => parseGuess(text),
      (error: unknown) =>
        error instanceof ShiploadError && error.code === 'option-invalid' && /peak=1500/.test(error.hint!),
    );
  });
}
