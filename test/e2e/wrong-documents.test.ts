import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCli, temporaryFolder } from '../support/cli.ts';
import { toIsolationDocument, toReportDocument } from '../../src/report/json.ts';
import { sampleIsolation, sampleRecord, sampleWorkload } from '../support/sample-record.ts';

/** A command with a document of another kind than it takes, and what the message names. */
const MISTAKES: readonly (readonly [command: string, says: RegExp])[] = [
  ['model record.json', /this is a run, not an access log[\s\S]*shipload report, analyze/],
  ['model workload.json', /this is a workload, not an access log[\s\S]*shipload run/],
  ['model run-folder', /run-folder is a run, not a log[\s\S]*shipload report/],
  ['analyze workload.json', /this is a workload, not a run record[\s\S]*shipload run, init, isolate/],
  ['analyze workload.txt', /this is a workload, not a run record[\s\S]*shipload run/],
  ['report isolation.json', /this is an isolation, not a run record[\s\S]*shipload predict/],
  ['explain report.json knee.users', /this is a report, not a run record/],
  ['predict workload.json', /this is a workload, not a run record/],
  ['predict isolation.json isolation.json', /this is an isolation, not a workload/],
  ['compare workload.json record.json', /this is a workload, not a run record/],
  ['run isolation.json --url http://127.0.0.1:9', /this is an isolation, not a workload/],
  ['predict access.log', /not JSON[\s\S]*shipload model/],
];

test('a document of the wrong kind is named, and so is the command that takes it', async (t) => {
  const folder = temporaryFolder(t);
  const write = (name: string, value: unknown, indent = 0): void =>
    writeFileSync(join(folder, name), JSON.stringify(value, null, indent));
  write('record.json', sampleRecord());
  write('workload.json', sampleWorkload(), 1);
  write('workload.txt', sampleWorkload(), 1);
  write('isolation.json', toIsolationDocument(sampleIsolation()), 1);
  write('report.json', toReportDocument(sampleRecord()), 1);
  mkdirSync(join(folder, 'run-folder'));
  write('run-folder/run.json', sampleRecord().manifest);
  writeFileSync(
    join(folder, 'access.log'),
    '127.0.0.1 - - [01/Jan/2026:00:00:00 +0000] "GET / HTTP/1.1" 200 5\n',
  );
  for (const [command, says] of MISTAKES) {
    const { code, stderr, stdout } = await runCli(command.split(' '), folder);
    assert.equal(code, 2, `${command}: ${stderr}`);
    assert.match(stderr, says, command);
    assert.equal(stdout, '', command);
  }
});
