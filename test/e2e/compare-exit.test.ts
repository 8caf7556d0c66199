import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { RunRecord } from '../../src/model/record.ts';
import { baselineText } from '../../src/session/baseline.ts';
import { runCli, temporaryFolder } from '../support/cli.ts';
import { sampleAfterRecord, sampleRecord } from '../support/sample-record.ts';

/** A baseline keeps a verdict as it was drawn; a run folder is concluded anew. */
function baseline(folder: string, name: string, record: RunRecord): string {
  const path = join(folder, `${name}.json`);
  writeFileSync(path, baselineText({ records: [record] }));
  return path;
}

test('a build does not read an invalid run, or one with nothing in common, as a calm one', async (t) => {
  const folder = temporaryFolder(t);
  const good = sampleAfterRecord();
  const steps = good.analysis.steps.map((row) => ({ ...row, users: (row.users ?? 0) + 7 }));
  const paths = {
    good: baseline(folder, 'good', good),
    worse: baseline(folder, 'worse', sampleRecord()),
    invalid: baseline(folder, 'invalid', { ...good, verdict: { ...good.verdict, decision: 'invalid' } }),
    unlike: baseline(folder, 'unlike', { ...good, analysis: { ...good.analysis, steps } }),
  };
  for (const [after, code] of [
    ['good', 0],
    ['worse', 1],
    ['invalid', 3],
    ['unlike', 3],
  ] as const)
    assert.equal((await runCli(['compare', paths.good, paths[after]], folder)).code, code, after);
});
