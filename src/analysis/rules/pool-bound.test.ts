import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fixture } from '../../../test/support/paths.ts';
import { stepRow } from '../../../test/support/step-rows.ts';
import type { StepRow } from '../../model/analysis.ts';
import { analyze } from '../analyze.ts';
import { poolBound } from './pool-bound.ts';

const { poolSweep } = JSON.parse(readFileSync(fixture('case', 'published-tables.json'), 'utf8')) as {
  poolSweep: { concurrency: number[]; X: number[]; appCpu: number[] };
};

/** The published sweep of a pool of eight slots; R from X·R = N, which holds without think time. */
const rowsWith = (more: (row: StepRow) => Partial<StepRow>): StepRow[] =>
  poolSweep.concurrency.map((concurrency, index) => {
    const throughputPerSecond = poolSweep.X[index]!;
    const row = stepRow({
      index,
      concurrency,
      throughputPerSecond,
      responseTimeSeconds: concurrency / throughputPerSecond,
      utilizationRatio: { cpu: poolSweep.appCpu[index]! },
      serverCount: { cpu: 1 },
    });
    return { ...row, ...more(row) };
  });

const findings = (rows: readonly StepRow[]) => analyze(rows, { rules: [poolBound] }).findings;

test('the published sweep of a pool: a limit of about 8 places with the CPU at 44 %', () => {
  const [finding, ...others] = findings(rowsWith(() => ({})));
  assert.deepEqual(others, []);
  assert.match(finding!.claim, /at 1540\/s while the CPU is at 44 %: about 8 requests served at once/);
  assert.equal(finding!.confidence, 'high');
});

test('an R₀ that a few outliers make, its median well below its mean, costs the high confidence', () => {
  const [finding] = findings(rowsWith(() => ({ overall: { p50Seconds: 0.0045 } })));
  assert.equal(finding!.confidence, 'medium');
});

const SILENT: readonly [why: string, more: (row: StepRow) => Partial<StepRow>][] = [
  [
    'the CPU is busy on the plateau',
    ({ concurrency }) => (concurrency! > 8 ? { utilizationRatio: { cpu: 0.9 } } : {}),
  ],
  ['one thread is busy', () => ({ utilizationRatio: { cpu: 0.3, busiestThread: 0.97 } })],
  ['the CPU is not known', () => ({ utilizationRatio: {} })],
  ['requests fail on the plateau', ({ concurrency }) => (concurrency! > 8 ? { errorRatio: 0.2 } : {})],
  ['the generator is at its limit', () => ({ generator: { utilizationRatio: 0.95 } })],
  [
    'throughput goes on rising',
    ({ concurrency }) => ({ throughputPerSecond: 180 * concurrency!, responseTimeSeconds: 1 / 180 }),
  ],
];

for (const [why, more] of SILENT) {
  test(`no pool is claimed where ${why}`, () => assert.deepEqual(findings(rowsWith(more)), []));
}
