import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openInput } from '../src/cli/run-input.ts';
import { parseTargets } from '../src/cli/run-request.ts';
import { withPlanFile } from '../src/cli/plan-file-input.ts';
import { planFileFor } from '../src/cli/plan-file-text.ts';
import { ShiploadError } from '../src/errors.ts';
import type { ReportDocument } from '../src/model/documents.ts';
import type { Step } from '../src/model/load.ts';
import { modelLogs } from '../src/session/open-workload.ts';
import { realTimeTest } from './support/calm.ts';
import { runCli, temporaryFolder } from './support/cli.ts';
import { fixture, shared, skipWithout } from './support/paths.ts';
import { startShop } from './support/shop-service.ts';

const NOTHING_CHECKED = () => {};

const logsOf = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => /\.(log|jsonl|tsv)$/.test(name))
    .map((name) => join(folder, name));

const loadOf = ({ driver }: Step): number | undefined =>
  driver.kind === 'closed' ? driver.users : driver.kind === 'open' ? driver.arrivalRatePerSecond : undefined;

const GIVEN = { given: new Set<string>(), check: NOTHING_CHECKED };
const FOLDERS = [fixture('logs'), fixture('logs', 'gen'), shared('logs')];

/** Every log there is: what `init` writes is a plan that `run` takes, and each of its targets is judged at a step. */
for (const folder of FOLDERS)
  test(
    `init of each log of ${folder ?? 'the shared ones'} is a plan that can be run and judged`,
    { skip: skipWithout(folder) },
    async (t) => {
      const path = join(temporaryFolder(t), 'plan.yaml');
      const logs = logsOf(folder!);
      assert.ok(logs.length > 0);
      for (const log of logs) {
        const run = openInput(log, [], { url: new URL('http://127.0.0.1') }, GIVEN);
        const refused = await run.then(
          () => undefined,
          (error: unknown) => error,
        );
        const init = async (): Promise<string> =>
          planFileFor({ kind: 'log', path: log, workload: await modelLogs([log], {}) });
        if (refused instanceof ShiploadError && refused.code !== 'option-invalid') {
          // Nothing of it can be sent: `init` says what `run` would say.
          await assert.rejects(init, { code: refused.code, message: refused.message }, log);
          continue;
        }
        writeFileSync(path, await init());
        const { input, options } = await withPlanFile(path, {}, new Set());
        const targets = parseTargets(options);
        const { load } = await openInput(input, targets, options, GIVEN);
        const loads = load.plan.steps.map(loadOf);
        for (const { text, load: at } of targets)
          assert.ok(loads.includes(at), `${log}: ${text} in ${String(loads)}`);
        assert.ok(targets.length > 0, log);
      }
    },
  );

test('a plan reads its log as init has read it, whatever the log is called', async (t) => {
  const folder = temporaryFolder(t);
  const line = (second: number, path: string): string =>
    `10.0.0.${second % 7} - - [01/Dec/2026:10:00:${String(second % 60).padStart(2, '0')} +0000] "GET ${path} HTTP/1.1" 200 5 "-" "A"`;
  const lines = Array.from({ length: 120 }, (_, i) => line(Math.floor(i / 2), `/files/a${i}`));
  writeFileSync(join(folder, '2026'), `${lines.join('\n')}\n`);
  writeFileSync(join(folder, 'routes.txt'), '/files/[name]\n');
  const args = ['init', '2026', '--routes', 'routes.txt', '--window', 'all', '--session-timeout', '60s'];
  const { code, stderr } = await runCli([...args, '--keep-values'], folder);
  assert.equal(code, 0, stderr);
  const { options } = await withPlanFile(join(folder, 'shipload.yaml'), {}, new Set());
  assert.deepEqual(
    [options.window, options.sessionTimeout, options.keepValues, options.routes],
    ['all', 60, true, join(folder, 'routes.txt')],
  );
  const { code: dry, stdout, stderr: said } = await runCli(['run', '--dry-run'], folder);
  assert.equal(dry, 0, said);
  assert.match(stdout, /\(as \/files\/\[name\]\)/);
});

test('init takes a workload as it takes the log', async (t) => {
  const folder = temporaryFolder(t);
  const log = fixture('logs', 'catalogue-small.log');
  assert.equal((await runCli(['model', log, '-o', 'w.json'], folder)).code, 0);
  assert.equal((await runCli(['init', 'w.json'], folder)).code, 0);
  const { code, stderr } = await runCli(['run', '--dry-run'], folder);
  assert.equal(code, 0, stderr);
});

realTimeTest('the first path: init of a log, its url and targets edited, run, judged', async (t) => {
  const folder = temporaryFolder(t);
  const { url, seen } = await startShop(t);
  // Twenty requests a second of clients who never pause long enough to tell how: requests per second are the load.
  const lines = Array.from({ length: 20 * 90 }, (_, i) => {
    const second = Math.floor(i / 20);
    const clock = `10:0${Math.floor(second / 60)}:${String(second % 60).padStart(2, '0')}`;
    return `10.0.0.1 - - [01/Dec/2026:${clock} +0000] "GET /books${i % 4 === 0 ? '' : `/${i % 3}`} HTTP/1.1" 200 5`;
  });
  writeFileSync(join(folder, 'access.log'), `${lines.join('\n')}\n`);
  const written = await runCli(['init', 'access.log'], folder);
  assert.equal(written.code, 0, written.stderr);
  const path = join(folder, 'shipload.yaml');
  const plan = readFileSync(path, 'utf8');
  assert.match(plan, /rate: \[1, 3, 5, 10, 15, 20, 25, 30\]/);
  assert.match(plan, /- "p95 of \/books\/\[id\] <= 200 ms at 20\/s"/);
  const edited = plan
    .replace(/url: .*/, `url: ${url}`)
    .replaceAll('p95 of', 'p50 of')
    .replace(/^  rate: .*/m, '  rate: [10, 20]')
    .replace(/^  step: .*/m, '  step: 5s')
    .replace(/^  warmup: .*/m, '  warmup: 1s');
  writeFileSync(path, edited);
  const { stdout, stderr } = await runCli(['run', '--json'], folder);
  const { verdict, steps } = JSON.parse(stdout) as ReportDocument;
  assert.deepEqual(
    verdict.checks.map(({ target, result }) => [target, result]),
    [
      ['p50 of /books/[id] <= 200 ms at 20/s', 'pass'],
      ['p50 of /books <= 200 ms at 20/s', 'pass'],
    ],
    stderr,
  );
  assert.deepEqual(
    steps.map(({ arrivalRatePerSecond }) => arrivalRatePerSecond),
    [10, 20],
  );
  // What the run sends is the log's mix: a quarter lists, within four standard errors of so many draws.
  const sent = seen.filter(({ line }) => line.startsWith('GET /books'));
  const lists = sent.filter(({ line }) => line === 'GET /books').length;
  assert.ok(Math.abs(lists / sent.length - 0.25) < 4 * Math.sqrt((0.25 * 0.75) / sent.length), `${lists}`);
});
