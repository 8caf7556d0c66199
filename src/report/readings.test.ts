import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { READINGS } from '../../test/support/golden-reports.ts';
import { fixture } from '../../test/support/paths.ts';
import { sampleAfterRecord, sampleComparison, sampleRecord } from '../../test/support/sample-record.ts';
import { alertRule } from './alert-rule.ts';
import { renderComparison } from './comparison-text.ts';
import { renderRecordDocument } from './record-document.ts';
import { comparisonVega } from './vega.ts';

const HOSTILE = '/<b>|`x`[y](z)\u001b[31m\n\u202e"\'=__proto__';

for (const [name, read] of Object.entries(READINGS)) {
  test(`${name} reads as in its golden file (else: node dist/test/support/write-golden-reports.js)`, () => {
    assert.equal(read(), readFileSync(fixture('reports', name), 'utf8'));
  });

  test(`${name} is inert with a hostile route and names no missing number`, () => {
    const hostile = read({ book: HOSTILE, search: '__proto__' });
    assert.doesNotMatch(hostile, /[^\r\n\P{Cc}]|\p{Cf}/u);
    assert.doesNotMatch(hostile, /NaN|undefined|Infinity|\[object/);
    if (/html|md/.test(name)) assert.doesNotMatch(hostile, /(?<!\\)<b>/);
  });
}

test('the comparison says REGRESSION where a metric got worse beyond the noise', () => {
  const comparison = { ...sampleComparison(), regression: true };
  assert.match(renderComparison(comparison, sampleRecord(), sampleAfterRecord()), /REGRESSION/);
});

test('the vega chart of a comparison has a point for every step, route and run, in seconds', () => {
  const { layer } = comparisonVega(sampleRecord(), sampleAfterRecord()) as {
    layer: { data: { values: { run: string; route: string; load: number; seconds: number }[] } }[];
  };
  const { values } = layer[0]!.data;
  assert.equal(values.length, 2 * (8 + 4));
  assert.deepEqual(
    values.find(({ run, route, load }) => run === 'before' && route === '/search' && load === 200),
    { run: 'before', route: '/search', load: 200, seconds: 0.141 },
  );
});

const record = sampleRecord();
const withoutOptions = { ...record, options: [] };
const alerts: readonly [string, Parameters<typeof alertRule>[0], RegExp][] = [
  ['a chosen cache is watched by its hit ratio', record, /cache_hits_total.* < 0\.95"/],
  [
    'without a cache the p95 target is watched on its route',
    withoutOptions,
    /histogram_quantile\(0\.95, .*route=\\"\/books\/\[id\]\\".*\) > 0\.1"/,
  ],
  [
    'without a p95 target the CPU is watched per core',
    { ...withoutOptions, manifest: { ...record.manifest, targets: [] } },
    /process_cpu_seconds_total\[5m\]\) \/ 1 > 0\.7"/,
  ],
];
for (const [title, run, expected] of alerts)
  test(title, () => assert.match(alertRule(run).yaml.join('\n'), expected));

test('the record of one run says what is still open', () => {
  const text = renderRecordDocument([record]);
  assert.match(text, /Not measured yet\./);
  assert.match(text, /not scored yet/);
  assert.match(text, /Chosen, not yet confirmed: cache the results of \/search/);
});

test('the smoke command is the run’s own, without its label and folder, quoted for a shell', () => {
  const command = ['shipload', 'run', 'a b.log', '--label', 'x', '-o', 'runs/x', '--target', 'p95 <= 1 s'];
  const text = renderRecordDocument([{ ...record, manifest: { ...record.manifest, command } }]);
  assert.match(text, /^shipload run --smoke 'a b\.log' --target 'p95 <= 1 s'$/m);
});

test('the record of no run says so', () => {
  assert.match(renderRecordDocument([]), /No run was given/);
});
