import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { logFile, logText } from '../../test/support/log-source.ts';
import { fixture } from '../../test/support/paths.ts';
import { ShiploadError } from '../errors.ts';
import type { LogTable } from '../model/log-table.ts';
import { readLog } from './read-log.ts';

const gen = (name: string): string => fixture('logs', 'gen', name);

interface Row {
  readonly at: number;
  readonly client: string;
  readonly request: string;
  readonly status: number;
  readonly seconds: number;
}

const rowsOf = (table: LogTable): Row[] =>
  Array.from({ length: table.rowCount }, (_, row) => ({
    at: table.atSeconds[row]!,
    client: table.clients.at(table.clientIds[row]!)!,
    request: `${table.methods.at(table.methodIds[row]!)} ${table.targets.at(table.targetIds[row]!)}`,
    status: table.status[row]!,
    seconds: table.responseTimeSeconds[row]!,
  }));

const SERVER_LOGS = [
  ['apache-common.log', 'common', 17, 16, 1],
  ['apache-vhost-D.log', 'apache-timed', 17, 16, 1],
  ['nginx-combined.log', 'combined', 20, 18, 2],
  ['nginx-rt.log', 'nginx-timed', 20, 18, 2],
] as const;

for (const [name, format, total, ok, badRequest] of SERVER_LOGS)
  test(`a log of a real server is told and counted: ${name}`, async () => {
    const table = await readLog([logFile(gen(name))]);
    assert.equal(table.format, format);
    assert.deepEqual(table.lines, { total, blank: 0, comment: 0, ok, badRequest, unparsed: 0 });
    assert.equal(table.lineExamples.filter((example) => example.kind === 'badRequest').length, badRequest);
  });

test('a slow request has the start and duration that the wall clock showed', async () => {
  // True start and end by the clock beside the servers: nginx 1796061395.216–7.758, Apache …410.250–2.796.
  const nginx = rowsOf(await readLog([logFile(gen('nginx-rt.log'))]))[0]!;
  assert.deepEqual(
    [nginx.client, nginx.request, nginx.seconds],
    ['203.0.113.9', 'GET /slow?ms=2500&id=1', 2.517],
  );
  assert.ok(Math.abs(nginx.at - 1_796_061_395.237) < 1e-6);
  const apache = rowsOf(await readLog([logFile(gen('apache-vhost-D.log'))]))[0]!;
  assert.equal(apache.seconds, 2.503414);
  assert.ok(Math.abs(apache.at - 1_796_061_410.289462) < 1e-6);
});

test('a log without escapes is cut from both ends with its format string', async () => {
  const table = await readLog([logFile(gen('nginx-none.log'))], {
    format: `log_format plain escape=none '$remote_addr [$time_local] "$request" ' '$status "$http_user_agent"';`,
  });
  assert.deepEqual(table.lines, { total: 20, blank: 0, comment: 0, ok: 18, badRequest: 2, unparsed: 0 });
  const rows = rowsOf(table);
  assert.ok(rows.some((row) => row.request === 'GET /raw"quote\\backé' && row.status === 499));
  assert.equal(table.agents.at(table.agentIds[14]!), 'q"uote\\back ünï\ttab {br|ace}');
});

test('the same log is read alike by detection and by its format string', async () => {
  const [detected, given] = await Promise.all([
    readLog([logFile(gen('nginx-rt.log'))]),
    readLog([logFile(gen('nginx-rt.log'))], {
      format:
        '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent" "$http_x_forwarded_for" rt=$request_time uct="$upstream_connect_time" uht="$upstream_header_time" urt="$upstream_response_time" msec=$msec us=$upstream_status cr=$connection_requests rl=$request_length proto=$server_protocol',
    }),
  ]);
  assert.deepEqual(rowsOf(given), rowsOf(detected));
});

test('the chunks in which a log comes make no difference', async () => {
  const bytes = readFileSync(gen('nginx-rt.log'));
  const whole = rowsOf(await readLog([logText(bytes)]));
  for (const chunkBytes of [1, 7, 100, 1024])
    assert.deepEqual(rowsOf(await readLog([logText(bytes, chunkBytes)])), whole);
});

test('blank lines, comments, CRLF, a byte order mark and a missing last line break are no requests', async () => {
  const table = await readLog([
    logText('\ufeff# comment\r\n\r\n  \r\n1796000000201 c GET / 200 3\r\n1796000000202 c GET / 200 3'),
  ]);
  assert.deepEqual(table.lines, { total: 5, blank: 2, comment: 1, ok: 2, badRequest: 0, unparsed: 0 });
});

test('lines that stand in quotes of their own are read without them', async () => {
  const line = '"1.2.3.4 - - [22/Dec/2016:16:30:52 +0300] "GET /x HTTP/1.1" 303 382 "-" "agent""';
  const table = await readLog([logText(`${line}\n${line}\n`)]);
  assert.deepEqual(
    [table.format, rowsOf(table)[0]!.client, table.agents.at(1)],
    ['combined', '1.2.3.4', 'agent'],
  );
});

const REFUSED = [
  ['no bytes', '', 'log-empty', 'x.log'],
  ['only blank lines and comments', '# a\n\n', 'log-empty', 'x.log'],
  ['compressed', new Uint8Array([0x1f, 0x8b, 8, 0, 0, 0]), 'log-binary', 'x.log'],
  ['binary', new Uint8Array(4096).map((_, index) => index % 7), 'log-binary', 'x.log'],
  ['prose', 'the rat the cat\nthe dog chased\n', 'log-format-unknown', 'x.log:1:9'],
  [
    'a broken stamp',
    '1.2.3.4 - - [22/Foo/2016:16:30:52 +0300] "GET /x HTTP/1.1" 303 382\n',
    'log-format-unknown',
    'x.log:1:14',
  ],
] as const;

