import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ShiploadError } from '../errors.ts';
import {
  parsePort,
  parseCount,
  parseDuration,
  parseErrorStop,
  parseHeader,
  parseLoads,
  parseRatio,
  parseThinkTime,
  parseUntil,
  parseUrl,
} from './parse-values.ts';

test('durations take units and default to seconds', () => {
  const cases = { '60s': 60, '500ms': 0.5, '15m': 900, '1h': 3600, '20': 20, '1.5s': 1.5, '250us': 0.00025 };
  for (const [text, seconds] of Object.entries(cases))
    assert.ok(Math.abs(parseDuration('--step', text) - seconds) < 1e-12);
});

test('the unit mistake that halves a duration silently is refused', () => {
  for (const text of ['', '0s', '-5s', '5 parsecs', '1e3', 'NaN', '5d', 's']) {
    assert.throws(
      () => parseDuration('--step', text),
      (error) => error instanceof ShiploadError && error.exitCode === 2 && error.message.includes('--step'),
      text,
    );
  }
});

test('loads rise, counts are whole, ratios are shares', () => {
  assert.deepEqual(parseLoads('--users', '1,25,50'), [1, 25, 50]);
  for (const text of ['1,1', '50,25', '0', '1,,2', '1.5', 'x'])
    assert.throws(() => parseLoads('--users', text), ShiploadError);
  assert.equal(parseCount('--seed', '0', 0), 0);
  assert.equal(parseRatio('--margin', '10%'), 0.1);
  assert.equal(parseRatio('--margin', '0.1'), 0.1);
  for (const text of ['100%', '-1%', '1', 'ten'])
    assert.throws(() => parseRatio('--margin', text), ShiploadError);
});

test('think times: constant, uniform, exponential', () => {
  assert.deepEqual(parseThinkTime('--think', '1s..3s'), {
    kind: 'uniform',
    meanSeconds: 2,
    minSeconds: 1,
    maxSeconds: 3,
  });
  assert.deepEqual(parseThinkTime('--think', '2s'), { kind: 'constant', meanSeconds: 2 });
  assert.deepEqual(parseThinkTime('--think', 'exp:500ms'), { kind: 'exponential', meanSeconds: 0.5 });
  assert.throws(() => parseThinkTime('--think', '3s..1s'), ShiploadError);
});

test('headers cannot smuggle lines, urls need a protocol we speak', () => {
  assert.deepEqual(parseHeader('-H', 'Accept: application/json '), ['Accept', 'application/json']);
  for (const text of ['Accept', 'A: b\r\nX: y', 'a b: c', ': x'])
    assert.throws(() => parseHeader('-H', text), ShiploadError);
  assert.equal(parseUrl('--url', '127.0.0.1:8080').href, 'http://127.0.0.1:8080/');
  for (const text of ['http://', 'ftp://localhost/', 'http://a b/'])
    assert.throws(() => parseUrl('--url', text), ShiploadError);
});

test('a run stops at a share, over a time, or never', () => {
  assert.deepEqual(parseErrorStop('--stop-on-errors', '50%'), { ratio: 0.5, seconds: 10 });
  assert.deepEqual(parseErrorStop('--stop-on-errors', '0.3:5s'), { ratio: 0.3, seconds: 5 });
  assert.equal(parseErrorStop('--stop-on-errors', 'off'), 'off');
  for (const text of ['', '0', '100%', '50%:', '50%:0s', 'never'])
    assert.throws(() => parseErrorStop('--stop-on-errors', text), ShiploadError, text);
});

test('a permission ends on a day, at a moment or after a time, within a year', () => {
  const now = Date.parse('2026-06-01T12:00:00Z');
  const cases = {
    '2026-06-01': '2026-06-01T23:59:59.000Z',
    '2026-12-31T08:00:00Z': '2026-12-31T08:00:00.000Z',
    '8h': '2026-06-01T20:00:00.000Z',
  };
  for (const [text, expected] of Object.entries(cases))
    assert.equal(parseUntil('--until', text, now).toISOString(), expected);
  for (const text of [
    '',
    '2026-05-31',
    '2027-06-03',
    '2026-02-31x',
    '2027-02-31',
    'forever',
    '1',
    '01/02/2027',
  ])
    assert.throws(() => parseUntil('--until', text, now), ShiploadError, text);
});

test('a port is a whole number up to 65535', () => {
  assert.equal(parsePort('--listen', '0', 0), 0);
  assert.equal(parsePort('--port', '65535'), 65_535);
  for (const text of ['0', '65536', '99999', '80.5', 'http'])
    assert.throws(() => parsePort('--port', text), ShiploadError, text);
});
