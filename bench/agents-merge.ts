/**
 * What merging the events of many agents costs: `node dist/bench/agents-merge.js [agents] [seconds] [samples]`. Every
 * event is decoded, checked and merged as a coordinator does it; the memory in use is told every tenth of the way.
 */
import { type AgentEvent, encodeEvent } from '../src/agents/event-codec.ts';
import { SUBJECTS } from '../src/agents/subjects.ts';
import { TeamMerge } from '../src/agents/team-merge.ts';
import type { LoadPlan } from '../src/model/load.ts';
import type { Frame, RouteMeasurement } from '../src/model/measurement.ts';
import { COARSE_BITS, Histogram } from '../src/stats/histogram.ts';
import { createRandom, drawExponential, mixSeed, type Random } from '../src/stats/random.ts';

const RUN_ID = 'bench';

export interface MergeCost {
  readonly agentCount: number;
  readonly seconds: number;
  readonly wallSeconds: number;
  /** Of all threads: what the merging costs on a machine that others use too. */
  readonly cpuSeconds: number;
  readonly mergedCount: number;
  readonly sampleCount: number;
  readonly bytesPerFrame: number;
  /** Heap after a collection, where one can be asked for, at each tenth of the run. */
  readonly heapBytes: readonly number[];
}

function planOf(seconds: number): LoadPlan {
  return {
    seed: 1,
    shape: 'steps',
    requestTimeoutSeconds: 10,
    requests: ['/a', '/b'].map((route) => ({
      id: `GET ${route}`,
      method: 'GET',
      route,
      shareRatio: 0.5,
      targets: { draw: 'uniform', targets: [route], distinctCount: 1 },
    })),
    steps: [
      {
        index: 0,
        label: '1000 users',
        driver: { kind: 'closed', users: 1000 },
        warmupSeconds: 0,
        measureSeconds: seconds,
      },
    ],
  };
}

function routeOf(route: string, sampleCount: number, random: Random): RouteMeasurement {
  const responseTime = new Histogram();
  const sendToReplyTime = new Histogram();
  for (let i = 0; i < sampleCount; i += 1) {
    const seconds = 0.001 + drawExponential(random, 0.02);
    responseTime.record(seconds + 0.0001);
    sendToReplyTime.record(seconds);
  }
  return {
    requestClassId: `GET ${route}`,
    route,
    sentCount: sampleCount,
    okCount: sampleCount,
    errorCount: 0,
    timeoutCount: 0,
    droppedCount: 0,
    receivedBytes: 100 * sampleCount,
    responseTime: responseTime.toData(),
    sendToReplyTime: sendToReplyTime.toData(),
    failureTime: new Histogram(COARSE_BITS).toData(),
  };
}

function frameAt(second: number, routes: readonly RouteMeasurement[]): Frame {
  const scheduleLag = new Histogram(COARSE_BITS);
  for (let i = 0; i < 100; i += 1) scheduleLag.record(i * 1e-5);
  return {
    stepIndex: 0,
    phase: 'measure',
    startedAtSeconds: second,
    endedAtSeconds: second + 1,
    routes,
    errorCodes: {},
    statusCounts: { 200: routes.reduce((sum, { okCount }) => sum + okCount, 0) },
    inFlightSeconds: 5,
    thinkingSeconds: 0,
    thinkTimeSumSeconds: 0,
    thinkTimeCount: 0,
    retriedCount: 0,
    connectionCount: 5,
    interference: [],
    generator: {
      cpuSeconds: 0.3,
      coreCount: 1,
      utilizationRatio: 0.3,
      scheduleLag: scheduleLag.toData(),
      eventLoopDelayMaxSeconds: 0.001,
    },
  };
}

/** A few different frames, taken in turn: making all of them would take longer than merging them. */
const SHAPES = 16;

export function measureMerge(agentCount: number, seconds: number, samplesPerFrame: number): MergeCost {
  const shapes = Array.from({ length: SHAPES }, (_, i) => {
    const random = createRandom(mixSeed(1, i));
    return ['/a', '/b'].map((route) => routeOf(route, samplesPerFrame / 2, random));
  });
  let mergedCount = 0;
  const merge = new TeamMerge(
    planOf(seconds),
    Array.from({ length: agentCount }, (_, i) => ({ agentId: `agent${i}`, name: `agent ${i}` })),
    {
      counters: [],
      nowSeconds: () => 0,
      sampleAt: (atSeconds) => ({ atSeconds, readings: [] }),
      onSample: () => undefined,
      stopParts: () => undefined,
      isShared: () => false,
      onEvent: (event) => {
        if (event.kind === 'step-finished') mergedCount = event.measurement.completionCount;
      },
      onFault: (agentId, why) => {
        throw new Error(`${agentId}: ${why}`);
      },
    },
  );
  let wallSeconds = 0;
  let cpuSeconds = 0;
  let bytes = 0;
  const heapBytes: number[] = [];
  /** One event of every agent: made first, so that only what the coordinator does is timed. */
  const receive = (seq: number, eventOf: (agent: number) => AgentEvent): void => {
    const messages = Array.from({ length: agentCount }, (_, agent) => encodeEvent(eventOf(agent)));
    const cpuBefore = process.cpuUsage();
    const startedAt = performance.now();
    for (const [agent, data] of messages.entries())
      merge.receive(SUBJECTS.event(RUN_ID, `agent${agent}`, seq), data);
    wallSeconds += (performance.now() - startedAt) / 1e3;
    const { user, system } = process.cpuUsage(cpuBefore);
    cpuSeconds += (user + system) / 1e6;
    bytes += messages.reduce((sum, { length }) => sum + length, 0);
  };
  receive(0, () => ({ event: { kind: 'step-started', stepIndex: 0, atSeconds: 0 } }));
  const health = { cpuSeconds: 0.3, waitedSeconds: 0.01 };
  for (let second = 0; second < seconds; second += 1) {
    receive(second + 1, (agent) => {
      const frame = frameAt(second, shapes[(agent + second) % SHAPES]!);
      return { event: { kind: 'frame', frame }, health };
    });
    if ((second + 1) % Math.ceil(seconds / 10) === 0) {
      globalThis.gc?.();
      heapBytes.push(process.memoryUsage().heapUsed);
    }
  }
  receive(seconds + 1, () => ({ event: { kind: 'step-finished', stepIndex: 0 } }));
  const sampleCount = agentCount * seconds * samplesPerFrame;
  return {
    agentCount,
    seconds,
    wallSeconds,
    cpuSeconds,
    mergedCount,
    sampleCount,
    bytesPerFrame: bytes / (agentCount * seconds),
    heapBytes,
  };
}

function main(): void {
  const [agentCount = 200, seconds = 600, samplesPerFrame = 100] = process.argv.slice(2).map(Number);
  const cost = measureMerge(agentCount, seconds, samplesPerFrame);
  const heap = cost.heapBytes.map((size) => (size / 1e6).toFixed(0)).join(' ');
  process.stdout.write(
    `${agentCount} agents × ${seconds} s, ${samplesPerFrame} samples and ${cost.bytesPerFrame.toFixed(0)} bytes a frame: ` +
      `merged in ${cost.wallSeconds.toFixed(1)} s (${cost.cpuSeconds.toFixed(1)} s of CPU), ${cost.mergedCount} of ${cost.sampleCount} samples, heap ${heap} MB\n`,
  );
}

if (process.argv[1] === import.meta.filename) main();
