import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { ROOT } from '../test/support/paths.ts';

/** Programs of peers may lie here: Go's, and npm packages of a folder of the bench's own. */
const PEER_FOLDERS = [
  ...(process.env['SHIPLOAD_BENCH_PEERS'] ?? '').split(delimiter).filter((folder) => folder !== ''),
  join(ROOT, 'bench', 'peers', 'node_modules', '.bin'),
  join(process.env['HOME'] ?? '/', 'go', 'bin'),
];

/** Path of a program, or undefined where it is not installed. */
export function findProgram(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...PEER_FOLDERS];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

export const hasCompiler = (): boolean => findProgram('cc') !== undefined;

/** A folder that is gone when the bench ends. */
export const benchFolder = mkdtempSync(join(tmpdir(), 'shipload-bench-'));
process.once('exit', () => rmSync(benchFolder, { recursive: true, force: true }));

/** Compiles a program of bench/native. Throws with the compiler's words. */
export function compileNative(name: string): string {
  const program = join(benchFolder, name);
  const source = join(ROOT, 'bench', 'native', `${name}.c`);
  const { status, stderr } = spawnSync('cc', ['-O2', '-o', program, source], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`cc ${source}: ${stderr}`);
  return program;
}

const canPin = availableParallelism() > 1 && findProgram('taskset') !== undefined;

/** The command on one core: 0 for targets, 1 for generators; as it is on a machine with one core. */
export const pinned = (core: number, command: readonly string[]): readonly string[] =>
  canPin ? ['taskset', '-c', String(core), ...command] : command;

/** A target in Node for machines without a C compiler; it limits the rate, not the CPU of the generator. */
const NODE_TARGET = `require('node:net').createServer({ noDelay: true }, (socket) => {
  socket.on('error', () => {});
  socket.on('data', () => socket.write('HTTP/1.1 200 OK\\r\\nContent-Length: 27\\r\\n\\r\\n{"id":1,"title":"The book"}'));
}).listen(0, '127.0.0.1', function () { console.log(this.address().port); });`;

/** A target that answers at once, on core 0, in a process of its own. */
export async function startTarget(): Promise<{ readonly port: number; stop(): void }> {
  const command = hasCompiler() ? [compileNative('target')] : [process.execPath, '-e', NODE_TARGET];
  const [program, ...rest] = pinned(0, command);
  const target: ChildProcess = spawn(program!, rest, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(target.stdout!, 'data')) as [Buffer];
  return { port: Number(line.toString()), stop: () => void target.kill() };
}

/** Runs a program to its end on core 1 and returns what it wrote. Throws unless it ends with 0. */
export function runPinned(command: readonly string[]): string {
  const [program, ...rest] = pinned(1, command);
  const { status, stdout, stderr, error } = spawnSync(program!, rest, {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  if (status !== 0) throw new Error(`${command.join(' ')} ended with ${status}: ${error ?? stderr}`);
  return stdout;
}

/** What a reader must know of the machine to believe the figures. */
export function machineText(): string {
  const load = loadavg()[0]!;
  const cores = availableParallelism();
  const doubt = load > cores ? ': other work runs here, trust the ratios, not the times' : '';
  return `Node ${process.version}, ${cores} cores, load average ${load.toFixed(1)}${doubt}`;
}
