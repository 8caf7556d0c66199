import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ReportDocument } from '../../src/model/documents.ts';
import { runCli, temporaryFolder } from '../support/cli.ts';
import { ROOT } from '../support/paths.ts';
import { startShop } from '../support/shop-service.ts';

const EXAMPLES = join(ROOT, 'examples');

for (const name of readdirSync(EXAMPLES).filter((file) => file.endsWith('.ts')))
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
