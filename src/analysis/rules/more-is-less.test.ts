import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cumulative } from '../../../test/support/measurements.ts';
import { stepMeasurement } from '../../../test/support/step-measurement.ts';
import { stepRow } from '../../../test/support/step-rows.ts';
import { analyze } from '../analyze.ts';
import { moreIsLess } from './more-is-less.ts';

/** The published CPU route: 227/s with one worker and 142/s with fifty; the steps between lie on a line in log N. */
const PUBLISHED: readonly [workers: number, perSecond: number][] = [
  [1, 227],
  [2, 212],
  [8, 182],
  [20, 162],
  [50, 142],
];

const rowsOf = (curve: readonly (readonly [number, number])[]) =>
  curve.map(([concurrency, throughputPerSecond], index) =>
    stepRow({
      index,
      concurrency,
      throughputPerSecond,
      responseTimeSeconds: concurrency / throughputPerSecond,
      utilizationRatio: { cpu: 1 },
      serverCount: { cpu: 1 },
      serviceDemandSeconds: { cpu: 1 / throughputPerSecond },
    }),
  );

test('the published CPU route does less with fifty workers than with one, since each request costs more', () => {
  const [finding] = analyze(rowsOf(PUBLISHED), { rules: [moreIsLess] }).findings;
  assert.equal(finding!.confidence, 'high');
  assert.match(finding!.claim, /227\/s at 1 worker, 142\/s at 50 workers/);
  assert.match(finding!.evidence.at(-1)!.text, /7\.04 ms of CPU, 4\.41 ms where it is cheapest/);
});

test('a curve that only levels off has lost nothing', () => {
  const flat = PUBLISHED.map(([workers], i) => [workers, 200 - i] as const);
  assert.deepEqual(analyze(rowsOf(flat), { rules: [moreIsLess] }).findings, []);
});

test('a process that waits for a core at the high load lost its throughput to others', () => {
  const measurements = PUBLISHED.map((_, index) =>
    stepMeasurement(index, {
      counters: [cumulative('process', 'runQueueWaitSeconds', index === 0 ? 0 : 0.6, 10)],
    }),
  );
  const [finding] = analyze(rowsOf(PUBLISHED), { rules: [moreIsLess], measurements }).findings;
  assert.equal(finding!.confidence, 'low');
  assert.match(finding!.counterEvidence[0]!.text, /waits for a core 60 % of the time/);
});
