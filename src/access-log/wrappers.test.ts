import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logText } from '../../test/support/log-source.ts';
import { readLog } from './read-log.ts';

const LINE = String.raw`1.2.3.4 - - [30/Nov/2026:17:56:37 +0000] "GET /a?b=\"c HTTP/1.1" 200 25 "-" "agent"`;

const WRAPPED = [
  ['CRI', `2025-12-31T17:37:40.493+01:00 stdout F ${LINE}`],
  ['docker-compose', `web-1  | ${LINE}`],
  ['syslog of RFC 3164', `<134>Sep 25 06:05:27 hostname nginx[6801]: ${LINE}`],
  ['syslog of RFC 5424', `<134>1 2021-11-12T16:59:46.613304+00:00 host nginx 12 - - ${LINE}`],
  ['the json-file driver of Docker', JSON.stringify({ log: `${LINE}\n`, stream: 'stdout', time: 'x' })],
  ['quotes', `"${LINE}"`],
] as const;

for (const [what, line] of WRAPPED)
  test(`lines are read out of ${what}, and one that stands alone is read too`, async () => {
    const table = await readLog([logText(`${line}\n${line}\n${line}\n${LINE}\nnothing\n`)]);
    assert.deepEqual(table.lines, { total: 5, blank: 0, comment: 0, ok: 4, badRequest: 0, unparsed: 1 });
    assert.deepEqual(
      [table.format, table.clients.length, table.clients.at(0), table.targets.length, table.targets.at(0)],
      ['combined', 1, '1.2.3.4', 1, '/a?b="c'],
    );
  });
