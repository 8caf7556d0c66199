import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { comparisonDocumentSchema, reportSchema } from '../../src/record/schema/documents.ts';
import { runCli, temporaryFolder } from '../support/cli.ts';
import { fixture } from '../support/paths.ts';

const sample = (name: string): string => fixture('import', name);

test('analyze judges the results of another tool, names their format, and says what they do not tell', async (t) => {
  const folder = temporaryFolder(t);
  const targets = ['--target', 'p50 of /slow <= 100 ms at 4 users', '--target', 'errors = 0'];
  const text = await runCli(['analyze', sample('jmeter.csv'), ...targets], folder);
  assert.equal(text.code, 1, text.stderr);
  assert.match(text.stdout, /results of JMeter, read as jtl-csv/);
  assert.match(text.stdout, /p50 of \/slow <= 100 ms at 4 users[^\n]*PASS/i);
  assert.match(text.stdout, /neither a generator at its limit nor U and D can be seen/);
  const json = await runCli(['analyze', sample('jmeter.csv'), '--json'], folder);
  const document = reportSchema.parse(JSON.parse(json.stdout));
  assert.equal(document.imported!.format, 'jtl-csv');
  const [step] = document.steps;
  assert.equal(step!.generator, undefined, 'nobody watched the generator');
  assert.equal(step!.utilizationRatio['generator'], undefined);
});

test('report and compare take results as they take runs; the load that a file does not tell can be given', async (t) => {
  const folder = temporaryFolder(t);
  const markdown = await runCli(['report', sample('wrk-sweep.txt'), '--as', 'markdown'], folder);
  assert.equal(markdown.code, 0, markdown.stderr);
  assert.match(markdown.stdout, /wrk/);
  const compared = await runCli(
    ['compare', sample('hey.csv'), sample('oha.csv'), '-c', '8', '--json'],
    folder,
  );
  const { metrics } = comparisonDocumentSchema.parse(JSON.parse(compared.stdout));
  assert.ok(metrics.some(({ name }) => name === 'throughputPerSecond at 8 workers'));
});

test('import stores several files as the steps of one run, which is read like any other', async (t) => {
  const folder = temporaryFolder(t);
  const stored = await runCli(['import', sample('autocannon.json'), '-o', 'runs/a', '--json'], folder);
  assert.equal(stored.code, 0, stored.stderr);
  assert.deepEqual(readdirSync(join(folder, 'runs/a')).sort(), [
    'record.json',
    'report.html',
    'run.json',
    'segments.jsonl',
  ]);
  const printed = reportSchema.parse(JSON.parse(stored.stdout));
  const again = await runCli(['report', 'runs/a', '--as', 'json'], folder);
  assert.deepEqual(reportSchema.parse(JSON.parse(again.stdout)).steps, printed.steps);
  const two = await runCli(
    ['import', sample('ab.txt'), sample('ab.txt'), '-c', '8,16', '-o', 'runs/b'],
    folder,
  );
  assert.equal(two.code, 0, two.stderr);
  const twice = await runCli(['import', sample('ab.txt'), '-o', 'runs/b'], folder);
  assert.equal(twice.code, 4);
  const mixed = await runCli(['import', sample('ab.txt'), sample('hey.txt'), '-o', 'runs/c'], folder);
  assert.equal(mixed.code, 2);
  assert.match(mixed.stderr, /one run has one kind of results/);
  const workload = await runCli(['import', sample('ab.txt'), '--as', 'workload'], folder);
  assert.equal(workload.code, 2);
  assert.match(workload.stderr, /shipload init FILE/);
});

test('explain finds a figure of results, and a target that no percentile of theirs can answer is inconclusive', async (t) => {
  const folder = temporaryFolder(t);
  const explained = await runCli(['explain', sample('k6.json'), 'steps[1].throughputPerSecond'], folder);
  assert.equal(explained.code, 0, explained.stderr);
  const judged = await runCli(['analyze', sample('wrk.txt'), '--target', 'p95 <= 1 s at 8 workers'], folder);
  assert.equal(judged.code, 1);
  assert.match(judged.stdout, /p95 is not in this table/);
  const other = await runCli(['analyze', sample('wrk.txt'), '--target', 'p90 <= 1 s at 8 workers'], folder);
  assert.equal(other.code, 0, other.stdout);
  assert.match(other.stdout, /as wrk printed it/);
});
