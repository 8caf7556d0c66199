import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleAfterRecord, sampleComparison, sampleRecord } from '../../test/support/sample-record.ts';
import { comparisonAnnotations, runAnnotations } from './annotations.ts';

test('a target that fails is an error, one without margin a warning, and a pass says nothing', () => {
  const levels = runAnnotations(sampleRecord()).map((line) => /^::(\w+) title=/.exec(line)![1]);
  assert.deepEqual(levels, ['error', 'warning']);
  assert.deepEqual(runAnnotations(sampleAfterRecord()), []);
});

test('a run that carries no verdict is one error', () => {
  const record = sampleRecord();
  const lines = runAnnotations({ ...record, verdict: { ...record.verdict, decision: 'invalid' } });
  assert.equal(lines.length, 1);
  assert.match(lines[0]!, /^::error title=.*NOT VALID/);
});

test('no name can end the command or begin another', () => {
  const record = sampleRecord({ book: '/a,::error::b\n::warning::c%0A', search: '/s' });
  for (const line of runAnnotations(record)) {
    assert.doesNotMatch(line, /[\r\n]/);
    assert.doesNotMatch(/title=([^]*?)::/.exec(line)![1]!, /[:,]/);
    assert.ok(!line.includes('%0A::') && !line.includes('c%0A'));
  }
});

test('of a comparison what changed is told, worse as an error and better as a notice', () => {
  const comparison = sampleComparison();
  const metric = { ...comparison.metrics[0]!, name: 'p95 /a', unit: 'seconds', better: 'lower' } as const;
  const lines = comparisonAnnotations({
    ...comparison,
    notices: [],
    metrics: [
      { ...metric, before: 0.1, after: 0.2, ratio: 2, verdict: 'changed' },
      { ...metric, before: 0.2, after: 0.1, ratio: 0.5, verdict: 'changed' },
      { ...metric, before: 0.2, after: 0.3, ratio: 1.5, verdict: 'no change shown' },
    ],
  });
  assert.deepEqual(lines, [
    '::error title=Load test%3A regression::p95 /a: 100 ms before, 200 ms after (+100 %25)',
    '::notice title=Load test%3A improvement::p95 /a: 200 ms before, 100 ms after (−50 %25)',
  ]);
});
