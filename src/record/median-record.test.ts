import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stepRow } from '../../test/support/step-rows.ts';
import { sampleRecord } from '../../test/support/sample-record.ts';
import type { StepRow } from '../model/analysis.ts';
import type { RunRecord } from '../model/record.ts';
import { medianRecord } from './median-record.ts';

const runOf = (label: string, ...steps: readonly StepRow[]): RunRecord => {
  const sample = sampleRecord();
  return {
    ...sample,
    manifest: { ...sample.manifest, label },
    analysis: { ...sample.analysis, steps },
  };
};
const at = (users: number, throughputPerSecond: number, p95Seconds: number, more: Partial<StepRow> = {}) =>
  stepRow({
    users,
    throughputPerSecond,
    byRoute: { '/a': { p95Seconds, p95Interval: { low: 0, high: 9 } } },
    utilizationRatio: { cpu: p95Seconds / 2 },
    ...more,
  });

test('each figure is the median over the runs that have it, at every load that any has', () => {
  const { analysis, manifest } = medianRecord([
    runOf('r', at(1, 10, 0.1), at(5, 50, 0.5)),
    runOf('r', at(1, 30, 0.3)),
    runOf('r', at(1, 11, 0.9), at(9, 90, 0.9)),
  ]);
  assert.equal(manifest.label, 'r');
  assert.deepEqual(
    analysis.steps.map((row) => [row.users, row.throughputPerSecond, row.byRoute['/a']!.p95Seconds]),
    [
      [1, 11, 0.3],
      [5, 50, 0.5],
      [9, 90, 0.9],
    ],
  );
  assert.deepEqual(Object.keys(analysis.steps[0]!.byRoute['/a']!), ['p95Seconds']);
  assert.equal(analysis.steps[0]!.utilizationRatio['cpu'], 0.15);
});

test('steps that were not valid count only where none was', () => {
  const { analysis } = medianRecord([
    runOf('a', at(1, 10, 0.1), at(5, 2, 1, { valid: false })),
    runOf('b', at(1, 90, 0.9, { valid: false }), at(5, 4, 1, { valid: false })),
  ]);
  assert.deepEqual(
    analysis.steps.map(({ throughputPerSecond, valid }) => [throughputPerSecond, valid]),
    [
      [10, true],
      [3, false],
    ],
  );
});

test('the verdict is the worst of the runs, one run is itself, several labels are named by their ends', () => {
  const [first, second] = [runOf('a1'), runOf('a2')];
  const passing = { ...first, verdict: { ...first.verdict, decision: 'pass' as const } };
  const failing = { ...second, verdict: { ...second.verdict, decision: 'fail' as const } };
  assert.equal(medianRecord([passing, failing, runOf('a3')]).verdict, failing.verdict);
  assert.equal(medianRecord([passing, failing, runOf('a3')]).manifest.label, 'a1 … a3');
  assert.equal(medianRecord([passing]), passing);
});

test('lists of a step stay lists, those without entries too', () => {
  const [one] = medianRecord([sampleRecord(), sampleRecord()]).analysis.steps;
  assert.deepEqual(one!.notices, sampleRecord().analysis.steps[0]!.notices);
});
