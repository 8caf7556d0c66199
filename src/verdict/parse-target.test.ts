import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ShiploadError } from '../errors.ts';
import type { Target } from '../model/verdict.ts';
import { parseTarget } from './parse-target.ts';

const GOOD: readonly (readonly [text: string, expected: Omit<Target, 'text'>])[] = [
  [
    'p95 of /books/[id] <= 100 ms at 200 users',
    { metric: 'p95', route: '/books/[id]', comparison: '<=', limit: 0.1, load: 200, loadKind: 'users' },
  ],
  ['p95 of /search <= 0.2 s', { metric: 'p95', route: '/search', comparison: '<=', limit: 0.2 }],
  ['p99.9 < 250us at peak', { metric: 'p99.9', comparison: '<=', limit: 250e-6 }],
  ['p90 <= 5 µs', { metric: 'p90', comparison: '<=', limit: 5e-6 }],
  ['mean≤1s', { metric: 'mean', comparison: '<=', limit: 1 }],
  [
    'MAX of /x <= 1 s at 8 workers',
    { metric: 'max', route: '/x', comparison: '<=', limit: 1, load: 8, loadKind: 'concurrency' },
  ],
  ['errors = 0 at 200 users', { metric: 'errors', comparison: '=', limit: 0, load: 200, loadKind: 'users' }],
  ['errors == 0', { metric: 'errors', comparison: '=', limit: 0 }],
  ['errors <= 1 %', { metric: 'errorRatio', comparison: '<=', limit: 0.01 }],
  ['error  rate < 0.5%', { metric: 'errorRatio', comparison: '<=', limit: 0.005 }],
  ['cpu <= 70 % at 200', { metric: 'cpu', comparison: '<=', limit: 0.7, load: 200 }],
  ['cpu <= 0.7', { metric: 'cpu', comparison: '<=', limit: 0.7 }],
  [
    'throughput >= 95 /s at 100/s',
    { metric: 'throughput', comparison: '>=', limit: 95, load: 100, loadKind: 'arrivalRatePerSecond' },
  ],
  ['throughput > 95', { metric: 'throughput', comparison: '>=', limit: 95 }],
  [
    'p50 of GET /search?q=[q] <= 9 ms',
    { metric: 'p50', route: 'GET /search?q=[q]', comparison: '<=', limit: 0.009 },
  ],
];

for (const [text, expected] of GOOD) {
  test(`"${text}" parses`, () => {
    const { limit, ...rest } = parseTarget(text);
    const { limit: expectedLimit, ...expectedRest } = expected;
    assert.deepEqual(rest, { text, ...expectedRest });
    assert.ok(Math.abs(limit - expectedLimit) <= 1e-12 * expectedLimit, `limit ${limit}`);
  });
}

const BAD: readonly (readonly [text: string, column: number, says: RegExp])[] = [
  ['', 1, /expected p50.*the target ends/],
  ['latency <= 100 ms', 1, /expected p50, p95.*found "latency"/],
  ['p0 <= 1 ms', 1, /expected/],
  ['p95 of <= 100 ms', 8, /expected a route/],
  ['p95 of /search 100 ms', 16, /expected one of <=, >= or =, found "100"/],
  ['p95 <= fast', 8, /expected a time with its unit.*found "fast"/],
  ['p95 <= 100', 11, /after "100" a time with its unit/],
  ['p95 <= 100 %', 13, /after "100 %" a time/],
  ['cpu <= 70', 10, /a share such as 70 %/],
  ['errors = 5 ms', 14, /a number such as 0/],
  ['p95 <= 100 ms at noon', 18, /expected a load such as "200 users".*found "noon"/],
  ['p95 <= 100 ms at 200 people', 22, /"at" and a load, or the end, found "people"/],
];

for (const [text, column, says] of BAD) {
  test(`"${text}" is refused at column ${column}`, () => {
    assert.throws(
      () => parseTarget(text),
      (error: unknown) => {
        assert.ok(error instanceof ShiploadError);
        assert.equal(error.code, 'target-unparsable');
        assert.match(error.message, says);
        assert.equal(error.where, `column ${column}`);
        assert.match(error.hint!, /p95 of \/books\/\[id\] <= 100 ms at 200 users/);
        return true;
      },
    );
  });
}
