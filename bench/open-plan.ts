import type { LoadPlan } from '../src/model/load.ts';
import { percentileOf } from '../src/stats/histogram.ts';
import { openEngine } from '../src/session/load-engine.ts';
import { runLoad } from '../src/session/run-load.ts';

/**
 * One open step at a constant rate, as `shipload run --rate` drives it. Prints `measuring` when its window opens and
 * `measured` when it closes; at the end the requests sent in all, schedule lag at p50 and p99 in µs, and the busy
 * share of the generator's core. Usage: open-plan PORT RATE SECONDS.
 */
const [port, ratePerSecond, seconds] = process.argv.slice(2).map(Number) as [number, number, number];
/** Compiling the hot path and opening the connections belong before the measurement. */
const WARMUP_SECONDS = 2;
const requests = [
  {
    id: 'GET /books/1',
    method: 'GET',
    route: '/books/1',
    shareRatio: 1,
    targets: { draw: 'uniform' as const, targets: ['/books/1'], distinctCount: 1 },
  },
];
const plan: LoadPlan = {
  seed: 7,
  shape: 'rate',
  requests,
  requestTimeoutSeconds: 10,
  steps: [
    {
      index: 0,
      label: 'bench',
      driver: {
        kind: 'open',
        arrivals: 'constant',
        arrivalRatePerSecond: ratePerSecond,
        maxInFlight: 1000,
      },
      warmupSeconds: WARMUP_SECONDS,
      measureSeconds: seconds,
    },
  ],
};
const protocolOptions = { url: new URL(`http://127.0.0.1:${port}`), requests, requestTimeoutSeconds: 10 };
const engine = await openEngine(plan, protocolOptions, { generatorCount: 1, sendSamples: false });
let isMeasuring = false;
const { measurements, totals } = await runLoad(plan, {
  engine,
  counters: [],
  listener: (event) => {
    // The frame that closes the warm-up opens the window.
    if (event.kind === 'frame' && !isMeasuring && event.frame.endedAtSeconds >= WARMUP_SECONDS) {
      isMeasuring = true;
      process.stdout.write('measuring\n');
    }
    if (event.kind === 'step-finished') process.stdout.write('measured\n');
  },
});
const generator = measurements[0]!.generator!;
const lag = (percentile: number): number => (percentileOf(generator.scheduleLag, percentile) ?? 0) * 1e6;
const { sentCount } = totals.byRoute[0]!;
process.stdout.write(
  `${sentCount} ${lag(50).toFixed(0)} ${lag(99).toFixed(0)} ${generator.utilizationRatio.toFixed(3)}\n`,
);
await engine.close();
