import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../test/support/paths.ts';

/**
 * How well the truth is read: a C server holds every request for 5 ms and knows for how long it really did; what a
 * generator reports less what the server knows is the generator's own. Interleaved rounds, medians.
 */
const HOLD_MICROSECONDS = 5000;
const ROUNDS = Number(process.argv[2] ?? 5);
const SECONDS = Number(process.argv[3] ?? 3);

/** Loads up to about half of what one core of the generator carries; the goals in milliseconds above the truth. */
const CASES = [
  { kind: 'closed', load: 16, goalMs: [0.2, 1.5] },
  { kind: 'closed', load: 64, goalMs: [0.2, 1.5] },
  { kind: 'open', load: 1000, goalMs: [0.5, 2.5] },
  { kind: 'open', load: 5000, goalMs: [0.5, 2.5] },
] as const;
type Case = (typeof CASES)[number];

/** Percentiles in microseconds; what the tool reports, and how busy it was where it says so. */
interface Reading {
  readonly p50: number;
  readonly p99: number;
  readonly utilizationRatio?: number;
}

interface Generator {
  readonly name: string;
  readonly command: (port: number, load: Case) => readonly string[] | undefined;
  readonly read: (output: string) => Reading;
}

const folder = mkdtempSync(join(tmpdir(), 'shipload-bench-'));
const has = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
const pin = availableParallelism() > 1 && has('taskset');
const pinned = (core: number, command: readonly string[]): readonly string[] =>
  pin ? ['taskset', '-c', String(core), ...command] : command;

const shipload: Generator = {
  name: 'shipload',
  command: (port, { kind, load }) => [
    process.execPath,
    fileURLToPath(new URL('./truth-run.js', import.meta.url)),
    ...[String(port), kind, String(load), String(SECONDS)],
  ],
  read: (output) => {
    const [p50, p99, utilizationRatio] = output.trim().split(' ').map(Number);
    return { p50: p50!, p99: p99!, utilizationRatio: utilizationRatio! };
  },
};

const UNIT_MICROSECONDS: Readonly<Record<string, number>> = { us: 1, ms: 1e3, s: 1e6 };

/** wrk knows the closed loop alone. */
const wrk: Generator = {
  name: 'wrk',
  command: (port, { kind, load }) =>
    kind === 'open'
      ? undefined
      : ['wrk', '-t1', `-c${load}`, `-d${SECONDS}s`, '--latency', `http://127.0.0.1:${port}/held`],
  read: (output) => {
    const [p50, p99] = ['50', '99'].map((p) => {
      const [, value, unit] = new RegExp(`^ +${p}% +([\\d.]+)(us|ms|s)`, 'm').exec(output)!;
      return Number(value) * UNIT_MICROSECONDS[unit!]!;
    });
    return { p50: p50!, p99: p99! };
  },
};

/** autocannon counts in whole milliseconds. */
const autocannon = (program: string): Generator => ({
  name: 'autocannon',
  command: (port, { kind, load }) => [
    program,
    ...(kind === 'open' ? ['-R', String(load), '-c', '50'] : ['-c', String(load)]),
    ...['-d', String(SECONDS), '--json', `http://127.0.0.1:${port}/held`],
  ],
  read: (output) => {
    const { latency } = JSON.parse(output) as { latency: { p50: number; p99: number } };
    return { p50: latency.p50 * 1e3, p99: latency.p99 * 1e3 };
  },
});

function generators(): readonly Generator[] {
  const local = join(ROOT, 'bench', 'peers', 'node_modules', '.bin', 'autocannon');
  const cannon = existsSync(local) ? local : has('autocannon') ? 'autocannon' : undefined;
  if (!has('wrk')) console.log('wrk is not installed: skipped');
  if (cannon === undefined) console.log('autocannon is not installed: skipped');
  return [shipload, ...(has('wrk') ? [wrk] : []), ...(cannon === undefined ? [] : [autocannon(cannon)])];
}

async function startServer(): Promise<{ server: ChildProcess; port: number }> {
  const program = join(folder, 'hold');
  const source = join(ROOT, 'bench', 'native', 'hold.c');
  const { status, stderr } = spawnSync('cc', ['-O2', '-o', program, source], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`this bench needs a C compiler (cc): ${stderr}`);
  const [first, ...rest] = pinned(0, [program, String(HOLD_MICROSECONDS)]);
  const server = spawn(first!, rest, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(server.stdout, 'data')) as [Buffer];
  return { server, port: Number(line.toString()) };
}

async function truthOf(port: number): Promise<Reading> {
  const text = await (await fetch(`http://127.0.0.1:${port}/truth`)).text();
  const [, p50, p99] = text.split(' ').map(Number);
  return { p50: p50!, p99: p99! };
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;
const inMs = (values: readonly number[]): string => (median(values) / 1e3).toFixed(2).padStart(7);

async function measure(port: number, load: Case, list: readonly Generator[]): Promise<void> {
  const errors = new Map<string, { p50: number[]; p99: number[]; busy: number[] }>();
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name, command, read } of list) {
      const words = command(port, load);
      if (words === undefined) continue;
      await truthOf(port);
      const [program, ...rest] = pinned(1, words);
      const { status, stdout, stderr } = spawnSync(program!, rest, { encoding: 'utf8' });
      if (status !== 0) throw new Error(`${name} ended with ${status}: ${stderr}`);
      const [told, truth] = [read(stdout), await truthOf(port)];
      const entry = errors.get(name) ?? { p50: [], p99: [], busy: [] };
      errors.set(name, entry);
      entry.p50.push(told.p50 - truth.p50);
      entry.p99.push(told.p99 - truth.p99);
      if (told.utilizationRatio !== undefined) entry.busy.push(told.utilizationRatio);
    }
  }
  const what = load.kind === 'open' ? `${load.load} requests/s` : `${load.load} connections`;
  const [goal50, goal99] = load.goalMs;
  console.log(`${load.kind} loop, ${what}: goal p50 within ${goal50} ms, p99 within ${goal99} ms`);
  for (const [name, { p50, p99, busy }] of errors) {
    const load1 = busy.length === 0 ? '' : `  ${(100 * median(busy)).toFixed(0)} % of a core`;
    console.log(`  ${name.padEnd(10)} p50 ${inMs(p50)} ms  p99 ${inMs(p99)} ms above the truth${load1}`);
  }
}

const { server, port } = await startServer();
try {
  const list = generators();
  console.log(`a server that holds 5 ms, median of ${ROUNDS} rounds of ${SECONDS} s`);
  for (const load of CASES) await measure(port, load, list);
} finally {
  server.kill();
  rmSync(folder, { recursive: true });
}
