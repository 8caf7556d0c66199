import assert from 'node:assert/strict';
import { test } from 'node:test';
import { daysFromCivil, parseInstant } from './calendar.ts';

test('days from the epoch agree with the platform over four centuries, leap days included', () => {
  for (let day = -80_000; day < 80_000; day += 37) {
    const date = new Date(day * 86_400_000);
    assert.equal(daysFromCivil(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()), day);
  }
});

test('an instant is read with its zone, and as UTC without one', () => {
  assert.equal(parseInstant('2026-11-30T17:56:37Z'), 1_796_061_397);
  assert.equal(parseInstant('2026-11-30T21:26:37.25+03:30'), 1_796_061_397.25);
  assert.equal(parseInstant('2026-11-30 17:56'), 1_796_061_360);
  assert.equal(parseInstant('2026-11-30'), 1_795_996_800);
});

test('what is no instant is refused', () => {
  for (const text of ['', 'yesterday', '2026-13-01', '2026-01-32', '1796061397'])
    assert.equal(parseInstant(text), undefined);
});
