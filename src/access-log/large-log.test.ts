import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { logText } from '../../test/support/log-source.ts';
import { ShiploadError } from '../errors.ts';
import { buildWorkload } from '../workload/build-workload.ts';
import { readLog, type LogSource } from './read-log.ts';

const two = (value: number): string => String(value).padStart(2, '0');

/** A log of an hour whose minutes 20 to 30 are twice as busy, its lines a little out of order. */
function hourLog(): string {
  const lines: string[] = [];
  for (let second = 0; second < 3600; second += 1)
    for (let n = 0; n < (second >= 1200 && second < 1800 ? 2 : 1); n += 1) {
      const shown = second % 7 === 3 ? second - 3 : second;
      const time = `30/Nov/2026:10:${two(Math.floor(shown / 60))}:${two(shown % 60)} +0000`;
      lines.push(
        `10.0.${second % 9}.${n} - - [${time}] "GET /item/${second % 50} HTTP/1.1" 200 9 "-" "agent" 0.${two(second % 97)}1`,
      );
    }
  return `${lines.join('\n')}\n`;
}

function reopenable(content: string | Uint8Array, chunkBytes: number): LogSource & { parts: number[][] } {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const parts: number[][] = [];
  return {
    ...logText(bytes, chunkBytes),
    parts,
    reopen: (from, to) => {
      parts.push([from, to]);
      return logText(bytes.slice(from, to), chunkBytes).chunks;
    },
  };
}

const keep = { busiestSeconds: 600 };
const window = 'busiest:10m';

for (const [what, content] of [
  ['plain', hourLog()],
  ['with a byte order mark', `\ufeff${hourLog()}`],
  ['packed', gzipSync(hourLog())],
] as const)
  test(`a log too large to keep gives the model of one kept whole: ${what}`, async () => {
    const source = reopenable(content, 4096);
    const twice = await readLog([source], { keep, rowLimit: 100 });
    const once = await readLog([logText(content)]);
    assert.ok(twice.rowCount < once.rowCount / 2, `${twice.rowCount} of ${once.rowCount} rows`);
    assert.deepEqual(twice.lines, once.lines);
    assert.equal(
      twice.notices.some((notice) => notice.code === 'log-rows-of-window'),
      true,
    );
    const [small, whole] = [twice, once].map((table) => buildWorkload(table, { window }));
    // That it was read twice is said, and is the only difference.
    assert.deepEqual({ ...small, warnings: [] }, { ...whole, warnings: [] });
    if (what === 'plain') assert.ok(source.parts.every(([from, to]) => to! - from! < content.length / 2));
  });

test('a log that comes only once is kept whole, however large', async () => {
  const table = await readLog([logText(hourLog())], { keep, rowLimit: 100 });
  assert.equal(table.rowCount, table.lines.ok);
  const long = await readLog([logText(hourLog().repeat(64))], { keep });
  assert.match(long.notices.find(({ code }) => code === 'log-kept-whole')!.message, /all 268800 requests/);
});

test('damaged gzip data is refused by name', async () => {
  const packed = gzipSync(hourLog());
  await assert.rejects(
    readLog([logText(packed.subarray(0, packed.length >> 1), 1024, 'cut.gz')]),
    (error: unknown) => error instanceof ShiploadError && error.code === 'log-binary',
  );
});
