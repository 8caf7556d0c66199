import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePort } from '../../src/host/free-port.ts';
import { MAIN, temporaryFolder, twoRoutesCommand } from '../support/cli.ts';

/** `script` of util-linux gives a command a terminal of its own. */
const SCRIPT = '/usr/bin/script';

test(
  'a run in a terminal takes the screen, ends at q with what was measured, and gives the screen back',
  {
    skip: existsSync(SCRIPT) ? false : `needs ${SCRIPT} to make a terminal`,
  },
  async (t) => {
    const folder = temporaryFolder(t);
    const port = await freePort();
    const words = [
      process.execPath,
      MAIN,
      'run',
      `http://127.0.0.1:${port}/items/1`,
      '-c',
      '2,4',
      '-z',
      '20s',
      '--start',
      '"$SERVICE"',
      '-o',
      'out',
    ];
    writeFileSync(join(folder, 'run.sh'), `exec ${words.join(' ')}\n`);
    const made = spawnSync('sh', ['-c', `(sleep 6; printf q; sleep 10) | ${SCRIPT} -qec 'sh run.sh' typed`], {
      cwd: folder,
      encoding: 'utf8',
      timeout: 60_000,
      env: { ...process.env, TERM: 'xterm-256color', SERVICE: twoRoutesCommand(port) },
    });
    const typed = readFileSync(join(folder, 'typed'), 'utf8');
    assert.equal(made.status, 130, made.stdout + made.stderr);
    const entered = typed.indexOf('\u001b[?1049h');
    const left = typed.indexOf('\u001b[?1049l');
    assert.ok(entered >= 0 && left > entered, 'the alternate screen is entered and left');
    assert.match(typed.slice(entered, left), /throughput +\d/);
    assert.ok(!typed.slice(left).includes('\u001b[?1049h'), 'the screen is not taken again');
    const record = JSON.parse(readFileSync(join(folder, 'out', 'record.json'), 'utf8')) as {
      manifest: { state: string };
      totals: { byRoute: { answeredCount: number }[] };
    };
    assert.equal(record.manifest.state, 'interrupted');
    assert.ok(record.totals.byRoute[0]!.answeredCount > 0);
  },
);
