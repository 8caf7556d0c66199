import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { ReportDocument } from '../../src/model/documents.ts';
import type { RunRecord } from '../../src/model/record.ts';
import { Histogram } from '../../src/stats/histogram.ts';
import { AgentsLab } from '../support/agents-lab.ts';
import { isBusy } from '../support/calm.ts';
import { endChild, brokerMissing } from '../support/nats-server.ts';
import { namespacesMissing } from '../support/namespaces.ts';

/** Clocks of four machines: right, and wrong by seconds, an hour and a day. */
const OFFSETS = [0, 5, -3600, -86_400];
const skip = brokerMissing ?? namespacesMissing ?? false;

const recordOf = (lab: AgentsLab, out: string): RunRecord =>
  JSON.parse(readFileSync(join(lab.folder, out, 'record.json'), 'utf8')) as RunRecord;
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
const sentOf = ({ totals }: RunRecord): number => sum(totals!.byRoute.map(({ sentCount }) => sentCount));
const redFlags = ({ measurements }: RunRecord): readonly string[] =>
  measurements.flatMap(({ notices }) =>
    notices.filter(({ severity }) => severity === 'red-flag').map(({ code }) => code),
  );

test(
  'coordinator, broker and four agents on machines of their own, their clocks up to a day apart',
  { skip },
  async (t) => {
    const lab = await AgentsLab.open(t, 4);
    await Promise.all(OFFSETS.map((offsetSeconds, i) => lab.startAgent(i, { offsetSeconds })));

    await t.test('start within 5 ms, and add up to what the service and the samples say', async () => {
      const before = lab.served();
      const args = [
        '--shape',
        'steps',
        '--users',
        '8,24',
        '--think',
        '0.1s',
        '--step',
        '3s',
        '--warmup',
        '1s',
      ];
      const { code, stdout, stderr } = await lab.run(args, 'whole').finished;
      assert.notEqual(stdout, '', stderr);
      const record = recordOf(lab, 'whole');
      const agents = record.manifest.agents!;
      assert.ok(code === 0 || code === 3, stderr);
      assert.equal(record.manifest.state, 'completed');
      assert.ok(agents.every(({ isWhole }) => isWhole));
      assert.deepEqual(
        agents.map(({ wallClockOffsetSeconds }) => Math.round(wallClockOffsetSeconds) + 0),
        OFFSETS,
      );

      // When each began, by the one clock that all processes of this machine share.
      const begun = await Promise.all(lab.agents.map((agent) => agent.untilSaid(/load begins/)));
      const late = agents.map(({ startLateSeconds }) => startLateSeconds! * 1e3);
      // What each was told, whenever the machine let it begin.
      const set = begun.map((at, i) => at - late[i]!);
      assert.ok(
        Math.max(...set) - Math.min(...set) < 5,
        `starts were set ${set.map((at) => at - set[0]!).join(', ')} ms apart`,
      );
      t.diagnostic(`begun within ${(Math.max(...begun) - Math.min(...begun)).toFixed(2)} ms`);
      if (!isBusy()) assert.ok(Math.max(...begun) - Math.min(...begun) < 5, 'begun within 5 ms');

      // X: the service's own count of each machine, less the agent's one question whether it answers.
      const after = lab.served();
      for (const [i, { sentCount }] of agents.entries()) {
        const { address } = lab.agents[i]!.place;
        assert.equal(after.get(address)!.count - (before.get(address)?.count ?? 0), sentCount + 1);
      }
      assert.equal(sentOf(record), sum(agents.map(({ sentCount }) => sentCount)));
      // N: in flight and thinking are all the users there are.
      for (const { step, meanInFlight, meanThinking } of record.measurements) {
        const users = step.driver.kind === 'closed' ? step.driver.users : Number.NaN;
        assert.ok(
          Math.abs(meanInFlight + meanThinking! - users) <= 0.01 * users,
          `${meanInFlight + meanThinking!} of ${users}`,
        );
      }
      // The histogram of all seconds of all agents, from the stored segments, against that of the samples themselves.
      await Promise.all(lab.agents.map((agent) => agent.untilSaid(/free for the next run/)));
      const samples = new Histogram();
      for (const { samplesPath } of lab.agents)
        for (const seconds of JSON.parse(readFileSync(samplesPath, 'utf8')) as number[])
          samples.record(seconds);
      const segments = readFileSync(join(lab.folder, 'whole', 'segments.jsonl'), 'utf8')
        .trim()
        .split('\n');
      const bins = new Map<number, number>();
      for (const line of segments) {
        const { frame } = JSON.parse(line) as { frame: { routes: { responseTime: { bins: number[] } }[] } };
        for (const { responseTime } of frame.routes)
          for (let at = 0; at < responseTime.bins.length; at += 2)
            bins.set(
              responseTime.bins[at]!,
              (bins.get(responseTime.bins[at]!) ?? 0) + responseTime.bins[at + 1]!,
            );
      }
      assert.deepEqual([...bins].toSorted((a, b) => a[0] - b[0]).flat(), samples.toData().bins);
    });

    await t.test('lose nothing when the broker is killed and started again', async () => {
      const run = lab.run(
        ['--rate', '200', '--arrivals', 'constant', '--step', '6s', '--warmup', '1s'],
        'broker',
      );
      await run.untilSaid(/are ready/);
      await setTimeout(3000);
      await lab.killBroker();
      await setTimeout(500);
      await lab.startBroker();
      const { stderr } = await run.finished;
      const record = recordOf(lab, 'broker');
      assert.equal(record.manifest.state, 'completed', stderr);
      assert.deepEqual(
        record.manifest.agents!.map(({ isWhole }) => isWhole),
        [true, true, true, true],
      );
      // Six seconds at 200/s, every arrival at its own time.
      assert.equal(sentOf(record), 6 * 200);
    });

    await t.test(
      'stop within 3 s when the coordinator is killed; the run is read back from the stream',
      async () => {
        const run = lab.run(
          ['--rate', '100', '--arrivals', 'constant', '--step', '20s', '--warmup', '1s'],
          'killed',
        );
        const [, runId] = await run.untilSaid(/Run (\w+) on the broker/);
        await setTimeout(4000);
        const killedAtMilliseconds = Number(process.hrtime.bigint()) / 1e6;
        await endChild(run.child);
        await Promise.all(
          lab.agents.map(async (agent) => {
            const at = await agent.untilSaid(/no word of the coordinator/);
            assert.ok(at > killedAtMilliseconds);
            await agent.untilSaid(/free for the next run/);
          }),
        );
        await setTimeout(500);
        for (const agent of lab.agents) {
          const lastMilliseconds = lab.servedTo(agent).lastAtMilliseconds;
          const ranOnSeconds = (lastMilliseconds - killedAtMilliseconds) / 1e3;
          assert.ok(ranOnSeconds < (isBusy() ? 4 : 3), `${agent.name} sent for ${ranOnSeconds} s`);
        }
        const args = ['report', runId!, '--nats', lab.nats, '--as', 'json'];
        const { stdout, stderr } = await lab.command(args).finished;
        assert.notEqual(stdout, '', stderr);
        const report = JSON.parse(stdout) as ReportDocument;
        assert.equal(report.state, 'interrupted');
        assert.ok(report.notices.some(({ code }) => code === 'recovered-from-stream'));
        assert.ok(report.steps[0]!.completionCount! > 0);
      },
    );

    await t.test('lose one by name when it is killed: its step is not valid, the run ends', async () => {
      const run = lab.run(['--rate', '100', '--step', '20s', '--warmup', '1s'], 'lost');
      await run.untilSaid(/are ready/);
      await setTimeout(3500);
      await endChild(lab.agents[2]!.child);
      const { code, stderr } = await run.finished;
      assert.equal(code, 3, stderr);
      assert.match(stderr, /Load agent a3 is lost: no sign of life for 3\.\d s; the run ends here/);
      const record = recordOf(lab, 'lost');
      assert.equal(record.manifest.state, 'agent-lost');
      assert.ok(redFlags(record).includes('agent-lost'));
      const [, , third] = record.manifest.agents!;
      assert.ok(third!.lost !== undefined && !third!.isWhole);
    });

    await t.test('are refused when one of them is of another version', async () => {
      await lab.startAgent(2, { version: '0.0.1' });
      const { code, stderr } = await lab.run(['--rate', '10', '--step', '3s', '--warmup', '1s'], 'mixed')
        .finished;
      assert.equal(code, 4);
      assert.match(
        stderr,
        /3 of 4 load agents are ready \(a3 is version 0\.0\.1, this is .*\[agents-not-ready\]/,
      );
    });
  },
);
