import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { importK6 } from '../../src/import/loads/k6.ts';
import type { ReportDocument } from '../../src/model/documents.ts';
import { openScenario } from '../../src/session/open-scenario.ts';
import { runCli, temporaryFolder } from '../support/cli.ts';
import { ROOT } from '../support/paths.ts';
import { startShop } from '../support/shop-service.ts';

const EXAMPLES = join(ROOT, 'examples');

const SCENARIOS = ['', 'beside'].flatMap((folder) =>
  readdirSync(join(EXAMPLES, folder))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file)),
);

for (const name of SCENARIOS)
  test(`examples/${name} runs as it is, and every check of it passes`, async (t) => {
    const { url, seen } = await startShop(t);
    const args = ['run', join(EXAMPLES, name), '--url', url, '-o', 'out', '--json'];
    const { stdout, stderr } = await runCli(args, temporaryFolder(t));
    assert.notEqual(stdout, '', stderr);
    const document = JSON.parse(stdout) as ReportDocument;
    const { parts, checks } = document.scenario!;
    assert.ok(
      parts.length > 0 && parts.every(({ endedCount, failedCount }) => endedCount > 0 && failedCount === 0),
      stderr,
    );
    // The orders of examples are of journeys that check what came back; a browse has nothing to check.
    assert.ok(
      checks.length > 0 &&
        checks.every(({ passedCount, failedCount }) => passedCount > 0 && failedCount === 0),
    );
    assert.ok(document.steps.every(({ errorCount }) => errorCount === 0));
    assert.ok(seen.length > document.steps.reduce((sum, { completionCount }) => sum + completionCount!, 0));
  });

const textOf = (name: string): string => readFileSync(join(EXAMPLES, 'beside', name), 'utf8');

test('examples/beside: the k6 script asks for the load, targets and requests that its counterpart has', async () => {
  const imported = importK6(textOf('k6-shop.js'), 'k6-shop.js');
  const { compiled, rehearsal } = await openScenario(join(EXAMPLES, 'beside', 'k6-shop.ts'));
  assert.deepEqual(imported.load, compiled.spec.load);
  assert.deepEqual(imported.targets, compiled.spec.targets);
  const lines = imported.journeys[0]!.groups.flatMap(({ steps }) =>
    steps.flatMap((step) =>
      step.kind === 'request' ? [`${step.request.method} ${JSON.stringify(step.request.target)}`] : [],
    ),
  );
  const sent = rehearsal.requests.map(({ method, target }) => `${method} ${JSON.stringify(target)}`);
  // What carries a value of an answer on cannot be read off the script; it is said instead.
  assert.deepEqual(lines, sent.slice(0, 3));
  assert.equal(sent.length, 4);
  assert.equal(imported.notes.filter((note) => /the url of a request is computed/.test(note)).length, 1);
});

test('examples/beside: the shares of the Locust classes and tasks are those of the journeys', async () => {
  const { compiled } = await openScenario(join(EXAMPLES, 'beside', 'locust-shop.ts'));
  const classes = textOf('locust-shop.py')
    .split(/^class /m)
    .slice(1);
  const shares = classes.flatMap((text) => {
    const weight = Number(/weight = (\d+)/.exec(text)![1]);
    const tasks = [...text.matchAll(/@task(?:\((\d+)\))?\s+def (\w+)/g)];
    const total = tasks.reduce((sum, [, share = '1']) => sum + Number(share), 0);
    return tasks.map(([, share = '1', name]) => [
      name!.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
      (weight * Number(share)) / total,
    ]);
  });
  assert.deepEqual(
    compiled.journeys.map(({ name, weight }) => [name, weight]),
    shares,
  );
});
