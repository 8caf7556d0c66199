import assert from 'node:assert/strict';
import { test } from 'node:test';
import { windowOf } from './window.ts';
import { checkWindow } from './window-rule.ts';

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

const WRONG = [
  ['', /"" is no window: it is empty/],
  ['ALL', /small letters are meant: all/],
  ['busiest', /busiest needs a length: busiest:15m/],
  ['busiest:', /busiest needs a length/],
  ['busiest:0m', /a stretch of no length/],
  ['busiest:15', /"15" has no unit \(s, m, h or d\)/],
  ['busiest:15w', /"w" is no unit \(s, m, h or d\)/],
  ['busiest:soon', /"soon" is no length/],
  ['last:15m', /begins with none of the forms/],
  ['1..2..3', /3 times where FROM..TO has two/],
  ['..1796000100', /FROM is missing/],
  ['1796000100..', /TO is missing/],
  ['yesterday..1796000100', /FROM \("yesterday"\) is no time/],
  ['2026-11-30..2026-13-40', /TO \("2026-13-40"\) is no time/],
  [
    '1796000200..1796000100',
    /FROM \(2026-11-30T00:56:40.000Z\) is later than TO \(2026-11-30T00:55:00.000Z\)/,
  ],
  ['2026-11-30..2026-11-30', /the same moment/],
] as const;

for (const [rule, message] of WRONG)
  test(`"${rule}" is refused with the part that is wrong and what is allowed`, () => {
    assert.throws(() => checkWindow(rule), {
      code: 'option-invalid',
      where: '--window',
      message,
      hint: /all, busiest:LENGTH .* FROM\.\.TO/,
    });
    assert.throws(() => windowOf(rule, HOUR), { code: 'option-invalid' });
  });

test('a window beside the log is refused with the times of the log', () => {
  assert.throws(() => windowOf('2020-01-01..2020-01-02', HOUR), {
    code: 'log-window-empty',
    hint: /2026-11-30T00:53:20.000Z to 2026-11-30T01:53:20.000Z/,
  });
});
