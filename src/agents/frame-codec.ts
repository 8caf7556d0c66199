import type { HistogramData } from '../model/histogram.ts';
import type {
  Frame,
  GeneratorHealth,
  RouteMeasurement,
  ScenarioMeasurement,
  TransportMeasurement,
} from '../model/measurement.ts';
import type { ByteReader } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';

/**
 * Frames as bytes. A coordinator of hundreds of agents reads as many every second, and most of each is bins of
 * histograms, which take two bytes each here and ten as JSON. What one agent alone sees of its requests in flight
 * (interference, gaps between answers) is not sent.
 */
const PHASES = ['warmup', 'measure', 'drain'] as const;

export function writeFrame(w: ByteWriter, frame: Frame): void {
  w.whole(frame.stepIndex);
  w.whole(PHASES.indexOf(frame.phase));
  w.number(frame.startedAtSeconds);
  w.number(frame.endedAtSeconds);
  w.list(frame.routes, (route) => writeRoute(w, route));
  writeCounts(w, frame.errorCodes);
  writeCounts(w, frame.statusCounts);
  w.number(frame.inFlightSeconds);
  w.number(frame.thinkingSeconds);
  w.number(frame.thinkTimeSumSeconds);
  w.whole(frame.thinkTimeCount);
  w.whole(frame.retriedCount);
  w.whole(frame.connectionCount);
  w.optional(frame.transport, (transport) => writeTransport(w, transport));
  w.optional(frame.scenario, (scenario) => writeScenario(w, scenario));
  writeGenerator(w, frame.generator);
}

export function readFrame(r: ByteReader): Frame {
  const stepIndex = r.whole();
  const phase = PHASES[r.whole()];
  if (phase === undefined) throw new RangeError('a frame of no phase');
  const startedAtSeconds = r.number();
  const endedAtSeconds = r.number();
  const routes = r.list(() => readRoute(r));
  const errorCodes = readCounts(r);
  const statusCounts = readCounts(r);
  const inFlightSeconds = r.number();
  const thinkingSeconds = r.number();
  const thinkTimeSumSeconds = r.number();
  const thinkTimeCount = r.whole();
  const retriedCount = r.whole();
  const connectionCount = r.whole();
  const transport = r.optional(() => readTransport(r));
  const scenario = r.optional(() => readScenario(r));
  return {
    stepIndex,
    phase,
    startedAtSeconds,
    endedAtSeconds,
    routes,
    errorCodes,
    statusCounts,
    inFlightSeconds,
    thinkingSeconds,
    thinkTimeSumSeconds,
    thinkTimeCount,
    retriedCount,
    connectionCount,
    ...(transport !== undefined && { transport }),
    ...(scenario !== undefined && { scenario }),
    interference: [],
    generator: readGenerator(r),
  };
}

function writeRoute(w: ByteWriter, route: RouteMeasurement): void {
  w.text(route.requestClassId);
  w.text(route.route);
  w.whole(route.sentCount);
  w.whole(route.okCount);
  w.whole(route.errorCount);
  w.whole(route.timeoutCount);
  w.whole(route.droppedCount);
  w.whole(route.receivedBytes ?? 0);
  writeHistogram(w, route.responseTime);
  writeHistogram(w, route.sendToReplyTime);
  writeHistogram(w, route.failureTime);
}

const readRoute = (r: ByteReader): RouteMeasurement => ({
  requestClassId: r.text(),
  route: r.text(),
  sentCount: r.whole(),
  okCount: r.whole(),
  errorCount: r.whole(),
  timeoutCount: r.whole(),
  droppedCount: r.whole(),
  receivedBytes: r.whole(),
  responseTime: readHistogram(r),
  sendToReplyTime: readHistogram(r),
  failureTime: readHistogram(r),
});

