import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { logText } from '../../test/support/log-source.ts';
import type { LogTable } from '../model/log-table.ts';
import { readLog } from './read-log.ts';

const LINE = '10.0.0.1 - - [30/Nov/2026:17:56:37 +0000] "GET /a HTTP/1.1" 200 25\n';
const GOOD = LINE.repeat(50);
const MOST_BYTES_HELD = 64 << 20;

/** Reads a log that is made while it is read, and looks at how much is held meanwhile. */
async function readStream(parts: () => Iterable<Uint8Array>): Promise<LogTable> {
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  async function* chunks(): AsyncIterable<Uint8Array> {
    for (const part of parts()) {
      most = Math.max(most, process.memoryUsage().arrayBuffers - before);
      yield part;
    }
  }
  const table = await readLog([{ name: 'made.log', chunks: chunks() }]);
  assert.ok(most < MOST_BYTES_HELD, `${most} bytes were held`);
  return table;
}

test('a line of a gigabyte is one line that does not fit, and is not kept', async () => {
  const piece = Buffer.alloc(1 << 20, 'x');
  const { lines, lineExamples } = await readStream(function* () {
    yield Buffer.from(GOOD);
    for (let i = 0; i < 1024; i += 1) yield piece;
    yield Buffer.from(`\n${GOOD}`);
  });
  assert.deepEqual(lines, { total: 101, blank: 0, comment: 0, ok: 100, badRequest: 0, unparsed: 1 });
  assert.equal(lineExamples[0]!.line, 51);
  assert.match(lineExamples[0]!.reason, /longer than/);
});

test('a small packed file that unpacks to many megabytes is read as it unpacks', async () => {
  const bomb = gzipSync(Buffer.alloc(1 << 24));
  const { lines } = await readStream(function* () {
    yield gzipSync(GOOD);
    for (let i = 0; i < 4; i += 1) yield bomb;
    yield gzipSync(`\n${GOOD}`);
  });
  assert.deepEqual(lines, { total: 101, blank: 0, comment: 0, ok: 100, badRequest: 0, unparsed: 1 });
});

for (const [what, line, count] of [
  ['NUL bytes', '\0\0\0 \0\n', { unparsed: 1 }],
  ['bytes that are no UTF-8', `${LINE.slice(0, 50)}\xff\xfe${LINE.slice(50)}`, { ok: 51 }],
  ['a byte order mark', `\xef\xbb\xbf${LINE}`, { ok: 51 }],
  ['a carriage return within', `${LINE.slice(0, 20)}\r${LINE.slice(20)}`, { unparsed: 1 }],
  ['carriage returns at the end', `${LINE.trim()}\r\r\n`, { unparsed: 1 }],
] as const)
  test(`${what} in a line: it is counted once, and its fellows are read`, async () => {
    for (const chunkBytes of [7, 1 << 16]) {
      const bytes = Buffer.from(GOOD + line, 'latin1');
      const { lines } = await readLog([logText(bytes, chunkBytes)]);
      assert.deepEqual(lines, {
        total: 51,
        blank: 0,
        comment: 0,
        ok: 50,
        badRequest: 0,
        unparsed: 0,
        ...count,
      });
    }
  });

test('a file whose lines end in carriage returns alone is refused for that reason', async () => {
  await assert.rejects(readLog([logText(GOOD.replaceAll('\n', '\r'))]), /carriage return/);
});

test('a log whose every request is another keeps as many texts as are allowed, and says what it put together', async () => {
  const lines = Array.from({ length: 300 }, (_, index) =>
    LINE.replace('/a ', `/a${index} `).replace('.0.1 ', `.1.${index % 250} `),
  );
  const table = await readLog([logText(lines.join(''))], { textLimit: { texts: 100, bytes: 1 << 20 } });
  assert.equal(table.rowCount, 300);
  assert.equal(table.targets.length, 101);
  assert.equal(table.targets.at(table.targetIds[299]!), '/[too-many-targets]');
  assert.equal(table.clients.at(table.clientIds[249]!), '-');
  const capped = table.notices.filter(({ code }) => code === 'texts-capped').map(({ message }) => message);
  assert.equal(capped.length, 2);
  assert.match(capped[0]!, /distinct targets.*: 200 requests/);
});
