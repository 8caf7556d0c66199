import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LoadPlan } from '../model/load.ts';
import type { RunTotals, StepMeasurement } from '../model/measurement.ts';
import { manifestOfPlan, SimulatedTeam } from '../../test/support/agent-world.ts';
import { scriptPlan, closedStep, openStep } from '../../test/support/simulate.ts';
import type { Script } from '../../test/support/scripted-protocol.ts';
import { sha256 } from './build-hash.ts';
import { LIMITS } from './limits.ts';
import { makeKeyPair } from './signature.ts';
import { readStreamRun } from './stream-run.ts';

const targets = (name: string) => ({
  draw: 'uniform' as const,
  distinctCount: 50,
  targets: Array.from({ length: 50 }, (_, i) => `/${name}/${i}`),
});

const PLAN: LoadPlan = {
  seed: 7,
  shape: 'steps',
  requests: [
    { id: 'a', method: 'GET', route: '/a/[id]', shareRatio: 0.7, targets: targets('a') },
    { id: 'b', method: 'GET', route: '/b/[id]', shareRatio: 0.3, targets: targets('b') },
  ],
  thinkTimeSeconds: { kind: 'exponential', meanSeconds: 0.3 },
  requestTimeoutSeconds: 10,
  steps: [closedStep(0, 10, 2, 6), openStep(1, 80, 'poisson', [2, 6]), openStep(2, 60, 'constant', [2, 6])],
};

/** Every target has a time of its own, every eleventh fails. */
const script: Script = (sentAtSeconds, _, target) => {
  const number = Number(target.split('/')[2]);
  return {
    endedAtSeconds: sentAtSeconds + 0.01 + number / 1000,
    ...(number % 11 === 10 && { status: 503 }),
  };
};

/** Clocks that are minutes, hours and a day apart. */
const OFFSETS = [0, 5, -3600, -86_400];

function teamOf(count = 4): SimulatedTeam {
  const team = new SimulatedTeam(script);
  for (let i = 0; i < count; i += 1) team.addAgent(`a${i + 1}`, { offsetSeconds: OFFSETS[i % 4]! });
  return team;
}

const measurementsOf = (team: SimulatedTeam): readonly StepMeasurement[] =>
  team.events.flatMap((event) => (event.kind === 'step-finished' ? [event.measurement] : []));

