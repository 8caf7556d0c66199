import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
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

test(
  'nothing that a service or a scenario says acts on the terminal or shows a secret, on the screen or when it is given back',
  { skip: existsSync(SCRIPT) ? false : `needs ${SCRIPT} to make a terminal` },
  async (t) => {
    const folder = temporaryFolder(t);
    const server = createServer((_, response) =>
      response.end('\u009b31mred\u009d0;title\u009c \u202eback token=Zq7Pl4nted1'),
    ).listen(0, '127.0.0.1');
    t.after(() => server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const url = `http://user:Zq7Pl4nted2@127.0.0.1:${(server.address() as AddressInfo).port}/?token=Zq7Pl4nted3`;
    writeFileSync(
      join(folder, 'scenario.ts'),
      `import { scenario } from 'shipload';
      export default scenario({ journeys: { a: async (user) => void (await user.get('/')).json('x') } });`,
    );
    const command = `exec '${process.execPath}' '${MAIN}' run scenario.ts --url '${url}' --users 2 --step 3s --warmup 1s --think 100ms -o out`;
    writeFileSync(join(folder, 'run.sh'), `${command}\n`);
    await new Promise<void>((resolve) => {
      const env = { ...process.env, TERM: 'xterm-256color' };
      const child = execFile(
        SCRIPT,
        ['-qec', 'sh run.sh', 'typed'],
        { cwd: folder, env, timeout: 60_000 },
        () => resolve(),
      );
      child.stdin!.end();
    });
    const typed = readFileSync(join(folder, 'typed'), 'utf8');
    assert.ok(typed.includes('\u001b[?1049h'), 'the screen was taken');
    assert.match(typed.slice(typed.lastIndexOf('\u001b[?1049l')), /is no JSON/, 'what was said follows');
    assert.doesNotMatch(typed, /[\u0080-\u009f\u202e]/);
    assert.doesNotMatch(typed, /Zq7Pl4nted/);
    // A terminal that does not know its size is as wide as most.
    assert.match(typed, /Loopback: no network delay, loss or bandwidth limit/);
  },
);
