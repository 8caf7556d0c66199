import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logText } from '../../test/support/log-source.ts';
import type { LogTable } from '../model/log-table.ts';
import type { LogSource } from './log-source.ts';
import { readLog } from './read-log.ts';

const stampOf = (second: number): string =>
  `30/Nov/2026:12:${String(Math.floor(second / 60) % 60).padStart(2, '0')}:${String(second % 60).padStart(2, '0')} +0000`;

const isoOf = (second: number): string =>
  new Date(Date.parse('2026-11-30T12:00:00Z') + second * 1000).toISOString().replace('.000Z', '+00:00');

const combined = (index: number): string =>
  `10.0.0.${index % 9} - - [${stampOf(index)}] "GET /a/${index} HTTP/1.1" 200 10 "-" "agent"`;
const nginxTimed = (index: number): string => `${combined(index)} 0.250`;
const apacheTimed = (index: number): string => `${combined(index)} D=250000`;
const json = (index: number): string =>
  `{"time":"${isoOf(index)}","remote_addr":"10.0.0.${index % 9}","request":"GET /a/${index} HTTP/1.1","status":200,"request_time":0.25,"http_user_agent":"a \\"quoted\\" \\\\ agent"}`;
const simple = (index: number): string =>
  `${Date.parse('2026-11-30T12:00:00Z') + index * 1000} 10.0.0.1 GET /a/${index} 200 250`;
const junk = (index: number): string => `panic: something broke at ${index}`;

const lines = (count: number, line: (index: number) => string, from = 0): string =>
  Array.from({ length: count }, (_, index) => `${line(from + index)}\n`).join('');

/** A source that can be opened again, as a file can. */
function file(text: string, name = 'access.log'): LogSource {
  const bytes = new TextEncoder().encode(text);
  const reopen = (from: number, to: number): LogSource['chunks'] =>
    logText(bytes.subarray(from, Math.min(to, bytes.length))).chunks;
  return { ...logText(bytes, 1 << 12, name), reopen };
}

const read = (text: string): Promise<LogTable> => readLog([file(text)]);

const CASES: readonly (readonly [
  what: string,
  text: string,
  format: string,
  durations: number,
  at: number,
])[] = [
  [
    'durations are added',
    lines(600, combined) + lines(600, nginxTimed, 600),
    'combined + nginx-timed',
    600,
    601,
  ],
  [
    'durations are taken away',
    lines(600, nginxTimed) + lines(300, combined, 600),
    'nginx-timed + combined',
    600,
    601,
  ],
  [
    'Apache, whose plain lines do not say so',
    lines(600, combined) + lines(90, apacheTimed, 600),
    'combined + apache-timed',
    90,
    601,
  ],
  [
    'behind many lines of junk',
    lines(600, combined) + lines(200, junk) + lines(900, nginxTimed, 600),
    'combined + nginx-timed',
    900,
    801,
  ],
  [
    'by turns',
    Array.from(
      { length: 300 },
      (_, index) => lines(1, combined, 2 * index) + lines(1, nginxTimed, 2 * index + 1),
    ).join(''),
    'combined + nginx-timed',
    300,
    2,
  ],
];

const turns = (count: number, ...formats: readonly ((index: number) => string)[]): string =>
  lines(count, (index) => formats[index % formats.length]!(index));

const MIXED: typeof CASES = [
  [
    'JSON after the change of the configuration',
    lines(600, combined) + lines(300, json, 600),
    'combined + json',
    300,
    601,
  ],
  ['back from JSON', lines(600, json) + lines(300, combined, 600), 'json + combined', 600, 601],
  ['two writers by turns', turns(900, json, combined), 'json + combined', 450, 1],
  [
    'two writers by turns, one with more lines',
    turns(900, combined, combined, json),
    'combined + json',
    300,
    3,
  ],
  [
    'three writers by turns, none with half of the lines',
    turns(900, json, json, json, json, apacheTimed, apacheTimed, apacheTimed, simple, simple),
    'apache-timed + json + simple',
    900,
    5,
  ],
  ['three by turns with junk', turns(1200, simple, combined, json, junk), 'simple + combined + json', 600, 2],
];

const once = (text: string): LogSource => {
  const { chunks, name } = file(text);
  return { chunks, name };
};

for (const [how, sourceOf] of [
  ['a file', file],
  ['a log that comes only once', once],
] as const)
  for (const [what, text, format, durations, at] of [...CASES, ...MIXED])
    test(`${how} that changes its format is read with both: ${what}`, async () => {
      const table = await readLog([sourceOf(text)]);
      const counts = table.lines;
      const isJunk = text.match(/^panic/gm)?.length ?? 0;
      assert.deepEqual(
        [counts.total, counts.ok, counts.unparsed],
        [text.split('\n').length - 1, counts.total - isJunk, isJunk],
      );
      assert.equal(table.rowCount, counts.ok);
      // Which of the others is found first is a matter of their share.
      assert.deepEqual(table.format.split(' + ').sort(), format.split(' + ').sort());
      assert.equal(Array.from(table.responseTimeSeconds).filter((value) => value === 0.25).length, durations);
      const notice = table.notices.find(({ code }) => code === 'format-changes')!;
      assert.equal(notice.where, `access.log:${at}`);
    });