/** Bins as steps from one filled bin to the next, each with its count. */
export function writeHistogram(w: ByteWriter, histogram: HistogramData): void {
  const { unitSeconds, bits, totalCount, sumSeconds, minSeconds, maxSeconds, bins } = histogram;
  w.number(unitSeconds);
  w.whole(bits);
  w.whole(totalCount);
  w.number(sumSeconds);
  w.optional(minSeconds, (value) => w.number(value));
  w.optional(maxSeconds, (value) => w.number(value));
  w.whole(bins.length / 2);
  let before = 0;
  for (let i = 0; i < bins.length; i += 2) {
    w.whole(bins[i]! - before);
    w.whole(bins[i + 1]!);
    before = bins[i]!;
  }
}

/** Throws a RangeError where the bins do not hold what their total says. */
export function readHistogram(r: ByteReader): HistogramData {
  const unitSeconds = r.number();
  const bits = r.whole();
  const totalCount = r.whole();
  const sumSeconds = r.number();
  const minSeconds = r.optional(() => r.number());
  const maxSeconds = r.optional(() => r.number());
  const bins: number[] = [];
  let bin = 0;
  let counted = 0;
  for (let left = r.whole(); left > 0; left -= 1) {
    bin += r.whole();
    const count = r.whole();
    counted += count;
    bins.push(bin, count);
  }
  if (counted !== totalCount) throw new RangeError(`bins of ${counted} values, ${totalCount} in all`);
  return {
    unitSeconds,
    bits,
    totalCount,
    sumSeconds,
    ...(minSeconds !== undefined && { minSeconds }),
    ...(maxSeconds !== undefined && { maxSeconds }),
    bins,
  };
}

function writeCounts(w: ByteWriter, counts: Readonly<Record<string, number>>): void {
  w.list(Object.entries(counts), ([name, count]) => {
    w.text(name);
    w.whole(count);
  });
}

const readCounts = (r: ByteReader): Record<string, number> =>
  Object.fromEntries(r.list(() => [r.text(), r.whole()] as const));

function writeTransport(w: ByteWriter, transport: TransportMeasurement): void {
  w.whole(transport.connectionsOpenedCount);
  w.whole(transport.redirectsFollowedCount);
  writeHistogram(w, transport.connectTime);
  w.optional(transport.heldCount, (count) => w.whole(count));
}

function readTransport(r: ByteReader): TransportMeasurement {
  const connectionsOpenedCount = r.whole();
  const redirectsFollowedCount = r.whole();
  const connectTime = readHistogram(r);
  const heldCount = r.optional(() => r.whole());
  return {
    connectionsOpenedCount,
    redirectsFollowedCount,
    connectTime,
    ...(heldCount !== undefined && { heldCount }),
  };
}

function writeScenario(w: ByteWriter, { parts, checks }: ScenarioMeasurement): void {
  w.list(parts, (part) => {
    w.text(part.name);
    w.whole(part.kind === 'group' ? 1 : 0);
    w.whole(part.endedCount);
    w.whole(part.failedCount);
    writeHistogram(w, part.duration);
  });
  w.list(checks, (check) => {
    w.text(check.name);
    w.whole(check.passedCount);
    w.whole(check.failedCount);
  });
}

const readScenario = (r: ByteReader): ScenarioMeasurement => ({
  parts: r.list(() => ({
    name: r.text(),
    kind: r.whole() === 1 ? ('group' as const) : ('journey' as const),
    endedCount: r.whole(),
    failedCount: r.whole(),
    duration: readHistogram(r),
  })),
  checks: r.list(() => ({ name: r.text(), passedCount: r.whole(), failedCount: r.whole() })),
});

function writeGenerator(w: ByteWriter, generator: GeneratorHealth): void {
  w.number(generator.cpuSeconds);
  w.number(generator.coreCount);
  w.number(generator.utilizationRatio);
  w.number(generator.eventLoopDelayMaxSeconds);
  writeHistogram(w, generator.scheduleLag);
}

const readGenerator = (r: ByteReader): GeneratorHealth => ({
  cpuSeconds: r.number(),
  coreCount: r.number(),
  utilizationRatio: r.number(),
  eventLoopDelayMaxSeconds: r.number(),
  scheduleLag: readHistogram(r),
});
