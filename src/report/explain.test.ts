import assert from 'node:assert/strict';
import { test } from 'node:test';
import { samplePoolRecord, sampleRecord } from '../../test/support/sample-record.ts';
import { explainField } from './explain.ts';
import { toReportDocument } from './json.ts';

const document = toReportDocument(sampleRecord());

/** Paths of all numbers in a document. */
function numbersIn(value: unknown, path: string): string[] {
  if (typeof value === 'number') return [path];
  if (Array.isArray(value)) return value.flatMap((one, i) => numbersIn(one, `${path}[${i}]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => numbersIn(one, path === '' ? key : `${path}.${key}`));
}

test('every number of a report has an explanation', () => {
  for (const report of [document, toReportDocument(samplePoolRecord())]) {
    const paths = numbersIn(report, '');
    assert.ok(paths.length > 100);
    for (const path of paths) {
      const explanation = explainField(report, path);
      assert.equal(explanation.field, path);
      assert.ok(explanation.meaning.length > 0 && explanation.source.length > 0, path);
    }
  }
});

test('throughput is explained by its law, with the inputs that make it', () => {
  const { value, formula, inputs, windowSeconds, sampleCount } = explainField(
    document,
    'steps[5].throughputPerSecond',
  );
  assert.equal(formula, 'X = C/T');
  assert.deepEqual(
    inputs.map(({ field }) => field),
    ['steps[5].completionCount', 'steps[5].windowSeconds'],
  );
  const [completions, window] = inputs.map((input) => Number(input.value));
  assert.ok(Math.abs(completions! / window! / Number(value) - 1) < 0.01, 'the inputs give the value');
  assert.equal(windowSeconds, 60);
  assert.equal(sampleCount, completions);
});

test('a resource’s demand names the same resource in its inputs', () => {
  const { inputs } = explainField(document, 'steps[5].serviceDemandSeconds.cpu');
  assert.deepEqual(
    inputs.map(({ field }) => field),
    ['steps[5].utilizationRatio.cpu', 'steps[5].serverCount.cpu', 'steps[5].throughputPerSecond'],
  );
});

test('a percentile of a route has the samples of that route behind it', () => {
  const { value, sampleCount, formula } = explainField(document, 'steps[5].byRoute./search.p95Seconds');
  assert.equal(value, 0.141);
  assert.equal(sampleCount, document.steps[5]!.byRoute['/search']!.sampleCount);
  assert.match(formula!, /nearest rank/);
});

test('what a check observed leads to the field of the step that it was read from', () => {
  const at = document.verdict.checks.findIndex(({ goal }) => goal.route === '/search');
  const { value, inputs } = explainField(document, `verdict.checks[${at}].observed`);
  const read = inputs.find(({ field }) => /^steps\[\d+\]\.byRoute\.\/search\.p95Seconds$/.test(field));
  assert.equal(read?.value, value);
});

test('a field that is not there is refused with what was probably meant', () => {
  const cases = [
    ['steps[5].troughputPerSecond', /Did you mean throughputPerSecond\?/],
    ['steps[99].users', /elements \[0\] to \[7\]/],
    ['steps[1].byRoute./serch.p95Seconds', /Did you mean \/search\?/],
    ['steps[1].users.more', /no parts/],
    ['knee', /knee\.seen/],
    ['steps', /steps\[0\]/],
  ] as const;
  for (const [path, hint] of cases)
    assert.throws(
      () => explainField(document, path),
      (error: { code?: string; hint?: string }) => error.code === 'option-invalid' && hint.test(error.hint!),
      path,
    );
});