test('what is known of the stamps of some lines holds for those that do not tell', async () => {
  const table = await read(lines(600, combined) + lines(600, apacheTimed, 600));
  assert.equal(table.timestampMeaning, 'start');
  const [first] = Array.from(table.atSeconds).sort((a, b) => a - b);
  assert.equal(first, Date.parse('2026-11-30T12:00:00Z') / 1e3);
});

test('the rows of lines of two formats are those of each alone, whatever they stamp and escape', async () => {
  const table = await read(turns(600, apacheTimed, json));
  const starts = Array.from(table.atSeconds).sort((a, b) => a - b);
  const zero = Date.parse('2026-11-30T12:00:00Z') / 1e3;
  // Apache stamps starts; nginx ends, a quarter of a second later.
  const wanted = Array.from({ length: 600 }, (_, index) => zero + index - (index % 2 === 0 ? 0 : 0.25));
  assert.deepEqual(
    starts,
    wanted.sort((a, b) => a - b),
  );
  assert.deepEqual(
    new Set(Array.from(table.agentIds, (id) => table.agents.at(id))),
    new Set(['agent', 'a "quoted" \\ agent']),
  );
});

test('two formats of which one says no time are refused, with the line and both names', async () => {
  const uvicorn = (index: number): string => `INFO:     10.0.0.1:123 - "GET /a/${index} HTTP/1.1" 200 OK`;
  for (const sourceOf of [file, once])
    await assert.rejects(readLog([sourceOf(lines(600, combined) + lines(300, uvicorn))]), {
      code: 'log-format-unknown',
      where: 'access.log:601',
      message: /from combined, stamped at the end, to uvicorn, which says no time/,
    });
});

test('a file that changes beside a log that comes only once is read with both, and neither is lost', async () => {
  const table = await readLog([
    file(lines(600, combined) + lines(300, json, 600), 'a.log'),
    once(lines(100, json)),
  ]);
  assert.deepEqual([table.lines.ok, table.lines.unparsed], [1000, 0]);
});

test('what waits for a further format is bounded, counted in the end, and shown with its place', async () => {
  const long = `junk ${'x'.repeat(1 << 16)}`;
  const table = await readLog([once(lines(3000, combined) + lines(800, () => long) + lines(900, json))]);
  const { total, ok, unparsed } = table.lines;
  assert.deepEqual([total, ok, unparsed], [4700, 3900, 800]);
  assert.deepEqual(
    table.lineExamples.map(({ line }) => line),
    [3001, 3002, 3003, 3004, 3005],
  );
});

test('fewer than one line in a hundred stay unparsed, with examples', async () => {
  const table = await read(lines(995, combined) + lines(5, nginxTimed));
  assert.deepEqual([table.format, table.lines.unparsed], ['combined', 5]);
  assert.equal(table.lineExamples.length, 5);
});

test('a file read by pieces into one buffer is no other', async () => {
  const bytes = Buffer.from(lines(600, combined) + lines(600, nginxTimed, 600));
  async function* pieces(from = 0): AsyncGenerator<Buffer> {
    const buffer = Buffer.alloc(4096);
    for (let at = from; at < bytes.length; at += buffer.length)
      yield buffer.subarray(0, bytes.copy(buffer, 0, at));
  }
  const table = await readLog([{ name: 'access.log', chunks: pieces(), reopen: (from) => pieces(from) }]);
  assert.deepEqual([table.format, table.lines.ok], ['combined + nginx-timed', 1200]);
});

test('a format that was given is the only one', async () => {
  const table = await readLog([file(lines(600, combined) + lines(300, nginxTimed))], { format: 'combined' });
  assert.equal(table.lines.unparsed, 300);
});

test('a large log that changes its format keeps the rows of the window from both parts', async () => {
  const text = lines(2000, combined) + lines(1000, nginxTimed, 2000);
  const start = Date.parse('2026-11-30T12:00:00Z') / 1e3;
  const keep = { fromSeconds: start + 1990, toSeconds: start + 2010 };
  const table = await readLog([file(text)], { keep, rowLimit: 100 });
  const inWindow = Array.from(table.atSeconds).filter((at) => at >= keep.fromSeconds && at < keep.toSeconds);
  // Ten stamped at their starts, and eleven stamped a quarter of a second later.
  assert.equal(inWindow.length, 21);
  assert.equal(table.lines.ok, 3000);
});
