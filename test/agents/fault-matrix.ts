/**
 * What takes too long for every run of the tests: `npm run test:agents`. Real agents on machines of their own as far as
 * the network goes, and each fault with the outcome that it must have.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { RunRecord } from '../../src/model/record.ts';
import { AgentsLab } from '../support/agents-lab.ts';
import { onCalmMachine } from '../support/calm.ts';
import { brokerMissing, endChild } from '../support/nats-server.ts';
import { namespacesMissing } from '../support/namespaces.ts';

const skip = brokerMissing ?? namespacesMissing ?? false;

const recordOf = (lab: AgentsLab, out: string): RunRecord =>
  JSON.parse(readFileSync(join(lab.folder, out, 'record.json'), 'utf8')) as RunRecord;
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
const sentOf = ({ totals }: RunRecord): number => sum(totals!.byRoute.map(({ sentCount }) => sentCount));
const codesOf = ({ measurements }: RunRecord): readonly string[] =>
  measurements.flatMap(({ notices }) => notices.map(({ code }) => code));
const nowMilliseconds = (): number => Number(process.hrtime.bigint()) / 1e6;

async function labOf(t: TestContext, count = 4): Promise<AgentsLab> {
  const lab = await AgentsLab.open(t, count);
  await Promise.all(Array.from({ length: count }, (_, i) => lab.startAgent(i)));
  return lab;
}

test('a link down for 2 s: heard again in time, nothing is lost', { skip }, async (t) => {
  const lab = await labOf(t);
  const run = lab.run(['--rate', '200', '--arrivals', 'constant', '--step', '10s', '--warmup', '1s'], 'two');
  await run.untilSaid(/are ready/);
  await setTimeout(4000);
  // The broker is cut off, not the agent from the service: else the requests would fail too.
  lab.agents[1]!.place.link('down');
  await setTimeout(2000);
  lab.agents[1]!.place.link('up');
  const { stderr } = await run.finished;
  const record = recordOf(lab, 'two');
  assert.equal(record.manifest.state, 'completed', stderr);
  assert.ok(
    record.manifest.agents!.every(({ isWhole, lost }) => isWhole && lost === undefined),
    stderr,
  );
  assert.equal(sentOf(record), 2000);
});

test(
  'a link down for 20 s: the load stops there, the run goes on by policy, the agent is free again',
  { skip },
  async (t) => {
    const lab = await labOf(t);
    const args = ['--rate', '100,200', '--step', '12s', '--warmup', '1s', '--on-agent-loss', 'continue'];
    const run = lab.run(args, 'twenty');
    await run.untilSaid(/are ready/);
    await setTimeout(4000);
    const cut = lab.agents[1]!;
    cut.place.link('down');
    const downAt = nowMilliseconds();
    const stoppedAt = await cut.untilSaid(/no word of the coordinator/, 10);
    assert.ok(stoppedAt - downAt < 3500, `stopped after ${stoppedAt - downAt} ms`);
    await setTimeout(20_000 - (nowMilliseconds() - downAt));
    cut.place.link('up');
    const { stderr } = await run.finished;
    const record = recordOf(lab, 'twenty');
    assert.equal(record.manifest.state, 'completed', stderr);
    assert.match(stderr, /Load agent a2 is lost: no sign of life for 3\.\d s; the run goes on without it/);
    assert.ok(codesOf(record).includes('agent-lost'));
    assert.deepEqual(
      record.manifest.agents!.map(({ isWhole }) => isWhole),
      [true, false, true, true],
    );
    await cut.untilSaid(/free for the next run/, 30);
  },
);

test('an agent that gets a sixteenth of a core spoils its steps by name', { skip }, async (t) => {
  await onCalmMachine(() => slowAgent(t));
});

async function slowAgent(t: TestContext): Promise<void> {
  const quota = cpuQuota(t, 0.06);
  if (quota === undefined) return t.skip('no CPU quota can be set here (cgroup)');
  const lab = await AgentsLab.open(t, 2);
  await lab.startAgent(0);
  const slow = await lab.startAgent(1);
  quota(slow.child.pid!);
  const run = lab.run(
    ['--rate', '3000', '--step', '6s', '--warmup', '1s', '--on-agent-loss', 'continue'],
    'slow',
  );
  const { stderr } = await run.finished;
  const record = recordOf(lab, 'slow');
  const red = record.measurements.flatMap(({ notices }) =>
    notices.filter(({ severity }) => severity === 'red-flag'),
  );
  assert.ok(
    red.some(({ message }) => message.includes('a2')),
    `${JSON.stringify(red)} ${stderr}`,
  );
  assert.equal(record.analysis.steps[0]!.valid, false);
}

test('four quarters of a load are the whole of it, within what equal runs differ by', { skip }, async (t) => {
  const lab = await labOf(t);
  const args = ['--users', '40', '--think', '0.2s', '--shape', 'steps', '--step', '8s', '--warmup', '2s'];
  const runs: Record<'whole' | 'split', number[]> = { whole: [], split: [] };
  for (let round = 1; round <= 3; round += 1) {
    await lab.run(args, `split-${round}`).finished;
    const whole = ['run', `${lab.url}/x`, '--no-isolate', '--json', '-o', `whole-${round}`, ...args];
    await lab.command(whole).finished;
    for (const kind of ['whole', 'split'] as const)
      runs[kind].push(recordOf(lab, `${kind}-${round}`).analysis.steps[0]!.throughputPerSecond);
  }
  const [low, high] = [Math.min(...runs.whole), Math.max(...runs.whole)];
  const middle = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[1]!;
  // Equal runs differ by so much; at least by the edges of a window, a request of each user.
  const floor = Math.max(high - low, 40 / 6);
  t.diagnostic(
    `X whole ${runs.whole.map((x) => x.toFixed(1)).join(' ')}, split ${runs.split.map((x) => x.toFixed(1)).join(' ')}`,
  );
  assert.ok(Math.abs(middle(runs.split) - middle(runs.whole)) <= floor);
});

test(
  'the share of a lost agent is made by the others from the next step on, up to the ceiling of the whole',
  { skip },
  async (t) => {
    const lab = await labOf(t, 3);
    const args = ['--rate', '90,91,92', '--arrivals', 'constant', '--step', '8s', '--warmup', '1s'];
    // Three shares of 92 requests a second would hold back two agents that make all of it.
    const run = lab.run([...args, '--max-rate', '92', '--on-agent-loss', 'continue'], 'taken');
    await run.untilSaid(/are ready/);
    await setTimeout(4000);
    await endChild(lab.agents[1]!.child);
    const { stderr } = await run.finished;
    const record = recordOf(lab, 'taken');
    assert.equal(record.manifest.state, 'completed', stderr);
    const [first, second, third] = record.measurements;
    for (const step of [first!, second!])
      assert.ok(
        step.notices.some(({ code }) => code === 'agent-lost'),
        stderr,
      );
    assert.deepEqual(
      third!.notices.filter(({ code }) => code === 'agent-lost'),
      [],
    );
    assert.equal(third!.transport?.heldCount ?? 0, 0, 'nothing was held back');
    // Every arrival of the third step's eight seconds went out: its seven that count are 644, to the edges.
    assert.ok(Math.abs(third!.outcomeCounts.ok - 7 * 92) <= 2, `${third!.outcomeCounts.ok} came`);
    for (const [i, { name, sentCount }] of record.manifest.agents!.entries()) {
      const served = lab.servedTo(lab.agents[i]!).count;
      if (name === 'a2') assert.ok(served - 1 >= sentCount, 'what it told is less than what it sent');
      else assert.equal(served, sentCount + 1, name);
    }
  },
);

test(
  'the counters of the service are read once a second, by the agent that is named',
  { skip },
  async (t) => {
    const lab = await labOf(t, 2);
    const cpuSeconds = (): number => {
      const fields = readFileSync(`/proc/${lab.servicePid}/stat`, 'utf8').replace(/.*\) /s, '').split(' ');
      return (Number(fields[11]) + Number(fields[12])) / 100;
    };
    const before = cpuSeconds();
    const args = [
      '--rate',
      '200',
      '--arrivals',
      'constant',
      '--step',
      '6s',
      '--warmup',
      '1s',
      '--cores',
      '1',
    ];
    const watch = ['--counters-from', 'a2', '--pid', String(lab.servicePid), '--metrics', '/metrics'];
    const { stderr } = await lab.run([...args, ...watch], 'near').finished;
    const spent = cpuSeconds() - before;
    const record = recordOf(lab, 'near');
    assert.equal(record.manifest.state, 'completed', stderr);
    // Whoever read the page: the named agent, each second and a few times before; nobody else.
    const readers = [...lab.served()].filter(([, { pageCount }]) => pageCount !== undefined);
    assert.deepEqual(
      readers.map(([address]) => address),
      [lab.agents[1]!.place.address],
    );
    const reads = readers[0]![1].pageCount!;
    assert.ok(reads >= 6 && reads <= 12, `${reads} reads`);
    // Its CPU in the window, from what was read there, is not more than /proc says of the whole run, nor much less.
    const [step] = record.analysis.steps;
    const busySeconds = (step!.utilizationRatio['cpu'] ?? 0) * step!.windowSeconds!;
    assert.ok(busySeconds > 0 && busySeconds <= spent + 0.02, `${busySeconds} of ${spent} s`);
    assert.equal(step!.serverCount['cpu'], 1);
  },
);

let quotaCount = 0;

/** Puts processes under a share of a core, by cgroup version 2 or 1; undefined where neither lets us. */
function cpuQuota(t: TestContext, cores: number): ((pid: number) => void) | undefined {
  const name = `shipload-test-${process.pid}-${(quotaCount += 1)}`;
  const period = 100_000;
  for (const { root, limits } of [
    {
      root: '/sys/fs/cgroup/cpu',
      limits: { 'cpu.cfs_period_us': period, 'cpu.cfs_quota_us': cores * period },
    },
    { root: '/sys/fs/cgroup', limits: { 'cpu.max': `${cores * period} ${period}` } },
  ]) {
    if (!existsSync(root)) continue;
    const folder = join(root, name);
    try {
      mkdirSync(folder);
      t.after(async () => {
        // Its processes end before the lab goes.
        for (let tries = 0; tries < 50; tries += 1)
          try {
            return rmdirSync(folder);
          } catch {
            await setTimeout(100);
          }
      });
      for (const [file, value] of Object.entries(limits)) writeFileSync(join(folder, file), String(value));
      return (pid) => writeFileSync(join(folder, 'cgroup.procs'), String(pid));
    } catch {
      continue;
    }
  }
  return undefined;
}
