import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../test/support/paths.ts';

/**
 * CPU a request costs the generator: ours beside wrk and beside a C loop that looks at nothing, in interleaved
 * rounds against one target in a process of its own. CPU time is compared, not the rate: on a shared machine
 * it is the figure that stays.
 */
const CONNECTIONS = 64;
const ROUNDS = Number(process.argv[2] ?? 5);
const SECONDS = Number(process.argv[3] ?? 3);

interface Round {
  readonly answers: number;
  readonly cpuSeconds: number;
}

interface Generator {
  readonly name: string;
  readonly command: readonly string[];
  readonly read: (output: string) => Round;
}

const folder = mkdtempSync(join(tmpdir(), 'shipload-bench-'));
const has = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
const pin = availableParallelism() > 1 && has('taskset');
const pinned = (core: number, command: readonly string[]): readonly string[] =>
  pin ? ['taskset', '-c', String(core), ...command] : command;

function compileNative(name: string): string {
  const program = join(folder, name);
  const source = join(ROOT, 'bench', 'native', `${name}.c`);
  const { status, stderr } = spawnSync('cc', ['-O2', '-o', program, source], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`cc ${source}: ${stderr}`);
  return program;
}

/** A target in Node for machines without a C compiler; it limits the rate, not the CPU per request. */
const NODE_TARGET = `require('node:net').createServer({ noDelay: true }, (socket) => {
  socket.on('error', () => {});
  socket.on('data', () => socket.write('HTTP/1.1 200 OK\\r\\nContent-Length: 27\\r\\n\\r\\n{"id":1,"title":"The book"}'));
}).listen(0, '127.0.0.1', function () { console.log(this.address().port); });`;

function readPlain(output: string): Round {
  const [answers, cpuSeconds] = output.trim().split(' ').map(Number);
  return { answers: answers!, cpuSeconds: cpuSeconds! };
}

/** wrk's own count, and the CPU of the shell's children as POSIX \`times\` prints it in its second line. */
function readWrk(output: string): Round {
  const answers = Number(/(\d+) requests in/.exec(output)![1]);
  const times = [
    ...output
      .trimEnd()
      .split('\n')
      .at(-1)!
      .matchAll(/(\d+)m([\d.]+)s/g),
  ];
  return {
    answers,
    cpuSeconds: times.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0),
  };
}

function generators(port: number): readonly Generator[] {
  const size = [String(CONNECTIONS), String(SECONDS)];
  const loop = fileURLToPath(new URL('./engine-loop.js', import.meta.url));
  const wrk = `wrk -t1 -c${CONNECTIONS} -d${SECONDS}s http://127.0.0.1:${port}/books/1; times`;
  const list: Generator[] = [
    { name: 'shipload', command: [process.execPath, loop, String(port), ...size], read: readPlain },
  ];
  if (has('wrk')) list.push({ name: 'wrk', command: ['sh', '-c', wrk], read: readWrk });
  else console.log('wrk is not installed: skipped');
  if (has('cc'))
    list.push({ name: 'C loop', command: [compileNative('loop'), String(port), ...size], read: readPlain });
  else console.log('no C compiler (cc): the C loop is skipped');
  return list;
}

async function startTarget(): Promise<{ target: ChildProcess; port: number }> {
  const command = has('cc') ? [compileNative('target')] : [process.execPath, '-e', NODE_TARGET];
  const [program, ...rest] = pinned(0, command);
  const target = spawn(program!, rest, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(target.stdout, 'data')) as [Buffer];
  return { target, port: Number(line.toString()) };
}

function runRound({ name, command, read }: Generator): Round {
  const [program, ...rest] = pinned(1, command);
  const { status, stdout, stderr } = spawnSync(program!, rest, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${name} ended with ${status}: ${stderr}`);
  return read(stdout);
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;

const { target, port } = await startTarget();
try {
  const list = generators(port);
  const costs = new Map(list.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const generator of list) {
      const { answers, cpuSeconds } = runRound(generator);
      costs.get(generator.name)!.push((cpuSeconds / answers) * 1e6);
    }
  }
  const reference = median(costs.get('shipload')!);
  console.log(
    `CPU of the generator per request, ${CONNECTIONS} connections, median of ${ROUNDS} rounds of ${SECONDS} s`,
  );
  for (const [name, values] of costs) {
    const spread = `${Math.min(...values).toFixed(2)}–${Math.max(...values).toFixed(2)}`;
    const ratio = `shipload is ${(reference / median(values)).toFixed(2)} ×`;
    console.log(`${name.padEnd(10)} ${median(values).toFixed(2).padStart(6)} µs  (${spread})  ${ratio}`);
  }
} finally {
  target.kill();
  rmSync(folder, { recursive: true });
}
