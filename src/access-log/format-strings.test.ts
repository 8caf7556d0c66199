import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LogEntry } from '../model/access-log.ts';
import { apacheTemplate } from './apache-format-string.ts';
import { bytesOf } from './bytes.ts';
import { LineFields, VERDICT } from './log-format.ts';
import { nginxTemplate } from './nginx-format-string.ts';
import { entryOf } from './log-entry.ts';
import { templateParser, type Template } from './template.ts';

function entryIn(template: Template, line: string): LogEntry {
  const parser = templateParser(template);
  const fields = new LineFields();
  const bytes = bytesOf(line);
  assert.equal(parser.parse(bytes, 0, bytes.length, fields), VERDICT.ok, fields.reason);
  return entryOf(parser, bytes, fields);
}

const NGINX = [
  [
    'a statement in several parts',
    `log_format main '$remote_addr - $remote_user [$time_local] "$request" ' '$status $request_time';`,
    '1.2.3.4 - a b [30/Nov/2026:17:56:37 +0000] "GET /x?y=1 HTTP/1.1" 200 1.500',
    { client: '1.2.3.4', path: '/x', query: 'y=1', atSeconds: 1_796_061_395.5, responseTimeSeconds: 1.5 },
  ],
  [
    'ISO time, method and target apart',
    '$time_iso8601 $remote_addr $request_method $uri$is_args$args $status',
    '2026-11-30T17:56:37+00:00 ::1 POST /a?b=c 201',
    { atSeconds: 1_796_061_397, client: '::1', method: 'POST', path: '/a', query: 'b=c', status: 201 },
  ],
  [
    'the upstream’s time where there is no other, summed over its tries',
    '$msec $remote_addr "$request" $status $upstream_response_time $upstream_status',
    '1796061397.754 1.2.3.4 "GET / HTTP/1.1" 200 0.100, 0.250 : 0.150 502, 200 : 200',
    { atSeconds: 1_796_061_397.254, responseTimeSeconds: 0.5 },
  ],
  [
    'the forwarded address before the peer’s',
    '$http_x_forwarded_for|$remote_addr|$time_local|$request|$status',
    '10.0.0.9, [2001:db8::7]:443|127.0.0.1|30/Nov/2026:17:56:37 +0000|GET /a b|200',
    { client: '2001:db8::7', path: '/a b' },
  ],
] as const;

const APACHE = [
  [
    'the statement as it stands in the configuration',
    String.raw`LogFormat "%v:%p %h %l %u %t \"%r\" %>s %O \"%{Referer}i\" \"%{User-Agent}i\" %D" timed`,
    'a.example:443 1.2.3.4 - - [30/Nov/2026:17:56:37 +0000] "GET /x HTTP/1.1" 200 9 "-" "agent" 2503414',
    { client: '1.2.3.4', atSeconds: 1_796_061_397, responseTimeSeconds: 2.503414, userAgent: 'agent' },
  ],
  [
    'the finest of several durations, and the finest stamp',
    '%h %{begin:usec}t %{end:usec}t "%r" %>s %T %{ms}T',
    '1.2.3.4 1796061410289462 1796061412792876 "GET /x HTTP/1.1" 200 2 2503',
    { atSeconds: 1_796_061_410.289462, responseTimeSeconds: 2.503 },
  ],
  [
    'method, path and query apart, a percent sign, a local time',
    '%a [%{%Y-%m-%d %H:%M:%S}t] %m %U%q %s 100%% %b',
    '1.2.3.4 [2026-11-30 17:56:37] GET /x?y=1 304 100% -',
    { atSeconds: 1_796_061_397, path: '/x', query: 'y=1', status: 304 },
  ],
  [
    'the common time written out',
    '%h [%{%d/%b/%Y:%H:%M:%S %z}t] "%r" %>s',
    '1.2.3.4 [30/Nov/2026:18:56:37 +0100] "GET /x HTTP/1.1" 200',
    { atSeconds: 1_796_061_397, path: '/x' },
  ],
  [
    'the time of an event with colons in it',
    '%h %{begin:%Y-%m-%d %H:%M:%S}t "%r" %>s',
    '1.2.3.4 2026-11-30 17:56:37 "GET /x HTTP/1.1" 200',
    { atSeconds: 1_796_061_397 },
  ],
  [
    'the fraction and the zone as directives of their own',
    '%h [%{%d/%b/%Y %T}t.%{msec_frac}t %{%z}t] "%r" %>s',
    '1.2.3.4 [30/Nov/2026 18:56:37.250 +0100] "GET /x HTTP/1.1" 200',
    { atSeconds: 1_796_061_397.25 },
  ],
  [
    'a fraction of microseconds behind an ISO time',
    '%h %{begin:%F %T}t.%{begin:usec_frac}t "%r" %>s',
    '1.2.3.4 2026-11-30 17:56:37.000250 "GET /x HTTP/1.1" 200',
    { atSeconds: 1_796_061_397.00025 },
  ],
] as const;

const TABLE = [
  ...NGINX.map((row) => ['nginx', nginxTemplate, ...row] as const),
  ...APACHE.map((row) => ['Apache', apacheTemplate, ...row] as const),
];

for (const [server, compile, what, format, line, expected] of TABLE)
  test(`a format string of ${server} is read: ${what}`, () => {
    const entry = entryIn(compile(format), line);
    for (const [name, value] of Object.entries(expected)) {
      const got = entry[name as keyof LogEntry];
      if (typeof value === 'number') assert.ok(Math.abs(Number(got) - value) < 1e-6, `${name}: ${got}`);
      else assert.equal(got, value, name);
    }
  });

const REFUSED = [
  [nginxTemplate, '$remote_addr$time_local "$request" $status', /right behind another/],
  [nginxTemplate, '$remote_addr "$request" $status', /lacks the time/],
  [nginxTemplate, '$time_local', /lacks the request and the status/],
  [apacheTemplate, '%h %t "%r"', /lacks the status/],
] as const;

test('a fraction makes the stamps as fine', () => {
  const resolutionOf = (time: string): number => apacheTemplate(`%h ${time} "%r" %>s`).stampResolutionSeconds;
  assert.deepEqual(
    ['%{%F %T}t', '%{%F %T}t.%{msec_frac}t', '%{%F %T}t.%{usec_frac}t'].map(resolutionOf),
    [1, 1e-3, 1e-6],
  );
});

for (const [compile, format, reason] of REFUSED)
  test(`a format string that says too little is refused: ${format}`, () => {
    assert.throws(() => compile(format), reason);
  });
