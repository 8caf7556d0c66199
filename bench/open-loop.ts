import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { compileNative, findProgram, hasCompiler, machineText, pinned, runPinned } from './machine.ts';
import { median } from './paired.ts';

/**
 * Arrivals as the service sees them: the rate that comes, how evenly, and how late the generator sends beside a
 * bare timer loop in C that does nothing else. Interleaved rounds on one core, the service on the other.
 * Usage: open-loop [RATE [ROUNDS [SECONDS]]].
 */
const RATE = Number(process.argv[2] ?? 20_000);
const ROUNDS = Number(process.argv[3] ?? 5);
const SECONDS = Number(process.argv[4] ?? 4);
const CONNECTIONS = 64;

const numbers = (line: string): readonly number[] => line.trim().split(/\s+/).map(Number);

if (!hasCompiler()) {
  console.log('no C compiler (cc): this bench needs one for its service and its timer loop; skipped');
  process.exit(0);
}

const [program, ...rest] = pinned(0, [compileNative('arrivals')]);
const service = spawn(program!, rest, { stdio: ['pipe', 'pipe', 'inherit'] });
const lines = createInterface(service.stdout)[Symbol.asyncIterator]();
const nextLine = async (): Promise<string> => String((await lines.next()).value);

/** What the service saw since the last call. */
async function seen(): Promise<{ readonly count: number; readonly rate: number; readonly evenness: number }> {
  service.stdin.write('\n');
  const [count = 0, seconds = 0, evenness = 0] = numbers(await nextLine());
  return { count, rate: seconds > 0 ? (count - 1) / seconds : 0, evenness };
}

const port = Number(await nextLine());
const url = `http://127.0.0.1:${port}/books/1`;
const timerLoop = compileNative('timer-loop');

interface OwnRound {
  readonly lagP99: number;
  readonly utilization: number;
  readonly rate: number;
  readonly evenness: number;
  /** Requests the service counted more than were sent. */
  readonly surplus: number;
}

/** Our own round: the window is read from the service where ours opens and closes. */
async function ownRound(): Promise<OwnRound> {
  const command = pinned(1, [process.execPath, plan, String(port), String(RATE), String(SECONDS)]);
  const child = spawn(command[0]!, command.slice(1), { stdio: ['ignore', 'pipe', 'inherit'] });
  const reads = [];
  let last = '';
  for await (const text of createInterface(child.stdout)) {
    last = text;
    if (text.startsWith('measur')) reads.push(await seen());
  }
  reads.push(await seen());
  const [sent = 0, , lagP99 = 0, utilization = 0] = numbers(last);
  const surplus = reads.reduce((sum, read) => sum + read.count, 0) - sent;
  return { lagP99, utilization, rate: reads[1]!.rate, evenness: reads[1]!.evenness, surplus };
}

const plan = fileURLToPath(new URL('./open-plan.js', import.meta.url));

interface PeerRate {
  readonly name: string;
  readonly command: string | undefined;
}
const line = (name: string, args: string): PeerRate => {
  const path = findProgram(name);
  return { name, command: path === undefined ? undefined : `${path} ${args}` };
};
const peers = [
  line('hey', `-c ${CONNECTIONS} -q ${RATE / CONNECTIONS} -z ${SECONDS}s ${url}`),
  line('autocannon', `-c ${CONNECTIONS} -R ${RATE} -d ${SECONDS} ${url}`),
  line('oha', `--no-tui -c ${CONNECTIONS} -q ${RATE} -z ${SECONDS}s ${url}`),
];

interface Figures {
  readonly rate: number[];
  readonly evenness: number[];
}
const figures = new Map<string, Figures>();
const add = (name: string, rate: number, evenness: number): void => {
  const known = figures.get(name) ?? { rate: [], evenness: [] };
  known.rate.push(rate);
  known.evenness.push(evenness);
  figures.set(name, known);
};
const lags: number[] = [];
const floors: number[] = [];
const utilizations: number[] = [];
const countErrors: number[] = [];

for (let round = 0; round < ROUNDS; round++) {
  const [, floorP99 = 0] = numbers(runPinned([timerLoop, String(RATE), String(SECONDS)]));
  floors.push(floorP99);
  await seen();
  const ours = await ownRound();
  lags.push(ours.lagP99);
  utilizations.push(ours.utilization);
  countErrors.push(ours.surplus);
  add('shipload', ours.rate, ours.evenness);
  for (const { name, command } of peers) {
    if (command === undefined) continue;
    runPinned(['sh', '-c', `${command} >/dev/null 2>&1`]);
    const { rate, evenness } = await seen();
    add(name, rate, evenness);
  }
}
service.stdin.end();

const offBy = (rate: number): string => `${((rate / RATE - 1) * 100).toFixed(2)} %`;
console.log(`Constant arrivals at ${RATE}/s, medians of ${ROUNDS} rounds of ${SECONDS} s`);
console.log(machineText());
for (const { name, command } of peers) {
  if (command === undefined) console.log(`  ${name} is not installed: skipped`);
}
for (const [name, { rate, evenness }] of figures) {
  console.log(
    `  ${name.padEnd(11)} rate seen ${median(rate).toFixed(0)}/s (${offBy(median(rate))}), evenness ${median(evenness).toFixed(1)}`,
  );
}
const excessMs = median(lags.map((lag, i) => lag - floors[i]!)) / 1e3;
console.log(
  `  schedule lag p99 ${(median(lags) / 1e3).toFixed(2)} ms, C timer loop ${(median(floors) / 1e3).toFixed(2)} ms: ` +
    `${excessMs.toFixed(2)} ms more (at most 1.5: ${excessMs <= 1.5 ? 'kept' : 'MISSED'}), ` +
    `generator at ${(median(utilizations) * 100).toFixed(0)} % of its core`,
);
console.log(`  requests the service counted more than we: ${countErrors.join(', ')}`);
