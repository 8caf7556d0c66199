import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tableOf } from '../../test/support/log-table.ts';
import { buildWorkload } from './build-workload.ts';
import { MOST_PARAMETERS } from './request-classes.ts';

/** A log in which every request brings a name of its own, beside one that all have. */
const inventive = (count: number) =>
  buildWorkload(
    tableOf(
      Array.from({ length: count }, (_, i) => ({
        at: 1_796_000_000 + i / 100,
        target: `/find?q=${i % 7}&n${i}x=1`,
      })),
    ),
    { window: 'all' },
  );

test('names of parameters without end are not all kept, which is told; their targets are', () => {
  const { requestClasses, warnings } = inventive(3000);
  const [find] = requestClasses;
  assert.equal(requestClasses.length, 1);
  assert.equal(find!.parameters.length, MOST_PARAMETERS);
  const q = find!.parameters.find(({ name }) => name === 'q')!;
  assert.deepEqual([q.requestCount, q.distinctCount], [3000, 7]);
  assert.equal(find!.targets.distinctCount, 3000);
  assert.ok(warnings.some(({ code, where }) => code === 'parameters-capped' && where === 'GET /find'));
  assert.deepEqual(
    inventive(500).warnings.filter(({ code }) => code === 'parameters-capped'),
    [],
  );
});

test('their cost grows with the log, not with its square', () => {
  const secondsOf = (count: number): number => {
    const start = process.cpuUsage();
    inventive(count);
    return process.cpuUsage(start).user / 1e6;
  };
  secondsOf(5000);
  const [small, large] = [secondsOf(10_000), secondsOf(80_000)];
  // Eight times as many; their square would be 64 times.
  assert.ok(large < 24 * Math.max(small, 0.05), `${small} s for 10,000 requests, ${large} s for 80,000`);
});
