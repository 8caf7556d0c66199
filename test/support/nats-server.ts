import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { TestContext } from 'node:test';

const PROGRAM = 'nats-server';

/** Why tests with a broker cannot run here; undefined where they can. */
export const brokerMissing: string | undefined =
  spawnSync(PROGRAM, ['--version']).status === 0
    ? undefined
    : 'nats-server is not installed (apt-get install nats-server)';

export interface BrokerOptions {
  readonly host: string;
  readonly port: number;
  /** Where streams are kept: a broker started again on the same folder has them still. */
  readonly folder: string;
  /** Words before the command, as `ip netns exec NAME`. */
  readonly within?: readonly string[];
  /** More of its arguments, as `--config FILE`. */
  readonly more?: readonly string[];
}

/** Starts a broker and resolves when it takes connections; it goes with the test. */
export async function startBroker(t: TestContext, options: BrokerOptions): Promise<ChildProcess> {
  const { host, port, folder, within = [], more = [] } = options;
  const words = [
    ...within,
    PROGRAM,
    '--jetstream',
    '--store_dir',
    folder,
    '-a',
    host,
    '-p',
    String(port),
    ...more,
  ];
  const child = spawn(words[0]!, words.slice(1), { stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (log += chunk));
  t.after(() => endChild(child));
  for (let tries = 0; !/Server is ready/.test(log); tries += 1) {
    if (tries > 200 || child.exitCode !== null) throw new Error(`the broker does not start: ${log}`);
    await setTimeout(50);
  }
  if (within.length === 0) await accepting(host, port);
  return child;
}

/** Kills a process of ours and waits until it is gone. */
export async function endChild(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
}

async function accepting(host: string, port: number): Promise<void> {
  const socket = connect(port, host);
  await once(socket, 'connect');
  socket.destroy();
}
