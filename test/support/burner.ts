import { fork } from 'node:child_process';
import { open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

/** What the process is told to do; it answers with the CPU seconds it has used itself, as it knows them. */
export type BurnerOrder =
  | { readonly burnSeconds: number }
  | { readonly burnInThreadSeconds: number }
  /** In a child that then ends. */
  | { readonly burnInChildSeconds: number }
  /** A child that stays, idle. */
  | { readonly keepChild: true }
  | { readonly openDescriptors: number }
  | { readonly title: string };

const self = fileURLToPath(import.meta.url);

function burn(seconds: number): void {
  const start = process.cpuUsage();
  for (;;) {
    const { user, system } = process.cpuUsage(start);
    if ((user + system) / 1e6 >= seconds) return;
  }
}

/** Burns until the process has used as much; nothing else in it does any work meanwhile. */
const THREAD = `
  const { workerData } = require('node:worker_threads');
  const start = process.cpuUsage();
  for (let used = { user: 0, system: 0 }; (used.user + used.system) / 1e6 < workerData; used = process.cpuUsage(start));
`;

async function obey(order: BurnerOrder): Promise<void> {
  if ('burnSeconds' in order) burn(order.burnSeconds);
  if ('title' in order) process.title = order.title;
  if ('burnInThreadSeconds' in order) {
    const thread = new Worker(THREAD, { eval: true, workerData: order.burnInThreadSeconds });
    await new Promise((resolve) => thread.once('exit', resolve));
  }
  if ('burnInChildSeconds' in order) {
    const child = fork(self);
    child.send({ burnSeconds: order.burnInChildSeconds });
    await new Promise((resolve) => child.once('message', resolve));
    child.disconnect();
    await new Promise((resolve) => child.once('exit', resolve));
  }
  if ('keepChild' in order) {
    const child = fork(self);
    child.send({ burnSeconds: 0 });
    await new Promise((resolve) => child.once('message', resolve));
  }
  if ('openDescriptors' in order) {
    for (let i = 0; i < order.openDescriptors; i += 1) kept.push(await open('/dev/null'));
  }
}

/** Descriptors that stay open. */
const kept: unknown[] = [];

if (process.send !== undefined && process.argv[1] === self) {
  process.on('message', (order: BurnerOrder) => {
    void obey(order).then(() => {
      const { user, system } = process.cpuUsage();
      process.send?.((user + system) / 1e6);
    });
  });
  process.on('disconnect', () => process.exit());
}

/** A process that uses resources as it is told. */
export interface Burner {
  readonly pid: number;
  /** Resolves when done, with the CPU seconds the process has used in all (getrusage). */
  tell(order: BurnerOrder): Promise<number>;
  end(): Promise<void>;
}

export function startBurner(): Burner {
  const child = fork(self);
  return {
    pid: child.pid!,
    tell: (order) =>
      new Promise((resolve) => {
        child.once('message', (used) => resolve(used as number));
        child.send(order);
      }),
    end: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGKILL');
      }),
  };
}
