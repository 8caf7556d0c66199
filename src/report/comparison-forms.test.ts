import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleAfterRecord, sampleComparison, sampleRecord } from '../../test/support/sample-record.ts';
import { renderComparisonHtml } from './comparison-html.ts';
import { outcomeText, predictionRows, renderComparison } from './comparison-text.ts';
import { escapeHtml } from './escape.ts';

const comparison = sampleComparison();
const [before, after] = [sampleRecord(), sampleAfterRecord()];
const plain = (text: string): string => text.replace(/\s+/g, ' ');

test('what the text of a comparison says, its page says too: knee, outcome, predictions kept or missed, doubts', () => {
  const text = plain(renderComparison(comparison, before, after, { width: 400, color: false }));
  const html = plain(renderComparisonHtml(comparison, before, after));
  const said = [
    comparison.kneeShift!.text,
    outcomeText(comparison),
    ...comparison.notices.map(({ message }) => message),
    ...predictionRows(comparison.predictions).flat(),
  ];
  assert.ok(said.includes('kept (±10 %)') && said.includes('MISSED (±30 %)'));
  for (const words of said) {
    assert.ok(text.includes(plain(words)), `text: ${words}`);
    assert.ok(html.includes(escapeHtml(plain(words))), `page: ${words}`);
  }
});