for (const [what, content, code, where] of REFUSED)
  test(`refused with the reason and the place: ${what}`, async () => {
    await assert.rejects(readLog([logText(content, 64, 'x.log')]), (error: unknown) => {
      assert.ok(error instanceof ShiploadError);
      assert.deepEqual([error.code, error.where], [code, where]);
      assert.notEqual(error.hint, undefined);
      return true;
    });
  });

test('an empty format is refused as such', async () => {
  const read = readLog([logText('1.2.3.4 - - [22/Apr/2016:16:30:52 +0300] "GET /x HTTP/1.1" 303 382\n')], {
    format: '',
  });
  await assert.rejects(read, { code: 'log-format-unknown', message: 'the log format is empty' });
});

test('of lines that fit a format learned from a third of them, that one is nearest, and one that does not fit is shown', async () => {
  const lines = Array.from(
    { length: 100 },
    (_, index) =>
      `1.2.3.4 - - [30/Nov/2026:17:56:37 +0000] "GET /a HTTP/1.1" 200 178 "-" "agent" D=${1000 * index + 7} T=0\njava.lang.NullPointerException: hunter2x\n\tat com.example.Foo(Foo.java:12)\n`,
  );
  await assert.rejects(readLog([logText(lines.join(''), 4096, 'x.log')]), (error: unknown) => {
    assert.ok(error instanceof ShiploadError);
    assert.match(error.message, /nearest is apache-timed \(100 of the first 300 lines fit\): .* in: java\./);
    assert.doesNotMatch(error.message, /hunter2x/);
    assert.match(error.where!, /^x\.log:2:/);
    return true;
  });
});

test('logs that stamp different events and escape differently make one table', async () => {
  const simple = '1796000000201 c GET /a%5Cb 200 3\n';
  const nginx = await readLog([logFile(gen('nginx-rt.log'))]);
  const json = await readLog([logFile(gen('nginx-json.log'))]);
  const both = await readLog([logFile(gen('nginx-rt.log')), logText(simple), logFile(gen('nginx-json.log'))]);
  assert.equal(both.format, 'nginx-timed + simple + json');
  const [own, one, ...more] = [rowsOf(nginx), { at: 1_796_000_000.201, seconds: 0.003 }, ...rowsOf(json)];
  const rows = rowsOf(both);
  assert.deepEqual(rows.slice(0, own.length), own);
  const { at, seconds, request } = rows[own.length]!;
  assert.deepEqual({ at, seconds }, one);
  assert.equal(request, 'GET /a%5Cb');
  assert.deepEqual(rows.slice(own.length + 1), more);
  const agentsOf = (table: LogTable): unknown[] =>
    Array.from(table.agentIds, (id) => table.agents.at(id)).slice(-json.rowCount);
  assert.deepEqual(agentsOf(both), agentsOf(json));
});

test('a log without times cannot be mixed with one that has them', async () => {
  await assert.rejects(
    readLog([logFile(gen('uvicorn.log')), logFile(gen('nginx-rt.log'))]),
    /uvicorn, which says no time, nginx-rt\.log is nginx-timed|nginx-rt\.log is nginx-timed, .*uvicorn/,
  );
});

test('a log that was given a duration when it was rotated is read with both formats', async () => {
  const old = '10.0.0.1 - - [30/Nov/2026:17:56:37 +0000] "GET /a HTTP/1.1" 200 25 "-" "agent"\n';
  const recent = old.replace('17:56', '17:58').replace('\n', ' 0.250\n');
  const table = await readLog([
    logText(old.repeat(3), 99, 'a.log.1'),
    logText(recent.repeat(2), 99, 'a.log'),
  ]);
  assert.equal(table.format, 'combined + nginx-timed');
  assert.deepEqual(Array.from(table.responseTimeSeconds), [NaN, NaN, NaN, 0.25, 0.25]);
  assert.match(
    table.notices.find(({ code }) => code === 'formats-mixed')!.message,
    /a\.log\.1 combined, a\.log nginx-timed/,
  );
});

test('any bytes among the lines: no crash, and every line is counted once', async () => {
  const line = fc.oneof(
    fc
      .constantFrom('1796000000201 c GET / 200 3', '', '# x', '1796000000201 c - / 200 3')
      .map((text) => new TextEncoder().encode(text)),
    fc.uint8Array({ maxLength: 60 }),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { maxLength: 40 }),
      fc.integer({ min: 1, max: 50 }),
      async (lines, chunk) => {
        const content = Buffer.concat(lines.flatMap((bytes) => [bytes, Buffer.from('\n')]));
        const text = content.toString('latin1');
        try {
          const { lines: counts, rowCount } = await readLog([logText(content, chunk)]);
          assert.equal(
            counts.blank + counts.comment + counts.ok + counts.badRequest + counts.unparsed,
            counts.total,
          );
          assert.equal(counts.total, text.split('\n').length - 1);
          assert.equal(counts.ok, rowCount);
        } catch (error) {
          if (!(error instanceof ShiploadError)) throw error;
        }
      },
    ),
    { seed: 7, numRuns: 200 },
  );
});
