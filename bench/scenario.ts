import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/**
 * CPU a request costs the generator when a scenario sends it: plain requests, and requests with values taken out and
 * checks, beside the mix of a plan, in interleaved rounds. The goals are 1.3 × and 3 ×.
 */
const USERS = 32;
const ROUNDS = Number(process.argv[2] ?? 5);
const SECONDS = Number(process.argv[3] ?? 2);
const KINDS = ['declared', 'plain', 'checked'] as const;
const GOALS = { declared: 1, plain: 1.3, checked: 3 } as const;

const TARGET = `require('node:net').createServer({ noDelay: true }, (socket) => {
  socket.on('error', () => {});
  socket.on('data', () => socket.write('HTTP/1.1 200 OK\\r\\nContent-Length: 27\\r\\n\\r\\n{"id":1,"title":"The book"}'));
}).listen(0, '127.0.0.1', function () { console.log(this.address().port); });`;

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;

const target = spawn(process.execPath, ['-e', TARGET], { stdio: ['ignore', 'pipe', 'inherit'] });
try {
  const [line] = (await once(target.stdout, 'data')) as [Buffer];
  const loop = fileURLToPath(new URL('./scenario-loop.js', import.meta.url));
  const costs = { declared: [] as number[], plain: [] as number[], checked: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1)
    for (const kind of KINDS) {
      const args = [loop, kind, line.toString().trim(), String(USERS), String(SECONDS)];
      const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
      if (status !== 0) throw new Error(`${kind} ended with ${status}: ${stderr}`);
      const [answers, cpuSeconds] = stdout.trim().split(' ').map(Number) as [number, number];
      costs[kind].push((cpuSeconds / answers) * 1e6);
    }
  console.log(`CPU of the generator per request, ${USERS} users, median of ${ROUNDS} rounds of ${SECONDS} s`);
  for (const kind of KINDS) {
    const ratio = median(costs[kind]) / median(costs.declared);
    console.log(
      `${kind.padEnd(9)} ${median(costs[kind]).toFixed(2).padStart(6)} µs  ${ratio.toFixed(2)} × (goal ${GOALS[kind]})`,
    );
  }
} finally {
  target.kill();
}
