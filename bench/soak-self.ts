import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { testEngine } from '../src/session/self-test.ts';

/**
 * `npm run soak:self -- --minutes 30`: the generator at half of what it can honestly send here, watched by another
 * run's drift analysis: the tool loads an echo server and is itself the process under watch.
 */
const { values } = parseArgs({ options: { minutes: { type: 'string', default: '30' } } });

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const main = path('../src/cli/main.js');

const { cpuSecondsPerRequest } = await testEngine();
const rate = Math.floor((0.5 * 0.8) / cpuSecondsPerRequest);
const echo = spawn(process.execPath, [path('../src/session/echo-server.js')], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
const [port] = (await once(echo.stdout.setEncoding('utf8'), 'data')) as [string];
const folder = join(mkdtempSync(join(tmpdir(), 'shipload-soak-')), 'self');
console.log(`${rate}/s for ${values.minutes} min, into ${folder}`);

// The shell's number is the tool's own once it has been replaced by it: --pid watches the generator itself.
const command =
  `exec '${process.execPath}' '${main}' run http://127.0.0.1:${Number(port)}/ --rate ${rate} --arrivals constant ` +
  `--shape soak -z ${values.minutes}m --warmup 20s --pid $$ -o '${folder}'`;
const tool = spawn('/bin/sh', ['-c', command], { stdio: ['ignore', 'inherit', 'inherit'] });
const [code] = (await once(tool, 'close')) as [number | null];
echo.stdin.end();
process.exitCode = code ?? 1;
