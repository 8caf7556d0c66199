import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleRecord } from '../../test/support/sample-record.ts';
import type { RunRecord } from '../model/record.ts';
import { renderHtml } from './html.ts';
import { markdownReporter } from './markdown.ts';
import { textReporter } from './text.ts';

/** The sample's steps again and again, every one doubted and every one evidence. */
function recordOf(stepCount: number): RunRecord {
  const record = sampleRecord();
  const { analysis } = record;
  const notice = { code: 'little-law', severity: 'red-flag' as const, message: 'law broken' };
  const steps = Array.from({ length: stepCount }, (_, index) => ({
    ...analysis.steps[index % analysis.steps.length]!,
    index,
    users: index + 1,
    valid: false,
    notices: [notice],
  }));
  const evidence = steps.map(({ index, users }) => ({
    stepIndex: index,
    quantity: 'x',
    value: 1,
    unit: 'count',
    text: `busy at ${users} users`,
  }));
  const findings = analysis.findings.slice(0, 1).map((finding) => ({ ...finding, evidence }));
  return { ...record, analysis: { ...analysis, steps, findings } };
}

test('what is alike at a thousand steps is told a few times and counted, in every form for people', () => {
  for (const render of [textReporter.render, markdownReporter.render, renderHtml]) {
    const text = render(recordOf(1000))
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll(/\s+/g, ' ');
    const told = text.match(/law broken/g)!.length;
    // Eight in the validity and eight among the doubts.
    assert.equal(told, 16);
    assert.match(text, /992 more times/);
    assert.match(text, /and 992 more, marked in the table/);
    assert.match(text, /and 988 more: the JSON report has all/);
    assert.equal(text.match(/busy at /g)!.length, 12);
  }
});

test('a run of one load has no curve: no knee is missed and no line without waiting is named', () => {
  const record = sampleRecord();
  const steps = record.analysis.steps.slice(-1);
  const knee = { seen: false, reason: 'one load' };
  const page = renderHtml({ ...record, analysis: { ...record.analysis, steps, knee } });
  assert.doesNotMatch(page, /<dt>knee N\*<\/dt><dd>not seen|>without waiting</);
  assert.match(renderHtml(record), />without waiting</);
});
