/**
 * What watching a service costs the machine: CPU of this process while every counter source is read once a second,
 * of a service with many threads and connections.
 *
 *   npm run bench:counters [-- threads=500 seconds=20 connections=200]
 *
 * Prints the share of a core that each source takes, and all of them together; the goal is below 1 %.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import {
  createCgroupSource,
  createListenerSource,
  createMachineSource,
  createProcessSource,
  type CounterSource,
} from '../src/counters/index.ts';

const SERVICE = `
const { Worker } = require('node:worker_threads');
const server = require('node:net').createServer(() => {}).listen(0, '127.0.0.1', () => {
  const limits = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1, stackSizeMb: 1 };
  let left = Number(process.argv[1]);
  const start = () => {
    if (left-- === 0) return process.stdout.write(String(server.address().port));
    new Worker('setInterval(() => {}, 100)', { eval: true, resourceLimits: limits }).once('online', start);
  };
  start();
});`;

const given = new Map(process.argv.slice(2).map((word) => word.split('=') as [string, string]));
const number = (name: string, usual: number): number => Number(given.get(name) ?? usual);

const threadCount = number('threads', 500);
const seconds = number('seconds', 20);
const service = spawn(process.execPath, ['-e', SERVICE, String(threadCount)], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const [said] = (await once(service.stdout, 'data')) as [Buffer];
  const port = Number(said.toString());
  for (let i = 0; i < number('connections', 200); i += 1) {
    await once(connect(port, '127.0.0.1').unref(), 'connect');
  }
  const pid = service.pid!;
  const sources = [
    createProcessSource(pid),
    createListenerSource(pid, port),
    createCgroupSource(pid),
    createMachineSource(),
  ].filter((source) => source !== undefined);
  await report(sources);
} finally {
  service.kill('SIGKILL');
}
process.exit();

async function report(sources: readonly CounterSource[]): Promise<void> {
  const spent = new Map(sources.map(({ name }) => [name, 0]));
  for (let second = 0; second < seconds; second += 1) {
    for (const source of sources) {
      const before = process.cpuUsage();
      source.read();
      const { user, system } = process.cpuUsage(before);
      spent.set(source.name, spent.get(source.name)! + (user + system) / 1e6);
    }
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  const threads = sources[0]!.read().find(({ quantity }) => quantity === 'threadCount')?.value;
  console.log(`${threads} threads, one sample a second for ${seconds} s; share of one core:`);
  const all = [...spent.values()].reduce((sum, one) => sum + one, 0);
  for (const [name, used] of [...spent, ['all', all] as const]) {
    console.log(`  ${name.padEnd(9)} ${((100 * used) / seconds).toFixed(3)} %`);
  }
}
