import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logText } from '../../test/support/log-source.ts';
import { readLog, type LogSource } from './read-log.ts';
import { scanPart } from './scanned-part.ts';

/** Twenty minutes with a busy stretch, every fiftieth line broken and every seventieth a bad request. */
const LINES = Array.from({ length: 4000 }, (_, index) => {
  const second = Math.floor(index / 4) % 60;
  const stamp = `30/Nov/2026:10:${String(10 + Math.floor(index / 240)).padStart(2, '0')}:${String(second).padStart(2, '0')} +0000`;
  if (index % 50 === 17) return `line ${index} is none`;
  const request = index % 70 === 3 ? '-' : `GET /item/${index % 90} HTTP/1.1`;
  return `10.0.0.${index % 40} - - [${stamp}] "${request}" 200 9 "-" "agent" 0.0${index % 10}`;
});

function partedLog(text: string, cuts: readonly number[]): LogSource {
  const bytes = new TextEncoder().encode(text);
  const reopen = (from: number, to: number): LogSource['chunks'] =>
    logText(bytes.slice(from, to), 5000).chunks;
  const source = { ...logText(bytes), byteLength: Infinity, reopen };
  const ends = [...cuts.map((cut) => bytes.indexOf(10, cut) + 1), bytes.length];
  return {
    ...source,
    scanParts: (format) =>
      Promise.all(
        ends.map((end, index) => scanPart({ ...logText(bytes), reopen }, format, ends[index - 1] ?? 0, end)),
      ),
  };
}

const plain = async (source: LogSource): Promise<unknown> => {
  const { targets, clients, agents, methods, ...table } = await readLog([source], {
    keep: { busiestSeconds: 300 },
    rowLimit: 1000,
  });
  const texts = [targets, clients, agents, methods].map((list) =>
    Array.from({ length: list.length }, (_, id) => list.at(id)),
  );
  return { ...table, texts };
};

for (const [what, text] of [
  ['lines', `${LINES.join('\n')}\n`],
  ['lines, the last without a break', LINES.join('\n')],
  ['lines in another order, ended by CRLF', `${LINES.toReversed().join('\r\n')}\r\n`],
] as const)
  test(`a log counted in parts gives the table of one counted whole: ${what}`, async () => {
    const whole = await plain(partedLog(text, []));
    for (const cuts of [[100_000], [3, 50_000, 50_100, 200_000]])
      assert.deepEqual(await plain(partedLog(text, cuts)), whole);
  });
