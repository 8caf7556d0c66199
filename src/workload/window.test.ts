import assert from 'node:assert/strict';
import { test } from 'node:test';
import { windowOf } from './window.ts';

const HOUR = Float64Array.from({ length: 3601 }, (_, second) => 1_796_000_000 + second);
const BURST = Float64Array.from([...HOUR, ...HOUR.slice(1000, 1060)]).sort();

const CASES = [
  ['all of it', 'all', 1_796_000_000, 1_796_003_600, false],
  ['the whole of a log that is shorter', 'busiest:2h', 1_796_000_000, 1_796_003_600, false],
  ['the fullest minute', 'busiest:60s', 1_796_001_000, 1_796_001_060, true],
  ['epoch seconds', '1796000100..1796000200', 1_796_000_100, 1_796_000_200, true],
  ['epoch milliseconds', '1796000100500..1796000200000', 1_796_000_100.5, 1_796_000_200, true],
  ['ISO times', '2026-11-30T00:55:00Z..2026-11-30T01:55:10+01:00', 1_796_000_100, 1_796_000_110, true],
] as const;

for (const [what, rule, fromSeconds, toSeconds, isCut] of CASES)
  test(`${rule} is ${what}`, () => {
    assert.deepEqual(windowOf(rule, BURST), { rule, fromSeconds, toSeconds, isCut });
  });

test('the earliest of equally full stretches is taken', () => {
  assert.equal(windowOf('busiest:1m', HOUR).fromSeconds, 1_796_000_000);
});

test('what is no window is refused with a hint', () => {
  for (const rule of ['', 'busiest', 'busiest:0m', 'busiest:15', '1..2..3', '1796000200..1796000100', 'a..b'])
    assert.throws(() => windowOf(rule, HOUR), { code: 'option-invalid' });
  assert.throws(() => windowOf('2020-01-01..2020-01-02', HOUR), { code: 'log-window-empty' });
});
