import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import type { LoadPlan } from '../../model/load.ts';
import { closedStep } from '../../../test/support/simulate.ts';
import type { RunEvent, StepSource } from '../run-plan.ts';
import { WorkerPool } from './worker-pool.ts';

const HTTP1 = new URL('../../protocols/open-protocol.js', import.meta.url);

/** A service that counts what it answers. */
async function countingService(t: TestContext): Promise<{ readonly port: number; count(): number }> {
  let count = 0;
  const server = createServer((_, response) => {
    count += 1;
    response.end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => void server.close());
  return { port: (server.address() as AddressInfo).port, count: () => count };
}

const planOf = (measureSeconds: number): LoadPlan => ({
  seed: 7,
  shape: 'steps',
  requests: [
    {
      id: 'GET /',
      method: 'GET',
      route: '/',
      shareRatio: 1,
      targets: { draw: 'uniform', targets: ['/'], distinctCount: 1 },
    },
  ],
  thinkTimeSeconds: { kind: 'constant', meanSeconds: 0.01 },
  requestTimeoutSeconds: 5,
  steps: [
    closedStep(0, 5, 0.2, measureSeconds),
    {
      ...closedStep(1, 0, 0.2, measureSeconds),
      driver: { kind: 'open', arrivals: 'constant', arrivalRatePerSecond: 100, maxInFlight: 50 },
    },
  ],
});

interface PooledRun {
  readonly events: readonly RunEvent[];
  readonly sampleCount: number;
}

async function runPooled(
  plan: LoadPlan,
  port: number,
  { stopAfterFrames = Infinity, nextStep }: { stopAfterFrames?: number; nextStep?: StepSource } = {},
): Promise<PooledRun> {
  const pool = await WorkerPool.open({
    plan,
    count: 2,
    protocolModule: HTTP1,
    protocolOptions: {
      url: new URL(`http://127.0.0.1:${port}`),
      requests: plan.requests,
      requestTimeoutSeconds: plan.requestTimeoutSeconds,
    },
    sendSamples: true,
  });
  const events: RunEvent[] = [];
  let sampleCount = 0;
  await new Promise<void>((resolve, reject) => {
    const onSample = (): void => void (sampleCount += 1);
    const run = pool.start(
      { counters: [], onSample, onFault: reject, ...(nextStep && { nextStep }) },
      (event) => {
        events.push(event);
        if (event.kind === 'finished') resolve();
        if (events.filter(({ kind }) => kind === 'frame').length === stopAfterFrames) run.stop('interrupted');
      },
    );
  });
  await pool.close();
  return { events, sampleCount };
}

test('two threads over loopback: their counts are those of the service, request for request', async (t) => {
  const service = await countingService(t);
  const { events, sampleCount } = await runPooled(planOf(0.8), service.port);
  const last = events.at(-1);
  assert.ok(last?.kind === 'finished');
  assert.equal(last.reason, 'completed');
  const [total] = last.totals.byRoute;
  assert.equal(total!.sentCount, service.count());
  assert.equal(total!.answeredCount, service.count());
  assert.equal(sampleCount, service.count());
  const [closed, open] = events.flatMap((event) =>
    event.kind === 'step-finished' ? [event.measurement] : [],
  );
  // 5 users without pause between thinking and asking: the integrals must find them all.
  const users = closed!.meanInFlight + closed!.meanThinking!;
  assert.ok(Math.abs(users - 5) <= 0.005, `${users} users`);
  // 100/s for 0.8 s; the window's edges are set by timers, to which an arrival may fall on either side.
  const { sentCount } = open!.byRoute[0]!;
  assert.ok(Math.abs(sentCount - 100 * open!.windowSeconds) <= 3, `${sentCount} arrivals`);
  for (const worker of closed!.generator!.workers!) {
    assert.ok(worker.cpuSeconds > 0, worker.name);
    assert.ok(worker.scheduleLag.totalCount > 0, worker.name);
  }
});

test('a stop reaches all threads: answers are awaited, what was measured is kept', async (t) => {
  const service = await countingService(t);
  const { events } = await runPooled(planOf(60), service.port, { stopAfterFrames: 2 });
  const last = events.at(-1);
  assert.ok(last?.kind === 'finished');
  assert.equal(last.reason, 'interrupted');
  assert.equal(last.totals.byRoute[0]!.answeredCount, service.count());
  const [measurement] = events.flatMap((event) =>
    event.kind === 'step-finished' ? [event.measurement] : [],
  );
  assert.equal(measurement!.endedEarly, 'interrupted');
});

test('a thread that cannot open its way to the service refuses the run with the reason', async () => {
  const plan = planOf(1);
  await assert.rejects(
    WorkerPool.open({
      plan,
      count: 2,
      protocolModule: HTTP1,
      protocolOptions: {
        url: new URL('ftp://127.0.0.1/'),
        requests: plan.requests,
        requestTimeoutSeconds: 1,
      },
      sendSamples: false,
    }),
    /ftp/,
  );
});

test('a plan that grows goes on in all threads, step by step, and none of its requests is lost', async (t) => {
  const service = await countingService(t);
  const nextStep: StepSource = (measurements) => {
    const { index } = measurements.at(-1)!.step;
    return index < 3 ? closedStep(index + 1, 4 * index, 0.1, 0.5) : undefined;
  };
  const { events } = await runPooled(planOf(0.3), service.port, { nextStep });
  const measurements = events.flatMap((event) => (event.kind === 'step-finished' ? [event.measurement] : []));
  assert.deepEqual(
    measurements.map(({ step }) => step.index),
    [0, 1, 2, 3],
  );
  // Every thread has its share of the users that were added.
  for (const { step, meanInFlight, meanThinking } of measurements.slice(2)) {
    const users = meanInFlight + meanThinking!;
    assert.ok(step.driver.kind === 'closed' && Math.abs(users - step.driver.users) <= 0.01, `${users} users`);
  }
  const last = events.at(-1);
  assert.ok(last?.kind === 'finished');
  assert.equal(last.reason, 'completed');
  assert.equal(last.totals.byRoute[0]!.answeredCount, service.count());
});

test('requests that the ceiling held back in any thread are told', async (t) => {
  const service = await countingService(t);
  const safety = { maxUsers: 100, maxRatePerSecond: 20 };
  const { events } = await runPooled({ ...planOf(0.5), safety }, service.port);
  const [closed] = events.flatMap((event) => (event.kind === 'step-finished' ? [event.measurement] : []));
  assert.ok(closed!.transport!.heldCount! > 0);
  assert.ok(closed!.notices.some(({ code }) => code === 'held-at-ceiling'));
});
