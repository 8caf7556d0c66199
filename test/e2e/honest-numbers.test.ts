import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { meanOf, percentileOf } from '../../src/stats/histogram.ts';
import { realTimeTest } from '../support/calm.ts';
import { runForReal } from '../support/real-run.ts';
import { closedStep, openStep } from '../support/simulate.ts';

async function listen(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

realTimeTest(
  'one 2 s stall at 10 requests/s over 10 s: p95 is 1.45 s, not the 3 ms of those that wait for answers',
  async (t) => {
    const stall = { fromSeconds: 3, untilSeconds: 5 };
    let firstAtSeconds: number | undefined;
    let servedCount = 0;
    const url = await listen(t, (_request, response) => {
      const now = performance.now() / 1e3;
      firstAtSeconds ??= now;
      servedCount += 1;
      const at = now - firstAtSeconds;
      const isStalled = at >= stall.fromSeconds && at < stall.untilSeconds;
      setTimeout(() => response.end('ok'), isStalled ? (stall.untilSeconds - at) * 1e3 : 0);
    });
    const { measurements } = await runForReal(url, '/a', [openStep(0, 10, 'constant', [0, 10])]);
    const { responseTime, byRoute } = measurements[0]!;
    assert.equal(byRoute[0]!.sentCount, 100);
    assert.equal(servedCount, 100);
    const p95 = percentileOf(responseTime, 95)!;
    assert.ok(Math.abs(p95 - 1.45) <= 0.1, `p95 ${p95}`);
    assert.ok(responseTime.maxSeconds! <= 2.2);
    assert.ok(percentileOf(responseTime, 50)! < 0.1);
  },
);

realTimeTest(
  'ten workers without think time: X·R reads 10 within 0.2, as does the time integral; counts are the server’s',
  async (t) => {
    let servedCount = 0;
    const url = await listen(t, (_request, response) => {
      servedCount += 1;
      response.end('ok');
    });
    const { measurements, totals } = await runForReal(url, '/a', [closedStep(0, 10, 0.3, 1.5)]);
    const { completionCount, windowSeconds, responseTime, meanInFlight } = measurements[0]!;
    const little = (completionCount / windowSeconds) * meanOf(responseTime)!;
    // At either end of the window one request a worker lies partly outside; a machine that paused there shows.
    const edges = (10 * responseTime.maxSeconds!) / windowSeconds;
    assert.ok(Math.abs(little - 10) <= 0.2 + edges, `X·R ${little}, edges ${edges}`);
    assert.ok(Math.abs(meanInFlight - 10) <= 0.01, `in flight ${meanInFlight}`);
    assert.equal(totals.byRoute[0]!.okCount, servedCount);
  },
);

realTimeTest(
  'an answer whose head comes at once and whose last byte comes after 300 ms took 300 ms',
  async (t) => {
    const url = await listen(t, (_request, response) => {
      response.write('first');
      setTimeout(() => response.end('last'), 300);
    });
    const { measurements } = await runForReal(url, '/a', [openStep(0, 10, 'constant', [0, 1])]);
    assert.ok(percentileOf(measurements[0]!.responseTime, 50)! >= 0.299);
  },
);

realTimeTest(
  'the rate that the server sees is the rate asked for, and sends are late rather than missing',
  async (t) => {
    const arrivedAt: number[] = [];
    const url = await listen(t, (_request, response) => {
      arrivedAt.push(performance.now() / 1e3);
      setTimeout(() => response.end('ok'), 5);
    });
    const { measurements } = await runForReal(url, '/a', [openStep(0, 500, 'constant', [0, 2])]);
    const { windowSeconds } = measurements[0]!;
    const generator = measurements[0]!.generator!;
    const { sentCount, droppedCount } = measurements[0]!.byRoute[0]!;
    // What was late at either end of the window, and one arrival between its edge and the next.
    const allowed = 1 + 500 * generator.scheduleLag.maxSeconds!;
    assert.ok(
      Math.abs(sentCount - 500 * windowSeconds) <= allowed,
      `${sentCount} sent in ${windowSeconds} s`,
    );
    assert.ok(sentCount >= 1000);
    assert.equal(droppedCount, 0);
    assert.equal(generator.scheduleLag.totalCount, sentCount);
    assert.ok(Math.abs(arrivedAt.length - sentCount) <= allowed);
  },
);
