import assert from 'node:assert/strict';
import { test } from 'node:test';
import { near, readTruth } from '../../test/support/truth.ts';
import { fluidRecovery, recoveryOf } from './recovery.ts';
import type { FluidSpike, SpikeWindow } from './recovery.ts';

interface SpikeCase {
  capacity: number;
  base_rate: number;
  spike_rate: number;
  spike_s: number;
  backlog_peak: number;
  max_wait_s: number;
  drain_s: number;
}
const { cases } = readTruth('spike_recovery.json') as { cases: SpikeCase[] };

const fluidOf = (c: SpikeCase): FluidSpike => ({
  capacityPerSecond: c.capacity,
  baseRatePerSecond: c.base_rate,
  spikeRatePerSecond: c.spike_rate,
  spikeSeconds: c.spike_s,
});

/** Windows of a second of a fluid queue with 20 ms of service: 120 s before the spike, then the spike, then `after`. */
function fluidWindows(
  c: SpikeCase,
  after: number,
  capacity = (_second: number): number => c.capacity,
): SpikeWindow[] {
  let backlog = 0;
  return Array.from({ length: 120 + c.spike_s + after }, (_, second) => {
    const offered = second >= 120 && second < 120 + c.spike_s ? c.spike_rate : c.base_rate;
    const served = Math.min(capacity(second), backlog + offered);
    backlog += offered - served;
    return {
      atSeconds: second,
      durationSeconds: 1,
      offeredPerSecond: offered,
      throughputPerSecond: served,
      errorRatio: 0,
      p95Seconds: 0.02 + backlog / c.capacity,
    };
  });
}

for (const c of cases) {
  const name = `${c.spike_rate}/s for ${c.spike_s} s on ${c.capacity}/s, base ${c.base_rate}/s`;
  test(`backlog, wait and drain of ${name}`, () => {
    const fluid = fluidRecovery(fluidOf(c));
    near(fluid.backlogCount, c.backlog_peak, 1e-12, 'backlog');
    near(fluid.longestWaitSeconds, c.max_wait_s, 1e-12, 'wait');
    near(fluid.drainSeconds, c.drain_s, 1e-12, 'drain');
  });

  test(`a fluid queue recovers when it has drained: ${name}`, () => {
    const spike = { fromSeconds: 120, toSeconds: 120 + c.spike_s };
    const recovery = recoveryOf(fluidWindows(c, Math.ceil(c.drain_s) + 60), spike, fluidOf(c))!;
    // A window is a second, and a wait of under 2 ms counts as none.
    assert.ok(
      Math.abs(recovery.afterSeconds! - c.drain_s) <= 1,
      `${recovery.afterSeconds}, drain ${c.drain_s}`,
    );
    assert.equal(recovery.metastable, false);
    near(recovery.worstP95Seconds, 0.02 + c.max_wait_s, 1e-9, 'worst window');
    assert.ok(recovery.unservedCount < 1e-6, 'a queue loses nothing');
  });
}

test('not recovered within what was watched is said as such', () => {
  const spike = { fromSeconds: 120, toSeconds: 150 };
  const recovery = recoveryOf(fluidWindows(cases[0]!, 50), spike, fluidOf(cases[0]!))!;
  assert.equal(recovery.recovered, false);
  assert.equal(recovery.afterSeconds, undefined);
  assert.equal(recovery.observedSeconds, 50);
  assert.equal(recovery.metastable, false, 'too short to call it that');
});

test('a service that stays below its capacity after the spike is metastable, and what it lost is counted', () => {
  const spike = { fromSeconds: 120, toSeconds: 150 };
  const halved = fluidWindows(cases[0]!, 300, (second) => (second < 130 ? 160 : 80));
  const recovery = recoveryOf(halved, spike, fluidOf(cases[0]!))!;
  assert.equal(recovery.recovered, false);
  assert.equal(recovery.metastable, true);
  near(recovery.unservedCount, 10 * 80 + 20 * 160 + 300 * 20, 1e-9, 'offered less served');
});

test('errors keep a service from having recovered', () => {
  const windows = fluidWindows(cases[4]!, 120).map((w) =>
    w.atSeconds < 200 ? w : { ...w, errorRatio: 0.02 },
  );
  assert.equal(recoveryOf(windows, { fromSeconds: 120, toSeconds: 140 })!.recovered, true);
  const failing = windows.map((w) => (w.atSeconds < 150 ? w : { ...w, errorRatio: 0.02 }));
  assert.equal(recoveryOf(failing, { fromSeconds: 120, toSeconds: 140 })!.recovered, false);
});

test('without a minute of baseline there is nothing to recover to; a closed loop holds no more than its users', () => {
  const windows = fluidWindows(cases[0]!, 60).filter(({ atSeconds }) => atSeconds >= 100);
  assert.equal(recoveryOf(windows, { fromSeconds: 120, toSeconds: 150 }), undefined);
  assert.equal(fluidRecovery({ ...fluidOf(cases[0]!), users: 300 }).backlogCount, 300);
});
