import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spikeResult } from '../../src/analysis/spike-result.ts';
import type { LoadPlan } from '../../src/model/load.ts';
import type { Distribution } from '../../src/model/distribution.ts';
import { openStep, request, simulatePlan } from '../support/simulate.ts';
import { readTruth } from '../support/truth.ts';

interface SpikeCase {
  capacity: number;
  base_rate: number;
  spike_rate: number;
  spike_s: number;
  drain_s: number;
}
const { cases } = readTruth('spike_recovery.json') as { cases: SpikeCase[] };

/** A spike on one server on the virtual clock, by the driver itself: a minute of base, the burst, then `afterSeconds`. */
function spikeOn(
  c: SpikeCase,
  service: Distribution,
  arrivals: 'poisson' | 'constant',
  afterSeconds: number,
  seed = 7,
) {
  const plan: LoadPlan = {
    seed,
    shape: 'spike',
    requests: [request('/a', 1)],
    requestTimeoutSeconds: 1000,
    steps: [
      openStep(0, c.base_rate, arrivals, [5, 60]),
      openStep(1, c.spike_rate, arrivals, [0, c.spike_s]),
      openStep(2, c.base_rate, arrivals, [0, afterSeconds]),
    ],
  };
  const station = { name: 'cpu', serverCount: 1 };
  const visits = { 'GET /a': [{ station: 'cpu', service }] };
  return spikeResult(simulatePlan(plan, { stations: [station], visits }).measurements)!;
}

const even = (c: SpikeCase): Distribution => ({ kind: 'constant', meanSeconds: 1 / c.capacity });

for (const c of cases) {
  test(`${c.spike_rate}/s for ${c.spike_s} s on ${c.capacity}/s, base ${c.base_rate}/s: drained within 10 % of ${c.drain_s} s`, () => {
    const result = spikeOn(c, even(c), 'constant', c.drain_s + 60);
    const near = (actual: number | undefined, what: string) =>
      // The drain is read from seconds.
      assert.ok(Math.abs(actual! - c.drain_s) <= Math.max(0.1 * c.drain_s, 1), `${what} ${actual}`);
    near(result.drainedAfterSeconds, 'drained after');
    near(result.expectedDrainSeconds, 'by the law');
    assert.ok(result.recovered, result.reason);
    assert.equal(result.metastable, false);
    assert.equal(Math.round(result.lostCount!), 0);
    // Recovered is told in windows of five seconds.
    assert.ok(result.recoveredAfterSeconds! <= c.drain_s * 1.1 + 10, result.reason);
  });
}

test('Poisson arrivals and exponential service drain in the same time on average, within 10 %', () => {
  const c = cases[0]!;
  const service: Distribution = { kind: 'exponential', meanSeconds: 1 / c.capacity };
  const drains = [1, 2, 3, 4].map((seed) => spikeOn(c, service, 'poisson', 90, seed).drainedAfterSeconds!);
  const mean = drains.reduce((sum, drain) => sum + drain, 0) / drains.length;
  assert.ok(Math.abs(mean - c.drain_s) <= 0.1 * c.drain_s, drains.join(', '));
});

test('a spike that is watched too briefly says what it could not see', () => {
  const c = cases[0]!;
  const result = spikeOn(c, even(c), 'constant', 20);
  assert.equal(result.recovered, false);
  assert.equal(result.drainedAfterSeconds, undefined);
  assert.match(result.reason, /not answered within 20 s/);
  // What is cut off by the end of the run is not lost: the backlog of the fluid, less what 20 s drain of it.
  assert.equal(result.lostCount, 0);
  const backlog = (c.spike_rate - c.capacity) * c.spike_s - (c.capacity - c.base_rate) * 20;
  assert.ok(Math.abs(result.waitingCount! - backlog) <= c.capacity, `${result.waitingCount} of ${backlog}`);
});
