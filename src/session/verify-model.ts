import { startPlan } from '../drive/run-plan.ts';
import { ShiploadError } from '../errors.ts';
import { VirtualClock } from '../host/virtual-clock.ts';
import { plannedRequests } from '../load/planned-requests.ts';
import type { Distribution } from '../model/distribution.ts';
import type { PlannedRequest, Step } from '../model/load.ts';
import type { ModelCheck } from '../model/model-check.ts';
import type { SimulatedService } from '../model/simulation.ts';
import type { WorkloadModel } from '../model/workload.ts';
import type { Channel, Protocol } from '../protocols/protocol.ts';
import { SimulatedProtocol } from '../protocols/simulated.ts';
import type { SentByUsers, SentRequests } from '../workload/sent-requests.ts';
import { verifyModel } from '../workload/verify-model.ts';

/** Enough to know a share of 1 % to ±0.07 % (three standard errors), and done in seconds. */
const MOST_REQUESTS = 200_000;
/** Cycles after which users who all began together are spread out. */
const WARMUP_CYCLES = 5;

/**
 * Runs a model on the virtual clock, by its users and by open arrivals, against a service that answers each
 * class after the log's mean response time, and sets what was sent beside the log. The driver, the draws and
 * the think times are those of a run. Where the log does not tell its users, only the arrivals are sent.
 * Throws `workload-nothing-to-send` where nothing can be sent.
 */
export function checkModel(workload: WorkloadModel, seed: number): ModelCheck {
  const { activeUsers, throughputPerSecond } = workload;
  const thinkTime = workload.requestThinkTimeSeconds ?? workload.thinkTimeSeconds?.distribution;
  const { requests } = plannedRequests(workload);
  if (requests.length === 0)
    throw new ShiploadError('workload-nothing-to-send', 'there is nothing to verify: nothing can be sent', {
      where: '--verify',
      hint: 'The warnings of the model say why.',
    });
  const seconds = Math.min(workload.spanSeconds, MOST_REQUESTS / throughputPerSecond);
  const classIds = requests.map(({ id }) => id);
  const rate = throughputPerSecond * sendableRatio(workload, classIds);
  const open = sendOnVirtualClock(workload, requests, seed, {
    driver: { kind: 'open', arrivalRatePerSecond: rate, arrivals: 'poisson', maxInFlight: Infinity },
    warmupSeconds: 0,
    measureSeconds: seconds,
  });
  const arrivals = { ...open, seconds, classIds, ratePerSecond: rate };
  if (activeUsers === undefined || thinkTime === undefined) return verifyModel(workload, { arrivals });
  const users = Math.max(1, Math.round(activeUsers));
  const closed = sendOnVirtualClock(
    workload,
    requests,
    seed,
    {
      driver: { kind: 'closed', users },
      warmupSeconds: (WARMUP_CYCLES * activeUsers) / throughputPerSecond,
      measureSeconds: seconds,
    },
    thinkTime,
  );
  return verifyModel(workload, { closed: { ...closed, users, seed: seed + 2, seconds, classIds }, arrivals });
}

/** The share of the log's requests whose classes can be sent. */
function sendableRatio({ requestClasses }: WorkloadModel, classIds: readonly string[]): number {
  const shares = requestClasses.filter(({ id }) => classIds.includes(id));
  return shares.reduce((sum, { shareRatio }) => sum + shareRatio, 0);
}

/** What one step sends in its measured window. */
function sendOnVirtualClock(
  workload: WorkloadModel,
  requests: readonly PlannedRequest[],
  seed: number,
  load: Pick<Step, 'driver' | 'warmupSeconds' | 'measureSeconds'>,
  thinkTimeSeconds?: Distribution,
): Pick<SentRequests, 'atSeconds' | 'methods' | 'targets' | 'pauseSeconds'> &
  Pick<SentByUsers, 'cycleSeconds'> {
  const clock = new VirtualClock();
  const sent = new RecordingProtocol(
    new SimulatedProtocol(clock, serviceOf(workload), requests, seed + 1),
    requests,
    load.warmupSeconds,
    load.warmupSeconds + load.measureSeconds,
  );
  startPlan(
    {
      seed,
      shape: 'steps',
      requests,
      ...(thinkTimeSeconds !== undefined && { thinkTimeSeconds }),
      requestTimeoutSeconds: Infinity,
      steps: [{ index: 0, label: load.driver.kind, ...load }],
    },
    {
      clock,
      protocol: sent,
      counters: [],
      generator: { read: () => ({ cpuSeconds: 0, eventLoopDelayMaxSeconds: 0 }) },
    },
    () => {},
  );
  clock.run();
  return sent;
}

/** A service without queues: every class takes the log's mean response time. */
function serviceOf(workload: WorkloadModel): SimulatedService {
  const mean = workload.responseTimeSeconds?.mean ?? 0;
  const visits = workload.requestClasses.map(({ id, responseTimeSeconds }) => {
    const meanSeconds = responseTimeSeconds?.mean ?? mean;
    return [id, [{ station: 'service', service: { kind: 'constant', meanSeconds } as const }]] as const;
  });
  return { stations: [{ name: 'service' }], visits: Object.fromEntries(visits) };
}

/** Notes what goes through a protocol between two moments. */
class RecordingProtocol implements Protocol {
  readonly name = 'simulated';
  readonly atSeconds: number[] = [];
  readonly methods: string[] = [];
  readonly targets: string[] = [];
  readonly pauseSeconds: number[] = [];
  readonly cycleSeconds: number[] = [];
  readonly #inner: Protocol;
  readonly #requests: readonly PlannedRequest[];
  readonly #from: number;
  readonly #to: number;

  constructor(inner: Protocol, requests: readonly PlannedRequest[], fromSeconds: number, toSeconds: number) {
    this.#inner = inner;
    this.#requests = requests;
    this.#from = fromSeconds;
    this.#to = toSeconds;
  }

  get connectionCount(): number {
    return this.#inner.connectionCount;
  }

  openChannel(onDone: (channel: Channel) => void): Channel {
    let startedAt = NaN;
    let endedAt = NaN;
    const channel = this.#inner.openChannel((done) => {
      endedAt = done.endedAtSeconds;
      onDone(done);
    });
    const send = channel.send.bind(channel);
    channel.send = (requestIndex, target) => {
      send(requestIndex, target);
      this.#note(requestIndex, target, channel.sentAtSeconds, startedAt, endedAt);
      startedAt = channel.sentAtSeconds;
    };
    return channel;
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  #note(requestIndex: number, target: string, at: number, startedBefore: number, endedBefore: number): void {
    if (at < this.#from || at >= this.#to) return;
    this.atSeconds.push(at);
    this.methods.push(this.#requests[requestIndex]!.method);
    this.targets.push(target);
    if (Number.isNaN(endedBefore)) return;
    this.pauseSeconds.push(at - endedBefore);
    this.cycleSeconds.push(at - startedBefore);
  }
}
