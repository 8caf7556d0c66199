import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { stepTable } from '../../src/analysis/step-table.ts';
import { percentileOf } from '../../src/stats/histogram.ts';
import { realTimeTest } from '../support/calm.ts';
import { listen, OK } from '../support/protocols.ts';
import { runForReal, type RealRun } from '../support/real-run.ts';
import { closedStep, openStep, request } from '../support/simulate.ts';

/* What a service can do to a request, and how it must be counted: the tool's figures are the service's own. */

/** Longer than anything but the faults that are meant to time out. */
const TIMEOUT_SECONDS = 0.4;

interface Fault {
  readonly title: string;
  /** How the requests that met it end; missing: well. */
  readonly code?: string;
  readonly answer: (socket: Socket) => void;
}

const later = (act: () => void): void => void setTimeout(act, 10);

/** A head, one octet after the other, for as long as somebody listens. */
function drip(socket: Socket): void {
  const head = 'HTTP/1.1 200 OK\r\nX-Slow: ';
  let at = 0;
  const timer = setInterval(() => socket.write(head[at++] ?? 'y'), 20);
  socket.on('close', () => clearInterval(timer));
}

const FAULTS: readonly Fault[] = [
  { title: 'an answer', answer: (socket) => socket.write(OK) },
  {
    title: 'an error status',
    code: 'http-503',
    answer: (socket) => socket.write('HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n'),
  },
  {
    title: 'a reset in the middle of the body',
    code: 'cut-off',
    answer: (socket) => socket.write(OK.slice(0, -1), () => later(() => socket.resetAndDestroy())),
  },
  { title: 'a stall', code: 'first-byte-timeout', answer: () => {} },
  { title: 'a slow-loris answer', code: 'timeout', answer: drip },
  { title: 'a half-close without an answer', code: 'cut-off', answer: (socket) => socket.end() },
  {
    title: 'a body shorter than its length, then the end',
    code: 'cut-off',
    answer: (socket) => socket.end(OK.slice(0, -1)),
  },
  {
    title: 'a body longer than its length',
    code: 'malformed-response',
    answer: (socket) => socket.write(`${OK}more`),
  },
];

/** A service that serves the n-th request with the n-th fault, in turn, and counts what it did by outcome. */
async function faultyService(t: TestContext): Promise<{ url: string; seen: Record<string, number> }> {
  let turn = 0;
  const seen: Record<string, number> = {};
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', () => {
      const { code = 'ok', answer } = FAULTS[turn++ % FAULTS.length]!;
      seen[code] = (seen[code] ?? 0) + 1;
      answer(socket);
    });
  });
  return { url: `http://127.0.0.1:${await listen(t, server)}`, seen };
}

/**
 * Counts by outcome. A reset that arrives together with octets is told as an end by the system's event loop, so
 * the two ways of being cut off are one here.
 */
function countsOf({ totals, errorCodes }: RealRun): Readonly<Record<string, number>> {
  const { ECONNRESET: reset = 0, 'connection-closed': closed = 0, ...others } = errorCodes;
  return { ok: totals.byRoute[0]!.okCount, 'cut-off': reset + closed, ...others };
}

test('reset, stall, slow-loris, half-close, wrong length, 503: every outcome as often as the service caused it', async (t) => {
  const { url, seen } = await faultyService(t);
  const run = await runForReal(url, '/', [closedStep(0, 16, 0.1, 1.4)], {
    requestTimeoutSeconds: TIMEOUT_SECONDS,
    transport: { requestsPerConnection: 1 },
  });
  assert.deepEqual(countsOf(run), seen);
  const { sentCount, okCount, errorCount, timeoutCount } = run.totals.byRoute[0]!;
  assert.equal(Object.keys(seen).length, new Set(FAULTS.map(({ code }) => code)).size);
  assert.equal(timeoutCount, seen['first-byte-timeout']! + seen['timeout']!);
  assert.equal(sentCount, okCount + errorCount + timeoutCount);
  // Timeouts stand among the response times at the time waited; other failures stand apart.
  const { responseTime, byRoute } = run.measurements[0]!;
  assert.ok(responseTime.maxSeconds! >= TIMEOUT_SECONDS);
  assert.equal(byRoute[0]!.failureTime.totalCount, byRoute[0]!.errorCount);
});

