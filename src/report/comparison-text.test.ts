import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleAfterRecord, sampleComparison, sampleRecord } from '../../test/support/sample-record.ts';
import type { Comparison, RunRecord } from '../model/record.ts';
import { compareRecords } from '../record/compare-records.ts';
import { chartsOfComparison } from './charts/compared-charts.ts';
import { headlineMetrics, metricsHeading, outcomeText, renderComparison } from './comparison-text.ts';
import { toReportDocument } from './json.ts';

const comparison = sampleComparison();
const side = (decision: Comparison['after']['decision'], runCount = 1): Comparison['after'] => ({
  label: 'x',
  runCount,
  decision,
});

test('what is not known of a regression is not said to be calm', () => {
  const few = { ...comparison, before: side('pass', 2), after: side('pass', 2) };
  assert.match(outcomeText(few), /so few runs do not tell the noise/);
  const none = { ...comparison, metrics: [] };
  assert.match(outcomeText(none), /nothing in common that could be compared/);
  const invalid = { ...comparison, after: side('invalid') };
  assert.match(outcomeText(invalid), /cannot be told/);
  const unjudged = { ...comparison, before: side('not-judged'), after: side('not-judged') };
  assert.match(outcomeText(unjudged), /no check was compared/);
  for (const one of [few, none, invalid, unjudged])
    assert.doesNotMatch(outcomeText(one), /no regression|REGRESSION/);
  const tested = comparison.metrics.map((metric) => ({ ...metric, verdict: 'no change shown' as const }));
  assert.match(outcomeText({ ...few, metrics: tested }), /no regression beyond the noise/);
});

test('a run after that is not valid has lost no check: it is no regression', () => {
  const good = sampleAfterRecord();
  const verdict = {
    ...good.verdict,
    decision: 'invalid' as const,
    reason: '',
    checks: good.verdict.checks.map((check) => ({ ...check, result: 'inconclusive' as const })),
  };
  const compared = compareRecords([good], [{ ...good, verdict }]);
  assert.equal(compared.regression, false);
  assert.ok(!compared.notices.some(({ code }) => code === 'check-lost'));
});

/** The same steps, said to be of workers. */
function ofWorkers(record: RunRecord): RunRecord {
  const steps = record.analysis.steps.map(({ users, ...row }) => ({ ...row, concurrency: users ?? 0 }));
  return { ...record, analysis: { ...record.analysis, steps } };
}

test('users and workers of one number are not one load: no row joins them, no chart lays one on the other', () => {
  const [before, after] = [sampleRecord(), ofWorkers(sampleAfterRecord())];
  const text = renderComparison(comparison, before, after);
  assert.match(text, /^ *200 users +97\.9 +–/m);
  assert.match(text, /^ *200 workers +– +100\.2/m);
  assert.doesNotMatch(text, /slowest route/);
  assert.deepEqual(chartsOfComparison(toReportDocument(before), toReportDocument(after)), []);
});

test('a step that is not valid is marked in the table of both sides', () => {
  const before = sampleRecord();
  const steps = before.analysis.steps.map((row) => ({ ...row, valid: row.users !== 200 }));
  const text = renderComparison(
    comparison,
    { ...before, analysis: { ...before.analysis, steps } },
    sampleAfterRecord(),
  );
  assert.match(text, /^ *200 +97\.9! +100\.2 /m);
  assert.match(text, /! the step of this run is not valid/);
});

test('where no load was judged the highest that both have is shown, and said to be that', () => {
  const document = { ...toReportDocument(sampleRecord()), peakLoad: 999 };
  const unjudged = { ...document, verdict: { ...document.verdict, checks: [] } };
  const metrics: { readonly name: string; readonly load?: number }[] = [
    ...[1, 2, 3].map((load) => ({ name: `p95 at ${load} users`, load })),
    { name: 'knee' },
  ];
  assert.deepEqual(headlineMetrics(metrics, unjudged), metrics.slice(2));
  assert.match(metricsHeading(metrics, unjudged), /highest common load/);
  assert.match(metricsHeading(metrics, { ...document, peakLoad: 2 }), /judged load/);
  assert.match(metricsHeading(metrics, { ...unjudged, peakLoad: 2 }), /peak load/);
});