function finishedOf(team: SimulatedTeam): { reason: string; totals: RunTotals } {
  const last = team.events.at(-1);
  assert.ok(last?.kind === 'finished');
  return last;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
const sentOf = (totals: RunTotals): number => sum(totals.byRoute.map(({ sentCount }) => sentCount));
/** To a microsecond: the clocks of agents are laid beside each other with a rounding at a day's seconds. */
const rounded = (values: readonly number[]): readonly string[] =>
  values.toSorted((a, b) => a - b).map((value) => value.toFixed(5));
const codesOf = ({ notices }: StepMeasurement): readonly string[] => notices.map(({ code }) => code);

test('four agents, their clocks up to a day apart, send and measure what one generator does', async () => {
  const whole = scriptPlan(PLAN, script);
  const team = teamOf();
  const engine = await team.open(PLAN);
  await team.run(engine);
  const { agents, doubts, notices } = await team.until(engine.conclude());
  const sent = team.agents.flatMap(({ sentAtSeconds }) => sentAtSeconds);
  const originSeconds = Math.min(...sent) - Math.min(...whole.sentAtSeconds);
  assert.deepEqual(rounded(sent.map((at) => at - originSeconds)), rounded(whole.sentAtSeconds));
  const { reason, totals } = finishedOf(team);
  assert.equal(reason, 'completed');
  assert.deepEqual(totals, whole.totals);
  for (const [i, measured] of measurementsOf(team).entries()) {
    const one = whole.measurements[i]!;
    assert.deepEqual(measured.outcomeCounts, one.outcomeCounts);
    // Bin for bin: those of the samples themselves, to a microsecond of rounding where a clock counts a day's seconds.
    const bins = ({ responseTime }: StepMeasurement) => responseTime.bins.filter((_, at) => at % 2 === 0);
    assert.equal(measured.responseTime.totalCount, one.responseTime.totalCount);
    assert.ok(Math.abs(bins(measured).length - bins(one).length) <= 0.05 * bins(one).length);
    assert.ok(Math.abs(measured.meanInFlight - one.meanInFlight) < 1e-3);
    if (one.meanThinking !== undefined)
      assert.ok(Math.abs(measured.meanInFlight + measured.meanThinking! - 10) < 1e-3);
    assert.deepEqual(codesOf(measured), []);
  }
  assert.deepEqual(doubts, []);
  assert.deepEqual(notices, []);
  assert.ok(
    agents.every(({ isWhole, clockUncertaintySeconds }) => isWhole && clockUncertaintySeconds < 0.001),
  );
  assert.deepEqual(
    agents.map(({ wallClockOffsetSeconds }) => Math.round(wallClockOffsetSeconds) + 0),
    OFFSETS,
  );
});

test('events that come twice, out of order, or not at all are merged as if each came once', async () => {
  const whole = scriptPlan(PLAN, script);
  const team = teamOf();
  let count = 0;
  // Some twice, some seconds late, some never: those are asked for again.
  team.broker.faults = () => [[0, 0.2], [2.7], [0.4], [], [0]][(count += 1) % 5]!;
  const engine = await team.open(PLAN);
  await team.run(engine);
  const { agents, doubts } = await team.until(engine.conclude());
  assert.deepEqual(finishedOf(team).totals, whole.totals);
  assert.deepEqual(doubts, []);
  assert.ok(agents.every(({ isWhole }) => isWhole));
});

test('an agent that is killed is lost by name, its step is not valid, and the run ends by policy', async () => {
  const team = teamOf();
  const engine = await team.open(PLAN);
  const victim = team.agents[2]!;
  await team.run(engine, [[6, () => (victim.bus.isLinked = false)]]);
  const { agents } = await team.until(engine.conclude());
  assert.equal(finishedOf(team).reason, 'agent-lost');
  const [first, ...others] = measurementsOf(team);
  assert.deepEqual(others, []);
  assert.ok(codesOf(first!).includes('agent-lost'));
  assert.match(first!.notices.find(({ code }) => code === 'agent-lost')!.message, /a3 was lost/);
  assert.ok(agents[2]!.lost !== undefined && !agents[2]!.isWhole);
  assert.ok(agents.filter(({ name }) => name !== 'a3').every(({ isWhole }) => isWhole));
});

test('a link that is down stops the load at its agent within 3 s, whoever hears of it', async () => {
  for (const downSeconds of [2, 20]) {
    const team = teamOf();
    const engine = await team.open(PLAN, { onLoss: 'continue' });
    const cut = team.agents[1]!;
    let downAtSeconds = 0;
    await team.run(engine, [
      [3, () => ((cut.bus.isLinked = false), (downAtSeconds = team.clock.nowSeconds()))],
      [3 + downSeconds, () => (cut.bus.isLinked = true)],
    ]);
    const { agents, doubts } = await team.until(engine.conclude());
    const lastSent = Math.max(...cut.sentAtSeconds);
    assert.deepEqual(doubts, []);
    assert.equal(finishedOf(team).reason, 'completed');
    if (downSeconds === 2) {
      // Heard again in time: nothing was lost, and nothing is said.
      assert.ok(agents.every(({ isWhole }) => isWhole));
      assert.deepEqual(measurementsOf(team).map(codesOf), [[], [], []]);
      assert.equal(
        sentOf(finishedOf(team).totals),
        sum(team.agents.map(({ sentAtSeconds }) => sentAtSeconds.length)),
      );
    } else {
      assert.ok(lastSent < downAtSeconds + 3 && lastSent > downAtSeconds + 2, `${lastSent - downAtSeconds}`);
      assert.ok(agents[1]!.lost !== undefined);
      const steps = measurementsOf(team);
      assert.deepEqual(
        steps.map((step) => codesOf(step).includes('agent-lost')),
        [true, false, false],
        'the others make its share from the next step on',
      );
      // The steps after it are whole: their arrivals are those of one generator, to the arrival.
      for (const [i, one] of scriptPlan(PLAN, script).measurements.entries())
        if (i > 0) assert.deepEqual(steps[i]!.outcomeCounts, one.outcomeCounts);
      assert.ok(cut.said.some((text) => text.includes('no word of the coordinator')));
    }
  }
});

test('a broker that dies and comes back costs nothing that was measured', async () => {
  const whole = scriptPlan(PLAN, script);
  const team = teamOf();
  const engine = await team.open(PLAN);
  await team.run(engine, [
    [5.3, () => (team.broker.isUp = false)],
    [7.1, () => (team.broker.isUp = true)],
  ]);
  const { doubts, agents } = await team.until(engine.conclude());
  assert.deepEqual(finishedOf(team).totals, whole.totals);
  assert.deepEqual(measurementsOf(team).map(codesOf), [[], [], []]);
  assert.deepEqual(doubts, []);
  assert.ok(agents.every(({ isWhole }) => isWhole));
});

test('a broker that is away for longer stops the load everywhere; what was measured still comes', async () => {
  const team = teamOf();
  const engine = await team.open(PLAN);
  await team.run(engine, [
    [5.3, () => (team.broker.isUp = false)],
    [25, () => (team.broker.isUp = true)],
  ]);
  await team.until(engine.conclude());
  assert.equal(finishedOf(team).reason, 'agent-lost');
  assert.ok(codesOf(measurementsOf(team)[0]!).includes('agent-lost'));
  for (const { sentAtSeconds } of team.agents)
    assert.ok(Math.max(...sentAtSeconds) - Math.min(...sentAtSeconds) < 5.3 + 3);
});

test('a broker that comes and goes keeps nobody waiting for ever', async () => {
  const team = teamOf(2);
  const engine = await team.open(PLAN);
  // Nothing is kept any more, and every other second the coordinator hears itself.
  const cycle = (): void => {
    team.broker.isUp = Math.floor(team.clock.nowSeconds() / 1.5) % 2 === 0;
    team.clock.schedule(team.clock.nowSeconds() + 0.25, { onTime: cycle });
  };
  await team.run(engine, [[7, () => ((team.broker.keep = () => false), cycle())]]);
  assert.ok(team.clock.nowSeconds() < 7 + LIMITS.flushSeconds + 10, `${team.clock.nowSeconds()} s`);
  assert.equal(finishedOf(team).reason, 'agent-lost');
  assert.ok(codesOf(measurementsOf(team)[0]!).includes('agent-lost'));
  await team.until(engine.conclude(), LIMITS.finalSeconds + 20);
  await team.until(engine.close(), 60);
});

test('agents of a coordinator that is killed stop within 3 s, tell the stream all, and are free again', async () => {
  const team = teamOf();
  const engine = await team.open(PLAN);
  await team.until(engine.keepManifest(manifestOfPlan(PLAN)));
  engine.start({ counters: [], onEvent: () => {}, onFault: () => {} });
  await team.pass(8);
  team.coordinatorBus.isLinked = false;
  engine.team.beats.stop();
  await team.pass(5);
  for (const { sentAtSeconds, agent } of team.agents) {
    assert.ok(Math.max(...sentAtSeconds) - Math.min(...sentAtSeconds) < 8 + 3);
    assert.ok(!agent.isBusy);
  }
  const { manifest, measurements, totals } = await readStreamRun(team.broker.connect(), engine.team.runId);
  assert.equal(manifest.state, 'interrupted');
  assert.equal(sentOf(totals!), sum(team.agents.map(({ sentAtSeconds }) => sentAtSeconds.length)));
  const [first] = scriptPlan(PLAN, script).measurements;
  assert.deepEqual(measurements[0]!.outcomeCounts, first!.outcomeCounts);
  assert.deepEqual(codesOf(measurements[0]!), [], 'the step that was over stands');
});

test('users of a lost agent are taken over with the next step, each by one of the others', async () => {
  const plan: LoadPlan = {
    ...PLAN,
    steps: [closedStep(0, 9, 1, 7), closedStep(1, 13, 2, 8), closedStep(2, 5, 2, 8)],
  };
  const team = teamOf(3);
  const engine = await team.open(plan, { onLoss: 'continue' });
  await team.run(engine, [[3, () => (team.agents[0]!.bus.isLinked = false)]]);
  await team.until(engine.conclude());
  const [first, ...others] = measurementsOf(team);
  assert.ok(codesOf(first!).includes('agent-lost'));
  for (const { step, meanInFlight, meanThinking, notices } of others) {
    assert.deepEqual(notices, []);
    const users = step.driver.kind === 'closed' ? step.driver.users : Number.NaN;
    assert.ok(
      Math.abs(meanInFlight + meanThinking! - users) < 1e-3,
      `${meanInFlight + meanThinking!} of ${users}`,
    );
  }
  assert.ok(team.agents[1]!.said.some((text) => text.includes('makes part 1 of 2 from step 2 on')));
  assert.deepEqual(
    team.agents.map(({ shares }) => shares),
    [[], [{ index: 0, count: 2 }], [{ index: 1, count: 2 }]],
    'their shares of the ceiling grow with it',
  );
});

test('an agent that stood still sends nothing of what fell due meanwhile', async () => {
  const team = teamOf(2);
  const engine = await team.open(
    { ...PLAN, steps: [openStep(0, 200, 'constant', [2, 20])] },
    { onLoss: 'continue' },
  );
  const [frozen] = team.agents;
  // Its link is cut and it hears nothing: the load that is due after 2.75 s is not let through.
  await team.run(engine, [[5, () => (frozen!.bus.isLinked = false)]]);
  await team.until(engine.conclude());
  assert.ok(
    Math.max(...frozen!.sentAtSeconds) - Math.min(...frozen!.sentAtSeconds) < 5 + LIMITS.deadManSeconds,
  );
});

test('an agent that waits for a core spoils its steps by name', async () => {
  const team = new SimulatedTeam(script);
  team.addAgent('quick');
  team.addAgent('throttled', { health: () => ({ cpuSeconds: 0.2, waitedSeconds: 0.75 }) });
  const engine = await team.open(PLAN);
  await team.run(engine);
  for (const step of measurementsOf(team)) {
    const [notice, ...others] = step.notices.filter(({ code }) => code === 'agent-saturated');
    assert.deepEqual(others, []);
    assert.match(notice!.message, /throttled ran for 20 % of the step and waited for a core for 75 %/);
  }
});

test('agents of other builds, busy ones and ones that do not trust the key are refused with the reason', async () => {
  const other = teamOf(3);
  other.addAgent('old', { identity: { version: '0.9.0' } });
  other.addAgent('patched', { identity: { buildHash: 'b'.repeat(64) } });
  const startedAt = other.clock.nowSeconds();
  await assert.rejects(other.open(PLAN, { count: 5 }), (error: Error) => {
    assert.match(
      error.message,
      /3 of 5 load agents are ready \(old is version 0\.9\.0, this is 1\.0\.0; patched is another build/,
    );
    return true;
  });
  const waitedSeconds = other.clock.nowSeconds() - startedAt;
  assert.ok(waitedSeconds < LIMITS.rollQuietSeconds + 2, 'waiting does not mend it, once no other comes');

  const missing = teamOf(2);
  await assert.rejects(
    missing.open(PLAN, { count: 3, seconds: 10 }),
    /2 of 3 load agents are ready within 10 s/,
  );

  const stopped = teamOf(2);
  const controller = new AbortController();
  stopped.clock.schedule(3, { onTime: () => controller.abort() });
  await assert.rejects(
    stopped.open(PLAN, { count: 3, signal: controller.signal }),
    /2 of 3 load agents are ready when it was stopped/,
  );
  assert.ok(stopped.clock.nowSeconds() < 4);

  const stranger = teamOf(1);
  stranger.addAgent('z', { trustedPem: makeKeyPair().publicPem });
  await assert.rejects(
    stranger.open(PLAN),
    /agent z: the order is not signed by a key that this agent trusts/,
  );
  assert.ok(stranger.agents.every(({ agent }) => !agent.isBusy || agent === stranger.agents[0]!.agent));
  await stranger.pass(5);
  assert.ok(
    stranger.agents.every(({ agent }) => !agent.isBusy),
    'those that were ready are free again',
  );
});

test('agents that come late are waited for beside a stale one, and one that is gone again is not taken', async () => {
  const team = teamOf(2);
  team.addAgent('old', { identity: { version: '0.9.0' } });
  const gone = team.addAgent('a0');
  const start = team.clock.nowSeconds();
  team.clock.schedule(start + 1.2, { onTime: () => (gone.bus.isLinked = false) });
  team.clock.schedule(start + 4, { onTime: () => void team.addAgent('a3') });
  team.clock.schedule(start + 8, { onTime: () => void team.addAgent('a4') });
  const engine = await team.open(PLAN, { count: 4 });
  assert.deepEqual(
    engine.team.members.map(({ name }) => name),
    ['a1', 'a2', 'a3', 'a4'],
  );
  assert.match(team.said.join('\n'), /2 of 4 are ready: a1, a2 \(old is version 0\.9\.0/);
});

test('what a run puts on the broker for its agents goes with it, and all of it where it is refused', async () => {
  const stranger = teamOf(2);
  stranger.addAgent('z', { trustedPem: makeKeyPair().publicPem });
  await assert.rejects(stranger.open(PLAN), /not signed by a key/);
  assert.deepEqual([stranger.broker.bundles.size, stranger.broker.streams.size], [0, 0]);
  await stranger.pass(0.1);
  assert.ok(
    stranger.agents.every(({ agent }) => !agent.isBusy),
    'they hear at once that they are free',
  );
  assert.deepEqual(
    stranger.agents.map(({ ended }) => ended),
    [[false], [false], [false]],
    'an agent for one run has not had it yet',
  );

  const team = teamOf(2);
  const engine = await team.open(PLAN);
  assert.ok(team.broker.bundles.size > 0);
  await team.run(engine);
  await team.until(engine.conclude());
  await team.until(engine.close());
  await team.pass(0.1);
  assert.deepEqual([team.broker.bundles.size, team.broker.streams.size], [0, 1]);
  assert.deepEqual(
    team.agents.map(({ ended }) => ended),
    [[true], [true]],
  );

  const idle = teamOf(2);
  const never = await idle.open(PLAN);
  await idle.until(never.close());
  assert.deepEqual([idle.broker.bundles.size, idle.broker.streams.size], [0, 0], 'no start, no run');
});

test('an agent that is ended while it prepares takes no part, and one that never gets ready is given up', async () => {
  const forever = (): Promise<void> => new Promise(() => {});
  const team = teamOf(1);
  const slow = team.addAgent('slow', { preparing: forever });
  team.clock.schedule(team.clock.nowSeconds() + 2, { onTime: () => slow.agent.stop() });
  await assert.rejects(team.open(PLAN), /agent slow: it was ended while it prepared/);
  assert.deepEqual(slow.ended, [false]);
  await assert.rejects(team.open(PLAN, { count: 2, seconds: 3 }), /1 of 2 load agents are ready/);

  const waiting = teamOf(1);
  waiting.addAgent('slow', { preparing: forever });
  const controller = new AbortController();
  waiting.clock.schedule(waiting.clock.nowSeconds() + 3, { onTime: () => controller.abort() });
  await assert.rejects(
    waiting.open(PLAN, { signal: controller.signal }),
    /stopped while the agents made themselves ready/,
  );
  assert.ok(waiting.clock.nowSeconds() < 6);

  const stuck = teamOf(1);
  const never = stuck.addAgent('stuck', { preparing: forever });
  await assert.rejects(stuck.open(PLAN), /agent stuck: what was ordered was not ready within \d+ s/);
  assert.ok(!never.agent.isBusy);
});

test('the files of feeds come with the bundle, as they were signed or not at all', async () => {
  const texts = ['id\n1\n2\n', '{"n":1}\n'];
  const feeds = texts.map((text) => new TextEncoder().encode(text));
  const named = { path: 's.ts', code: '', headers: {} };
  const scenario = {
    ...named,
    feeds: feeds.map((data, i) => ({ path: `${i}.csv`, sha256: sha256(data) })),
  };
  const team = teamOf(2);
  await team.open(PLAN, { feeds }, { scenario });
  assert.deepEqual(
    team.agents.map(({ feedTexts }) => feedTexts),
    [texts, texts],
  );
  const changed = teamOf(1);
  const keep = changed.broker.bundles.set.bind(changed.broker.bundles);
  changed.broker.bundles.set = (name, data) => keep(name, name.endsWith('feed.1') ? feeds[0]! : data);
  await assert.rejects(changed.open(PLAN, { feeds }, { scenario }), /agent a1: the bundle has the hash/);
});

test('an agent that may not load the service refuses for all, before anything is sent', async () => {
  const team = teamOf(2);
  team.addAgent('a9', {
    prove: () => {
      throw new Error('10.0.0.9 is not an address of this machine');
    },
  });
  await assert.rejects(team.open(PLAN), /agent a9: 10\.0\.0\.9 is not an address of this machine/);
  assert.ok(team.agents.every(({ sentAtSeconds }) => sentAtSeconds.length === 0));
});

test('a bundle that was changed on the broker is not run', async () => {
  const team = teamOf(1);
  const keep = team.broker.bundles.set.bind(team.broker.bundles);
  team.broker.bundles.set = (name, data) =>
    keep(
      name,
      name.endsWith(' order') ? new TextEncoder().encode(`${new TextDecoder().decode(data)} `) : data,
    );
  await assert.rejects(team.open(PLAN), /agent a1: the bundle has the hash/);
});

test('a service at a loopback address is for agents of this very machine only', async () => {
  const team = teamOf(1);
  team.addAgent('elsewhere', { identity: { hostId: 'two' } });
  await assert.rejects(
    team.open(PLAN, { hostId: 'one' }),
    /agent elsewhere is on another machine, where this url leads to another service/,
  );
  assert.ok(team.agents.every(({ agent }) => !agent.isBusy));
});
