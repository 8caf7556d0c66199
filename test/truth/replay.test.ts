import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stepTable } from '../../src/analysis/step-table.ts';
import { startPlan } from '../../src/drive/run-plan.ts';
import { VirtualClock } from '../../src/host/virtual-clock.ts';
import { planReplay, type ReplayOptions } from '../../src/load/plan-replay.ts';
import type { StepMeasurement } from '../../src/model/measurement.ts';
import { type ModelOptions, modelLogRows } from '../../src/pipeline.ts';
import { createRandom } from '../../src/stats/random.ts';
import { logText } from '../support/log-source.ts';
import { ScriptedProtocol } from '../support/scripted-protocol.ts';

const START = 1_796_000_000;
/** nginx writes a line when the answer is out: its stamp is the end. */
const NGINX = '$msec $remote_addr "$request" $status $request_time';

interface Sent {
  readonly atSeconds: number;
  readonly target: string;
}

/** Replays a log on the virtual clock against a service that takes `serviceSeconds` for everything. */
async function replay(
  lines: readonly string[],
  model: ModelOptions,
  options: Partial<ReplayOptions> = {},
  serviceSeconds = 0.01,
) {
  const { workload, replay: log } = await modelLogRows([logText(`${lines.join('\n')}\n`)], {
    window: 'all',
    ...model,
  });
  const planned = planReplay(workload, log, {
    speedFactor: 1,
    stepSeconds: 10,
    requestTimeoutSeconds: 30,
    seed: 7,
    ...options,
  });
  const clock = new VirtualClock();
  const sent: Sent[] = [];
  const protocol = new ScriptedProtocol(clock, (atSeconds, _index, target) => {
    sent.push({ atSeconds, target });
    return { endedAtSeconds: atSeconds + serviceSeconds };
  });
  const generator = { read: () => ({ cpuSeconds: 0, eventLoopDelayMaxSeconds: 0 }) };
  const measurements: StepMeasurement[] = [];
  startPlan(planned.plan, { clock, protocol, counters: [], generator, replay: planned.replay }, (event) => {
    if (event.kind === 'step-finished') measurements.push(event.measurement);
  });
  clock.run();
  return { sent, measurements, planned };
}

/** 300 requests at uneven times over half a minute, as `[start, duration, target]`, by their starts. */
function unevenRequests(): readonly (readonly [number, number, string])[] {
  const random = createRandom(3);
  return Array.from({ length: 300 }, (_, i) => {
    const atSeconds = Math.round(30_000 * random.next() ** 2) / 1000;
    return [atSeconds, Math.round(2000 * random.next()) / 1000, `/items/${i}`] as const;
  }).sort((a, b) => a[0] - b[0]);
}

const simpleLine = (
  [at, seconds, target]: readonly [number, number, string],
  method = 'GET',
  status = 200,
): string =>
  `${Math.round((START + at) * 1000)} 10.0.0.1 ${method} ${target} ${status} ${Math.round(seconds * 1000)}`;

/** Every request at its own distance from the first, within the clock's rounding. */
function assertTimes(
  sent: readonly Sent[],
  expected: readonly (readonly [number, number, string])[],
  speed = 1,
): void {
  assert.deepEqual(
    sent.map(({ target }) => target),
    expected.map(([, , target]) => target),
  );
  const [first, begun] = [expected[0]![0], sent[0]!.atSeconds];
  assert.ok(begun < 0.001);
  for (const [i, { atSeconds }] of sent.entries())
    assert.ok(Math.abs(atSeconds - begun - (expected[i]![0] - first) / speed) < 1e-5, `${i}: ${atSeconds}`);
}

for (const speedFactor of [1, 2.5]) {
  test(`every request of the log is sent once, in order, at its own time, ${speedFactor} times as fast`, async () => {
    const requests = unevenRequests();
    const { sent, measurements } = await replay(
      requests.map((request) => simpleLine(request)),
      {},
      { speedFactor },
    );
    assertTimes(sent, requests, speedFactor);
    const rows = stepTable(measurements);
    assert.equal(sentCountOf(measurements), 300);
    for (const row of rows) assert.ok(row.valid, JSON.stringify(row.notices));
  });
}

const sentCountOf = (measurements: readonly StepMeasurement[]): number =>
  measurements.reduce((sum, m) => sum + m.byRoute.reduce((all, route) => all + route.sentCount, 0), 0);

test('a log written at the ends of requests is replayed by their starts: stamp less duration', async () => {
  const requests = unevenRequests();
  const byEnd = [...requests].sort((a, b) => a[0] + a[1] - b[0] - b[1]);
  const lines = byEnd.map(
    ([at, seconds, target]) =>
      `${(START + at + seconds).toFixed(3)} 10.0.0.1 "GET ${target} HTTP/1.1" 200 ${seconds.toFixed(3)}`,
  );
  const { sent } = await replay(lines, { format: NGINX });
  assert.equal(sent.length, 300);
  const first = requests[0]![0];
  const expected = new Map(requests.map(([at, , target]) => [target, at - first]));
  for (const { target, atSeconds } of sent)
    assert.ok(Math.abs(atSeconds - expected.get(target)!) < 1e-3, target);
  assert.ok(sent.every(({ atSeconds }, i) => i === 0 || atSeconds >= sent[i - 1]!.atSeconds));
});

test('lines out of order are sorted, and a log of 1.5 s takes 1.5 s', async () => {
  const requests = [0.9, 0, 1.5, 0.3].map((at) => [at, 0.001, `/at/${at}`] as const);
  const { sent, measurements } = await replay(
    requests.map((request) => simpleLine(request)),
    {},
  );
  assert.deepEqual(
    sent.map(({ target }) => target),
    ['/at/0', '/at/0.3', '/at/0.9', '/at/1.5'],
  );
  assert.ok(Math.abs(measurements.reduce((sum, m) => sum + m.windowSeconds, 0) - 1.5) < 0.01);
});

test('over the limit in flight requests are dropped and counted, never delayed', async () => {
  const requests = Array.from({ length: 100 }, (_, i) => [i / 10, 0.001, `/a/${i}`] as const);
  const lines = requests.map((request) => simpleLine(request));
  const { measurements } = await replay(lines, {}, { maxInFlight: 5 }, 1);
  const { byRoute } = measurements[0]!;
  const count = (pick: (route: (typeof byRoute)[number]) => number) =>
    byRoute.reduce((sum, r) => sum + pick(r), 0);
  // A second's service at 10/s would hold ten in flight; five of them find no place.
  assert.equal(count((r) => r.sentCount) + count((r) => r.droppedCount), 100);
  assert.ok(Math.abs(count((r) => r.droppedCount) - 50) <= 5, `${count((r) => r.droppedCount)}`);
});

test('what failed is sent again, what needs a body is left out and said, secrets are replaced unless kept', async () => {
  const lines = [
    simpleLine([0, 0.001, '/missing'], 'GET', 404),
    simpleLine([1, 0.001, '/orders'], 'POST'),
    simpleLine([2, 0.001, '/reset?token=8c1f0d2b9a7e4466']),
  ];
  const { sent, planned } = await replay(lines, {});
  assert.equal(sent.length, 2);
  assert.equal(sent[0]!.target, '/missing');
  assert.ok(!sent[1]!.target.includes('8c1f0d2b9a7e4466'), sent[1]!.target);
  assert.match(planned.notices[0]!.message, /33\.3 % of the requests are left out/);
  const kept = await replay(lines, { keepValues: true });
  assert.equal(kept.sent[1]!.target, '/reset?token=8c1f0d2b9a7e4466');
});
