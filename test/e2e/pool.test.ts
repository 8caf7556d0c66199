import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { stepTable } from '../../src/analysis/step-table.ts';
import { poolCommand, POOL_STATS_PATH, type PoolStatistics } from '../../src/demo/pool/index.ts';
import { freePort } from '../../src/host/free-port.ts';
import { startService } from '../../src/host/service-process.ts';
import { realTimeTest } from '../support/calm.ts';
import { runForReal } from '../support/real-run.ts';
import { closedStep } from '../support/simulate.ts';

/** Ten times the service's own wait, so that a busy machine's delays are small beside it. */
const WAIT_MILLISECONDS = 50;
const WORKERS = [1, 4, 8, 16, 32];

realTimeTest(
  'the sweep of a pool of 8: linear to 8 workers, flat beyond, p50 growing with N; counts are the server’s',
  sweepOfAPool,
);

async function sweepOfAPool(t: TestContext): Promise<void> {
  const url = `http://127.0.0.1:${await freePort()}/`;
  const service = await startService({
    command: poolCommand(Number(new URL(url).port), WAIT_MILLISECONDS),
    url,
    readyPath: POOL_STATS_PATH,
    readyTimeoutSeconds: 10,
  });
  t.after(() => service.stop());
  const steps = WORKERS.map((workers, i) => closedStep(i, workers, 0.3, 1.5));
  const { measurements, totals } = await runForReal(url, '/pool', steps);
  const rows = stepTable(measurements);
  const x = rows.map((row) => row.throughputPerSecond);
  const p50 = rows.map((row) => row.overall.p50Seconds!);
  const close = (actual: number, expected: number, what: string) =>
    assert.ok(Math.abs(actual / expected - 1) <= 0.25, `${what}: ${actual}, expected about ${expected}`);
  close(x[1]! / x[0]!, 4, 'X(4)/X(1)');
  close(x[2]! / x[0]!, 8, 'X(8)/X(1)');
  close(x[3]! / x[2]!, 1, 'X(16)/X(8)');
  close(x[4]! / x[2]!, 1, 'X(32)/X(8)');
  close(p50[2]! / p50[0]!, 1, 'p50(8)/p50(1)');
  close(p50[3]! / p50[2]!, 2, 'p50(16)/p50(8)');
  close(p50[4]! / p50[2]!, 4, 'p50(32)/p50(8)');

  const own = (await (await fetch(new URL(POOL_STATS_PATH, url))).json()) as PoolStatistics;
  const { sentCount, okCount, answeredCount } = totals.byRoute[0]!;
  assert.deepEqual([sentCount, okCount, answeredCount], [okCount, okCount, okCount]);
  assert.equal(own.latency_ms['/pool']!.count, okCount);
  assert.equal(own.in_flight, 0);
  assert.equal(own.max_in_flight, 32);
  assert.ok(own.process_cpu_s > 0);
}
