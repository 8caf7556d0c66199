import { runPlan } from '../src/drive/run-plan.ts';
import { RealClock } from '../src/host/real-clock.ts';
import type { Driver } from '../src/model/load.ts';
import { openProtocol } from '../src/protocols/open-protocol.ts';
import { percentileOf } from '../src/stats/histogram.ts';

/** One run of the whole engine: `truth-run PORT closed|open N SECONDS` prints p50 and p99 in µs, and CPU seconds. */
const [portText, kind, loadText, secondsText] = process.argv.slice(2);
const load = Number(loadText);
const driver: Driver =
  kind === 'open'
    ? { kind: 'open', arrivalRatePerSecond: load, arrivals: 'constant', maxInFlight: 10_000 }
    : { kind: 'closed', users: load };
/** Compiling the hot path belongs before the measurement; a second of the slowest load, 1,000 requests, is too short for it. */
const WARMUP_SECONDS = 3;
const measureSeconds = Number(secondsText);
const targets = { draw: 'uniform', targets: ['/held'], distinctCount: 1 } as const;
const plan = {
  seed: 7,
  shape: 'steps',
  requests: [{ id: 'GET /held', method: 'GET', route: '/held', shareRatio: 1, targets }],
  requestTimeoutSeconds: 30,
  steps: [{ index: 0, label: 'truth', driver, warmupSeconds: WARMUP_SECONDS, measureSeconds }],
};
const clock = new RealClock();
const protocol = openProtocol({ ...plan, url: new URL(`http://127.0.0.1:${portText}`) }, clock);
const generator = { read: () => ({ cpuSeconds: 0, eventLoopDelayMaxSeconds: 0 }) };
const cpuBefore = process.cpuUsage();
for await (const event of runPlan(plan, { clock, protocol, counters: [], generator })) {
  if (event.kind !== 'step-finished') continue;
  const { responseTime } = event.measurement;
  const cpu = process.cpuUsage(cpuBefore);
  const utilization = (cpu.user + cpu.system) / 1e6 / (WARMUP_SECONDS + measureSeconds);
  const [p50, p99] = [50, 99].map((p) => (percentileOf(responseTime, p) ?? 0) * 1e6);
  console.log(`${p50!.toFixed(0)} ${p99!.toFixed(0)} ${utilization.toFixed(3)}`);
}
await protocol.close();
