import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { logFile } from '../../test/support/log-source.ts';
import { fixture } from '../../test/support/paths.ts';
import { readLog } from './read-log.ts';

/** The port in wall-clock.txt that a server listened on, and the seconds that a stamp may be off by. */
interface Clock {
  readonly port: number;
  readonly toleranceSeconds: number;
}

const GUNICORN = '%(t)s L=%(L)s D=%(D)s M=%(M)s T=%(T)s "%(r)s" %(s)s';
const MORGAN = ':date[iso] :remote-addr :method :url :status :response-time :total-time :res[content-length]';
const NGINX_NONE = `log_format plain escape=none '$remote_addr [$time_local] "$request" ' '$status "$http_user_agent"';`;

/**
 * Logs that real servers wrote of the same requests, each with its format, its counts of ok, bad and unparsed
 * lines, the duration of the slow request, and the clock that timed that request from outside.
 * Without durations an end stamp stays an end, and the first clock row of a server is the one logged.
 */
const LOGS: readonly (readonly [
  file: string,
  given: string,
  told: string,
  counts: readonly [ok: number, badRequest: number, unparsed: number],
  seconds: number,
  clock?: Clock & { readonly event: 'start' | 'end' },
])[] = [
  [
    'nginx-combined.log',
    'auto',
    'combined',
    [18, 2, 0],
    NaN,
    { port: 28081, event: 'end', toleranceSeconds: 1 },
  ],
  [
    'nginx-json.log',
    'auto',
    'json',
    [18, 2, 0],
    2.517,
    { port: 28081, event: 'start', toleranceSeconds: 0.05 },
  ],
  [
    'nginx-none.log',
    NGINX_NONE,
    'nginx-custom',
    [18, 2, 0],
    NaN,
    { port: 28081, event: 'end', toleranceSeconds: 1 },
  ],
  [
    'nginx-rt.log',
    'auto',
    'nginx-timed',
    [18, 2, 0],
    2.517,
    { port: 28081, event: 'start', toleranceSeconds: 0.05 },
  ],
  [
    'apache-common.log',
    'auto',
    'common',
    [16, 1, 0],
    NaN,
    { port: 28082, event: 'start', toleranceSeconds: 1 },
  ],
  [
    'apache-vhost-D.log',
    'auto',
    'apache-timed',
    [16, 1, 0],
    2.503414,
    { port: 28082, event: 'start', toleranceSeconds: 0.05 },
  ],
  [
    'haproxy.log',
    'auto',
    'haproxy',
    [19, 11, 0],
    2.503,
    { port: 28083, event: 'start', toleranceSeconds: 0.05 },
  ],
  [
    'caddy.jsonl',
    'auto',
    'caddy',
    [6, 0, 0],
    2.505423433,
    { port: 28084, event: 'start', toleranceSeconds: 0.05 },
  ],
  ['squid.log', 'auto', 'squid', [10, 3, 0], 0, { port: 28085, event: 'end', toleranceSeconds: 0.05 }],
  [
    'squid-combined.log',
    'auto',
    'combined',
    [10, 3, 0],
    NaN,
    { port: 28085, event: 'end', toleranceSeconds: 1 },
  ],
  [
    'varnish.log',
    'varnish',
    'varnish',
    [7, 2, 0],
    2.504698,
    { port: 28086, event: 'start', toleranceSeconds: 1 },
  ],
  [
    'lighttpd.log',
    'lighttpd',
    'lighttpd',
    [6, 4, 0],
    2.503709,
    { port: 28087, event: 'start', toleranceSeconds: 1 },
  ],
  [
    'gunicorn.log',
    'gunicorn',
    'gunicorn',
    [7, 0, 0],
    NaN,
    { port: 28088, event: 'end', toleranceSeconds: 1 },
  ],
  [
    'gunicorn-timing.log',
    GUNICORN,
    'gunicorn-custom',
    [7, 0, 0],
    2.500765,
    { port: 28098, event: 'start', toleranceSeconds: 1 },
  ],
  ['uvicorn.log', 'auto', 'uvicorn', [6, 0, 68], NaN],
  [
    'morgan-combined.log',
    'auto',
    'combined',
    [5, 0, 0],
    NaN,
    { port: 28090, event: 'end', toleranceSeconds: 1 },
  ],
  ['morgan-common.log', 'auto', 'common', [5, 0, 0], NaN, { port: 28090, event: 'end', toleranceSeconds: 1 }],
  [
    'morgan-custom.log',
    MORGAN,
    'morgan-custom',
    [5, 0, 0],
    2.51495,
    { port: 28090, event: 'start', toleranceSeconds: 0.05 },
  ],
  [
    'morgan-immediate.log',
    'auto',
    'combined',
    [5, 0, 0],
    NaN,
    { port: 28090, event: 'start', toleranceSeconds: 1 },
  ],
  ['morgan-dev.log', 'auto', 'morgan', [5, 0, 0], 2.503618],
  ['morgan-short.log', 'auto', 'morgan', [5, 0, 0], 2.503618],
  ['morgan-tiny.log', 'auto', 'morgan', [5, 0, 0], 2.503618],
];

const clockText = readFileSync(fixture('logs', 'gen', 'wall-clock.txt'), 'utf8');

function clockSeconds(port: number, event: 'start' | 'end'): number {
  return Number(new RegExp(`^${port} slow .*\\b${event}=([\\d.]+)`, 'm').exec(clockText)![1]);
}

for (const [file, given, told, [ok, badRequest, unparsed], seconds, clock] of LOGS)
  test(`a real server’s log is read with the values of the clock beside it: ${file}`, async () => {
    const table = await readLog([logFile(fixture('logs', 'gen', file))], { format: given });
    assert.equal(table.format, told);
    const { lines } = table;
    assert.deepEqual([lines.ok, lines.badRequest, lines.unparsed], [ok, badRequest, unparsed]);
    assert.equal(lines.total, ok + badRequest + unparsed);
    assert.match(table.targets.at(table.targetIds[0]!)!, /^\/slow\?/);
    assert.ok(
      Object.is(table.responseTimeSeconds[0], seconds) ||
        Math.abs(table.responseTimeSeconds[0]! - seconds) < 1e-9,
    );
    if (clock === undefined) return assert.ok(Number.isNaN(table.atSeconds[0]));
    const off = Math.abs(table.atSeconds[0]! - clockSeconds(clock.port, clock.event));
    assert.ok(off < clock.toleranceSeconds, `${off} s off`);
  });
