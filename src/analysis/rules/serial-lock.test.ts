import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cumulative } from '../../../test/support/measurements.ts';
import { stepMeasurement } from '../../../test/support/step-measurement.ts';
import { stepRow } from '../../../test/support/step-rows.ts';
import { analyze } from '../analyze.ts';
import { diskBound } from './disk-bound.ts';
import { poolBound } from './pool-bound.ts';
import { serialLock } from './serial-lock.ts';

const HOLD_SECONDS = 0.01;
const RULES = [diskBound, serialLock, poolBound];

/** Workers on c places held for 10 ms: X = min(N, c)/S, R = N/X, which holds for constant times. */
const sweep = (places: number, diskBusyRatio = 0) =>
  [1, 2, 4, 8, 16, 32, 64].map((concurrency, index) => {
    const throughputPerSecond = Math.min(concurrency, places) / HOLD_SECONDS;
    const p50Seconds = concurrency / throughputPerSecond;
    return stepRow({
      index,
      concurrency,
      throughputPerSecond,
      responseTimeSeconds: p50Seconds,
      overall: { p50Seconds },
      byRoute: { '/a': { p50Seconds, throughputPerSecond } },
      utilizationRatio: { cpu: 0.1 },
      serverCount: { cpu: 1 },
      diskBusyRatio,
    });
  });

const CASES: readonly [why: string, places: number, disk: number, bytesPerRequest: number, ruleId: string][] =
  [
    ['one place is a lock', 1, 0, 0, 'serial-lock'],
    ['three places are a pool', 3, 0, 0, 'pool-bound'],
    ['one place and a busy disk that each request writes to is the disk', 1, 0.6, 8192, 'disk-bound'],
    ['a disk that others keep busy is not it', 1, 0.6, 0, 'serial-lock'],
  ];

for (const [why, places, disk, bytesPerRequest, ruleId] of CASES) {
  test(`of a plateau with an idle CPU: ${why}`, () => {
    const rows = sweep(places, disk);
    const measurements = rows.map(({ index, throughputPerSecond }) =>
      stepMeasurement(index, {
        counters: [cumulative('process', 'writtenBytes', bytesPerRequest * throughputPerSecond, 10)],
      }),
    );
    const { findings } = analyze(rows, { rules: RULES, measurements });
    assert.deepEqual(
      findings.map((finding) => [finding.ruleId, finding.confidence]),
      [[ruleId, 'high']],
    );
  });
}
