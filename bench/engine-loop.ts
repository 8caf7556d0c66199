import { TIMER_CLOCK } from '../test/support/timer-clock.ts';
import type { Channel } from '../src/protocols/protocol.ts';
import { createHttp1Protocol } from '../src/protocols/http1/http1-protocol.ts';

/** Compiling the hot path belongs before the measurement. */
const WARMUP_ANSWERS = 30_000;

const [port, connections, seconds] = process.argv.slice(2).map(Number) as [number, number, number];
const targets = Array.from({ length: 1000 }, (_, i) => `/books/${i}`);
const protocol = createHttp1Protocol(
  {
    url: new URL(`http://127.0.0.1:${port}`),
    requests: [
      {
        id: 'GET /books/[id]',
        method: 'GET',
        route: '/books/[id]',
        shareRatio: 1,
        targets: { draw: 'uniform', targets, distinctCount: 1000 },
      },
    ],
    requestTimeoutSeconds: 10,
  },
  TIMER_CLOCK,
);

let answers = 0;
let draw = 0;
let stopping = false;
function onDone(channel: Channel): void {
  if (channel.outcome !== 'ok') throw new Error(`${channel.outcome} ${channel.errorCode}`);
  answers++;
  if (!stopping) channel.send(0, targets[++draw % targets.length]!);
}
for (let i = 0; i < connections; i++) protocol.openChannel(onDone).send(0, targets[i]!);

function startMeasuring(): void {
  const cpuBefore = process.cpuUsage();
  const answersBefore = answers;
  setTimeout(() => {
    const cpu = process.cpuUsage(cpuBefore);
    process.stdout.write(`${answers - answersBefore} ${(cpu.user + cpu.system) / 1e6}\n`);
    stopping = true;
    void protocol.close();
  }, seconds * 1000);
}

const warmup = setInterval(() => {
  if (answers < WARMUP_ANSWERS) return;
  clearInterval(warmup);
  startMeasuring();
}, 10);
