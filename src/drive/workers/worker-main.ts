import { parentPort, workerData } from 'node:worker_threads';
import { createGeneratorSource, ownThreadCpuSeconds } from '../../counters/index.ts';
import { RealClock } from '../../host/real-clock.ts';
import type { Clock } from '../../host/host.ts';
import type { Protocol, ProtocolOptions } from '../../protocols/protocol.ts';
import { paceProtocol } from '../../protocols/paced.ts';
import { tapGenerator } from '../generator-tap.ts';
import { SharedInFlight } from '../in-flight.ts';
import { partEventOf } from '../merged-run.ts';
import { type PartRun, startPlan, type StopReason } from '../run-plan.ts';
import { type FromWorker, sharedSeconds, type ToWorker, type WorkerOrder } from './messages.ts';
import { sampleRows } from './sample-rows.ts';

/**
 * A worker thread: runs its part of the plan with the same driver as a run without workers, and tells the main
 * thread. Everything else (counters of the service, steps, files) is the main thread's.
 */
interface ProtocolModule {
  readonly openProtocol: (options: ProtocolOptions, clock: Clock) => Protocol;
}

const order = workerData as WorkerOrder;
const port = parentPort!;
const post = (message: FromWorker, transfer: readonly ArrayBuffer[] = []): void =>
  port.postMessage(message, [...transfer]);

const clock = new RealClock();
const { openProtocol } = (await import(order.protocolModule)) as ProtocolModule;
const http = openProtocol({ ...order.protocolOptions, url: new URL(order.protocolOptions.url) }, clock);
// Each part under its share of the ceiling: together they keep it.
const { safety } = order.plan;
const protocol =
  safety === undefined ? http : paceProtocol(http, clock, safety.maxRatePerSecond / order.part.count);
const source = createGeneratorSource(1, ownThreadCpuSeconds);
const rows = sampleRows((block) => post({ kind: 'samples', rows: block }, [block.buffer as ArrayBuffer]));
let run: PartRun | undefined;
let stoppedBeforeStart: StopReason | undefined;

function start(): void {
  const { generator, probe } = tapGenerator(source);
  const host = {
    clock,
    protocol,
    counters: [generator],
    generator: probe,
    part: order.part,
    inFlight: new SharedInFlight(order.inFlight, order.part.index, order.plan.requests.length),
    originSeconds,
    awaitsSteps,
    ...(order.sendSamples && { onSample: rows.add }),
    ...(order.replay !== undefined && { replay: order.replay }),
  };
  run = startPlan(order.plan, host, (event) => {
    rows.flush();
    post({ kind: 'event', event: partEventOf(event) });
  });
  if (stoppedBeforeStart !== undefined) run.stop(stoppedBeforeStart);
}

let originSeconds = 0;
let awaitsSteps = false;
const ownSeconds = (atSharedSeconds: number): number =>
  clock.nowSeconds() + atSharedSeconds - sharedSeconds();

async function close(): Promise<void> {
  source.close();
  await protocol.close();
  port.close();
}

port.on('message', (message: ToWorker) => {
  if (message.kind === 'start') {
    originSeconds = ownSeconds(message.atSharedSeconds);
    awaitsSteps = message.awaitsSteps;
    clock.schedule(originSeconds, { onTime: start });
  } else if (message.kind === 'go-on') {
    run?.goOn(message.step, ownSeconds(message.atSharedSeconds));
  } else if (message.kind === 'stop') {
    if (run === undefined) stoppedBeforeStart = message.reason;
    else run.stop(message.reason);
  } else {
    void close();
  }
});
post({ kind: 'ready' });