/** Every tenth request is read whole and its connection then reset, at once or later. */
for (const [title, reset] of [
  ['at once', (socket: Socket) => socket.resetAndDestroy()],
  ['200 ms later', (socket: Socket) => setTimeout(() => socket.resetAndDestroy(), 200)],
] as const) {
  test(`a service that reads a POST and resets every tenth ${title}: each is an error, and none is sent twice`, async (t) => {
    let seen = 0;
    let resets = 0;
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', () => {
        seen += 1;
        if (seen % 10 !== 0) return void socket.write(OK);
        resets += 1;
        reset(socket);
      });
    });
    const url = `http://127.0.0.1:${await listen(t, server)}`;
    const requests = [{ ...request('/', 1), method: 'POST', body: 'order=1' }];
    const { totals, errorCodes } = await runForReal(url, '/', [closedStep(0, 4, 0.1, 1)], { requests });
    const { sentCount, okCount } = totals.byRoute[0]!;
    assert.ok(resets > 3, `${resets}`);
    assert.deepEqual(errorCodes, { ECONNRESET: resets });
    assert.deepEqual([sentCount, okCount, totals.retriedCount], [seen, seen - resets, 0]);
  });
}

test('a service that reads a GET on an idle connection and drops it looks like a race each time: the step is refused', async (t) => {
  let seen = 0;
  let drops = 0;
  const server = createServer((socket) => {
    let requests = 0;
    socket.on('error', () => {});
    socket.on('data', () => {
      seen += 1;
      if (++requests === 1) return void socket.write(OK);
      drops += 1;
      socket.resetAndDestroy();
    });
  });
  const url = `http://127.0.0.1:${await listen(t, server)}`;
  const step = openStep(0, 5, 'constant', [0, 3]);
  const { totals, errorCodes, measurements } = await runForReal(url, '/', [step]);
  const { sentCount, errorCount } = totals.byRoute[0]!;
  assert.equal(seen, sentCount + totals.retriedCount);
  assert.equal(drops, errorCount + totals.retriedCount, JSON.stringify(errorCodes));
  assert.ok(totals.retriedCount > 2, `${totals.retriedCount}`);
  const [row] = stepTable(measurements);
  assert.equal(row!.valid, false);
  assert.ok(
    row!.notices.some(({ code, severity }) => code === 'requests-sent-again' && severity === 'red-flag'),
  );
});

test('a service that keeps idle connections as long as requests are apart: what it answered is what it counted', async (t) => {
  let seen = 0;
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.setTimeout(200, () => socket.destroy());
    socket.on('data', () => {
      seen += 1;
      socket.write(OK);
    });
  });
  const url = `http://127.0.0.1:${await listen(t, server)}`;
  const { totals, errorCodes } = await runForReal(url, '/', [openStep(0, 5, 'constant', [0, 3])]);
  const { sentCount, okCount, errorCount } = totals.byRoute[0]!;
  // A race that a slow machine sees too late is an error, and was not counted by the service either.
  assert.deepEqual([okCount, sentCount], [seen, seen + errorCount], JSON.stringify(errorCodes));
});

