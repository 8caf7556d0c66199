import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { machineText, startTarget } from './machine.ts';
import { median, pairedRatio, ratioText } from './paired.ts';

/**
 * What a second worker brings, in interleaved rounds: with a service inside each worker (the driver alone scales,
 * no server needs a core), and over sockets. Beside the throughput the CPU per request: where cores are lacking or
 * taken, the throughput cannot show the scaling, but a second worker must still cost nothing more a request.
 * Usage: workers [ROUNDS [SECONDS]].
 */
const ROUNDS = Number(process.argv[2] ?? 5);
const SECONDS = Number(process.argv[3] ?? 3);
const loop = fileURLToPath(new URL('./workers-loop.js', import.meta.url));

interface Round {
  readonly throughput: number;
  readonly cpuMicroseconds: number;
}

function measure(port: number, workers: number): Round {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [loop, String(port), String(workers), String(SECONDS)],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`the round failed: ${stderr}`);
  const [throughput = 0, cpuMicroseconds = 0] = stdout.trim().split(' ').map(Number);
  return { throughput, cpuMicroseconds };
}

function compare(name: string, port: number): void {
  const one: Round[] = [];
  const two: Round[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    one.push(measure(port, 1));
    two.push(measure(port, 2));
  }
  const rates = (rounds: readonly Round[]) => rounds.map((round) => round.throughput);
  const costs = (rounds: readonly Round[]) => rounds.map((round) => round.cpuMicroseconds);
  console.log(`${name}: two workers to one`);
  console.log(
    `  throughput ${ratioText(pairedRatio(rates(two), rates(one)))}, ` +
      `${median(rates(one)).toFixed(0)}/s and ${median(rates(two)).toFixed(0)}/s`,
  );
  console.log(
    `  CPU per request ${ratioText(pairedRatio(costs(two), costs(one)))}, ` +
      `${median(costs(one)).toFixed(2)} µs and ${median(costs(two)).toFixed(2)} µs`,
  );
}

console.log(machineText());
compare('a service inside each worker', 0);
if (availableParallelism() < 3) {
  console.log(
    'over sockets: 2 cores hold a service and one generator; throughput cannot show a second worker here',
  );
}
const target = await startTarget();
try {
  compare('over sockets', target.port);
} finally {
  target.stop();
}
