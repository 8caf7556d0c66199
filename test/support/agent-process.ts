/**
 * A load agent with a clock that is set wrong, for tests: `node agent-process.js '{…}'`. It tells on standard output
 * what it says and when, by the monotonic clock that all processes of the machine share, and after each run writes
 * the response time of every request it sent.
 */
import { writeFileSync } from 'node:fs';
import { buildHash } from '../../src/agents/build-hash.ts';
import { shiploadVersion } from '../../src/host/environment.ts';
import { RealClock } from '../../src/host/real-clock.ts';
import { serveAgent } from '../../src/session/serve-agent.ts';
import { readTrustedKey } from '../../src/session/team-keys.ts';
import { ShiftedClock } from './agent-world.ts';

export interface AgentProcessOptions {
  readonly nats: string;
  readonly trust: string;
  readonly name: string;
  /** Added to its monotonic clock and to its wall clock. */
  readonly offsetSeconds: number;
  /** Pretends to be of another version. */
  readonly version?: string;
  /** Where the response times go. */
  readonly samplesPath?: string;
}

/** A line of its output. */
export interface AgentSaid {
  readonly atMilliseconds: number;
  readonly text: string;
}

async function main(): Promise<void> {
  const options = JSON.parse(process.argv[2]!) as AgentProcessOptions;
  const { nats, trust, name, offsetSeconds, samplesPath } = options;
  const ok: number[] = [];
  const controller = new AbortController();
  process.on('SIGTERM', () => controller.abort());
  await serveAgent({
    broker: { url: nats },
    trusted: [await readTrustedKey(trust)],
    name,
    once: false,
    connectSeconds: 20,
    say: (text) => {
      const said: AgentSaid = { atMilliseconds: Number(process.hrtime.bigint()) / 1e6, text };
      process.stdout.write(`${JSON.stringify(said)}\n`);
      if (samplesPath !== undefined && text.endsWith('free for the next run'))
        writeFileSync(samplesPath, JSON.stringify(ok));
    },
    signal: controller.signal,
    clock: new ShiftedClock(new RealClock(), offsetSeconds),
    epochSeconds: () => Date.now() / 1e3 + offsetSeconds,
    build: { version: options.version ?? shiploadVersion(), buildHash: buildHash() },
    onSample: (_, __, responseTimeSeconds, failed) => {
      if (!failed) ok.push(responseTimeSeconds);
    },
  });
}

if (process.argv[1] === import.meta.filename) await main();
