import { createWriteStream } from 'node:fs';
import type { ReadStream, WriteStream as TtyWriteStream } from 'node:tty';
import { liveView } from '../src/cli/live/live-view.ts';
import { openScreen } from '../src/cli/live/screen.ts';
import type { Terminal } from '../src/cli/terminal.ts';
import type { RunEvent } from '../src/drive/run-plan.ts';
import { openStep, request, simulatePlan } from '../test/support/simulate.ts';

/**
 * npm run bench:terminal [-- RATE]
 *
 * What the live screen costs: the events of a simulated run of RATE requests a second (50,000) are given to the
 * screen as they come in a run, every second of them drawn, and its CPU is set beside the seconds that the run would
 * have taken. The screen is told to be as wide and as high as a wall.
 */
const RATE = Number(process.argv[2] ?? 50_000);
const SECONDS = 20;
const REPEATS = 15;
const LIMIT_RATIO = 0.01;

const plan = {
  seed: 7,
  shape: 'rate',
  requests: [request('/a', 0.6), request('/b', 0.3), request('/c', 0.1)],
  requestTimeoutSeconds: 30,
  steps: [openStep(0, RATE, 'poisson', [2, SECONDS - 2])],
} as const;

const exponential = { kind: 'exponential', meanSeconds: 0.002 } as const;
const { events } = simulatePlan(plan, {
  stations: [{ name: 'wait' }],
  visits: Object.fromEntries(
    plan.requests.map(({ id }) => [id, [{ station: 'wait', service: exponential }]]),
  ),
});

/** A terminal that takes everything and shows it to nobody. */
const sink = Object.assign(createWriteStream('/dev/null'), {
  columns: 240,
  rows: 70,
}) as unknown as TtyWriteStream;
const terminal: Terminal = {
  isQuiet: false,
  isInteractive: true,
  color: true,
  width: 240,
  print: () => {},
  say: () => {},
  status: () => {},
  openScreen: (screenEvents) => openScreen(sink, { isTTY: false } as ReadStream, screenEvents),
};

/** One run's worth of events; each is drawn, as in a run, where a second lies between two of them. */
async function show(all: readonly RunEvent[]): Promise<number> {
  const head = { label: 'bench', url: 'http://127.0.0.1:8080/', serverCount: 2 };
  const view = liveView(plan, head, terminal, () => {})!;
  let frameCount = 0;
  for (const event of all) {
    if (event.kind === 'finished') continue;
    view.onEvent(event);
    if (event.kind !== 'frame') continue;
    frameCount += 1;
    // The screen draws at most ten times a second: the next second comes when it may draw again.
    await new Promise((resolve) => setTimeout(resolve, 110));
  }
  view.close();
  return frameCount;
}

const sent = events.reduce(
  (sum, event) =>
    sum + (event.kind === 'frame' ? event.frame.routes.reduce((n, route) => n + route.sentCount, 0) : 0),
  0,
);
await show(events.slice(0, 8));
const before = process.cpuUsage();
let seconds = 0;
for (let i = 0; i < REPEATS; i += 1) seconds += await show(events);
const { user, system } = process.cpuUsage(before);
const ratio = (user + system) / 1e6 / seconds;
console.log(
  `${(sent / SECONDS).toFixed(0)} requests/s, ${seconds} seconds drawn at 240 × 70: ` +
    `${(ratio * 100).toFixed(2)} % of a core; at most ${LIMIT_RATIO * 100} %: ${ratio <= LIMIT_RATIO ? 'kept' : 'MISSED'}`,
);
