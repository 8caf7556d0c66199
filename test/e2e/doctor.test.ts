import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SCHEMAS } from '../../src/record/schema/index.ts';
import { runCli, temporaryFolder } from '../support/cli.ts';

test('doctor --json is a document of its schema, and its rate follows from its own figures', async (t) => {
  const { code, stdout, stderr } = await runCli(['doctor', '--json'], temporaryFolder(t));
  assert.equal(code, 0, stderr);
  const document = SCHEMAS['machine-check'].parse(JSON.parse(stdout));
  const { cpuSecondsPerRequest, errorCount, throughputPerSecond } = document.selfTest;
  assert.equal(errorCount, 0);
  assert.ok(document.honestRatePerSecond <= 0.8 / cpuSecondsPerRequest);
  // A generator of one thread cannot have used more than its core.
  assert.ok(throughputPerSecond * cpuSecondsPerRequest < 1.5);
  assert.deepEqual(
    document.checks.filter((check) => check.result !== 'good' && check.advice === undefined),
    [],
  );
});