test('a service that restarts: what it did not see was refused or cut off, and nothing is lost from the counts', async (t) => {
  let seen = 0;
  const open = () =>
    createHttpServer((_, response) => {
      seen += 1;
      response.end('ok');
    });
  const first = open();
  const port = await listen(t, first);
  const restart = setTimeout(() => {
    first.closeAllConnections();
    first.close();
    setTimeout(() => void listen(t, second, { port, host: '127.0.0.1' }), 200);
  }, 300);
  const second = open();
  t.after(() => {
    clearTimeout(restart);
    second.closeAllConnections();
  });
  const thinkless = openStep(0, 200, 'constant', [0.1, 1]);
  const { totals, errorCodes } = await runForReal(`http://127.0.0.1:${port}`, '/', [thinkless]);
  const { sentCount, okCount, errorCount } = totals.byRoute[0]!;
  const refused = errorCodes['ECONNREFUSED'] ?? 0;
  assert.equal(sentCount, okCount + errorCount);
  assert.ok(refused > 0, 'the gap was met');
  // Requests in the very moment of the stop were taken and never answered: seen, and an error here.
  const cutOff = errorCount - refused;
  assert.ok(
    seen >= okCount && seen <= okCount + cutOff,
    `${seen} seen, ${okCount} answered, ${cutOff} cut off`,
  );
});

test('a TLS alert: each request fails with it, and the service saw as many handshakes fail', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'shipload-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const files = ['key.pem', 'cert.pem'].map((name) => join(folder, name));
  const made = spawnSync('openssl', [
    ...'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost'.split(
      ' ',
    ),
    '-keyout',
    files[0]!,
    '-out',
    files[1]!,
  ]);
  if (made.status !== 0) {
    t.skip('openssl is not installed');
    return;
  }
  const [key, cert] = files.map((path) => readFileSync(path, 'utf8'));
  let alerts = 0;
  const server = createHttpsServer({ key, cert, maxVersion: 'TLSv1.2' }, (_, response) => response.end('ok'));
  server.on('tlsClientError', () => (alerts += 1));
  const port = await listen(t, server);
  const { totals, errorCodes } = await runForReal(
    `https://127.0.0.1:${port}`,
    '/',
    [openStep(0, 50, 'constant', [0, 0.5])],
    { tls: { rejectUnauthorized: false, minVersion: 'TLSv1.3' } },
  );
  const { sentCount, errorCount } = totals.byRoute[0]!;
  assert.deepEqual(errorCodes, { ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: errorCount });
  assert.deepEqual([sentCount, alerts], [errorCount, errorCount]);
});

test('nobody listening: every request is ECONNREFUSED, and none is an answer', async (t) => {
  const server = createServer();
  const port = await listen(t, server);
  await new Promise((resolve) => server.close(resolve));
  const step = openStep(0, 100, 'constant', [0, 0.5]);
  const { totals, errorCodes } = await runForReal(`http://127.0.0.1:${port}`, '/', [step]);
  const { sentCount, answeredCount } = totals.byRoute[0]!;
  assert.deepEqual([sentCount, answeredCount, errorCodes], [50, 0, { ECONNREFUSED: 50 }]);
});

/** The published case: 10 requests/s over 10 s, nothing answered from 3 s to 5 s. */
const STALL = { fromSeconds: 3, untilSeconds: 5 };

realTimeTest(
  'one 2 s stall at 10 requests/s over HTTP/2 gives p95 1.45 s ± 0.1, and all 100 are served',
  async (t) => {
    let served = 0;
    let begun = 0;
    const server = createHttp2Server();
    server.on('stream', (stream) => {
      begun ||= performance.now();
      served += 1;
      const at = (performance.now() - begun) / 1e3;
      const isStalled = at >= STALL.fromSeconds && at < STALL.untilSeconds;
      setTimeout(
        () => {
          stream.respond({ ':status': 200 });
          stream.end('ok');
        },
        isStalled ? (STALL.untilSeconds - at) * 1e3 : 1,
      );
    });
    const url = `http://127.0.0.1:${await listen(t, server)}`;
    const { measurements, totals } = await runForReal(url, '/', [openStep(0, 10, 'constant', [0, 10])], {
      transport: { httpVersion: '2', streamsPerConnection: 8 },
    });
    const p95 = percentileOf(measurements[0]!.responseTime, 95)!;
    assert.ok(Math.abs(p95 - 1.45) <= 0.1, `${p95}`);
    const { sentCount, okCount } = totals.byRoute[0]!;
    assert.deepEqual([sentCount, okCount, served], [100, 100, 100]);
  },
);
