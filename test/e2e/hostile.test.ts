import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { ReportDocument } from '../../src/model/documents.ts';
import { readRun } from '../../src/session/stored-run.ts';
import { MAIN, runCli, temporaryFolder } from '../support/cli.ts';
import { spawnSync } from 'node:child_process';

/** What a log line, a header or an answer may hold to act on a reader. */
const HOSTILE = ['<script>alert(1)</script>', '\u001b]0;owned\u0007', '=cmd()', '__proto__', '"><img src=x>'];

/** Anything but printable text, line breaks and tabs. */
const ACTING = /[^\t\n\r\P{Cc}]|\p{Cf}/u;

async function serve(t: TestContext, answer: (socket: Socket) => void): Promise<string> {
  const server: Server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', () => answer(socket));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('no line of a hostile log acts: in the model, in errors, on the terminal', async (t) => {
  const folder = temporaryFolder(t);
  const lines = HOSTILE.flatMap((text, i) => [
    `1761750000${i}00 10.0.0.${i} GET /${text} 200 3`,
    `1761750000${i}50 ${text} GET /a?${text}=${text} 200 3`,
    text,
  ]);
  writeFileSync(join(folder, 'hostile.log'), `${lines.join('\n')}\n`);
  for (const args of [
    ['model', 'hostile.log', '--window', 'all', '--format', 'simple'],
    ['model', 'hostile.log', '--window', 'all', '--format', 'simple', '--json'],
    ['report', '\u001b]0;x\u0007'],
    ['nothing\u001b[2J'],
  ]) {
    const { stdout, stderr, code } = await runCli(args, folder);
    assert.doesNotMatch(stdout, ACTING, args.join(' '));
    assert.doesNotMatch(stderr, ACTING, args.join(' '));
    assert.ok(code === 0 || code === 2, `${args.join(' ')}: ${code} ${stderr}`);
  }
});

test('a zip bomb and a line without end cost bounded memory, and are refused or counted', (t) => {
  const folder = temporaryFolder(t);
  // 16 MB of one line, a few KB on the disk.
  const line = Buffer.alloc(16e6, 'a');
  writeFileSync(join(folder, 'bomb.log.gz'), gzipSync(line, { level: 1 }));
  writeFileSync(join(folder, 'one-line.log'), line);
  for (const file of ['bomb.log.gz', 'one-line.log']) {
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--max-old-space-size=80', MAIN, 'model', file, '--window', 'all'],
      { cwd: folder, encoding: 'utf8' },
    );
    assert.equal(status, 2, `${file}: ${stderr}`);
    assert.match(stderr, /\[log-[a-z-]+\]/);
  }
});

const HEAD = 'HTTP/1.1 200 OK\r\n';
const answers: readonly { readonly title: string; readonly answer: (socket: Socket) => void }[] = [
  {
    title: 'a chunked body without end',
    answer: (socket) => {
      socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`);
      const more = (): void => {
        if (!socket.destroyed) socket.write(`4000\r\n${'x'.repeat(0x4000)}\r\n`, () => setTimeout(more, 5));
      };
      more();
    },
  },
  {
    title: 'a flood of headers',
    answer: (socket) => {
      socket.write(HEAD);
      const more = (): void => {
        if (!socket.destroyed) socket.write(`X-A: ${'y'.repeat(9000)}\r\n`, () => setTimeout(more, 1));
      };
      more();
    },
  },
  { title: 'garbage', answer: (socket) => socket.write('\u001b[2J\0\0 this is no HTTP\r\n\r\n') },
  {
    title: 'a redirect to somewhere else',
    answer: (socket) =>
      socket.write(`HTTP/1.1 302 F\r\nLocation: http://198.51.100.7/\r\nContent-Length: 0\r\n\r\n`),
  },
];

test('answers without end, floods, garbage and redirects elsewhere: outcomes with their names, in bounded time', async (t) => {
  const folder = temporaryFolder(t);
  // The first answer, to the question whether it is ready, is a good one.
  let count = 0;
  const url = await serve(t, (socket) => {
    count += 1;
    if (count === 1) socket.write(`${HEAD}Content-Length: 0\r\n\r\n`);
    else answers[count % answers.length]!.answer(socket);
  });
  const args = `run ${url} -c 4 -z 3s --warmup 0s --timeout 500ms --follow 3 --json -o out`.split(' ');
  const { code, stdout, stderr } = await runCli(args, folder);
  assert.equal(code, 3, stderr);
  assert.doesNotMatch(stdout + stderr, ACTING);
  const [step] = (JSON.parse(stdout) as ReportDocument).steps;
  assert.equal(step!.completionCount, 0);
  assert.ok(step!.errorCount > 0);
  const record = await readRun(join(folder, 'out'));
  const codes = Object.keys(record.measurements[0]!.errorCodes);
  for (const expected of ['timeout', 'malformed-response', 'url-not-yours'])
    assert.ok(codes.includes(expected), `${expected} is not among ${codes.join(', ')}`);
});
