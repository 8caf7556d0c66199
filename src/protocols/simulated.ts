import type { CounterReading, CounterSource } from '../counters/counter-source.ts';
import type { Clock, Task } from '../host/host.ts';
import type { PlannedRequest } from '../model/load.ts';
import type { SimulatedService, Station, Visit } from '../model/simulation.ts';
import { createRandom, durationSampler, type Random } from '../stats/random.ts';
import type { Channel, Protocol } from './protocol.ts';

/** Answer size that the simulated service claims, so that byte counts are not all zero. */
const ANSWER_BYTES = 100;

interface PreparedVisit {
  readonly station: SimulatedStation;
  readonly cpuRatio: number;
  readonly draw: (random: Random) => number;
}

/**
 * A service of first-come-first-served stations behind the protocol interface. With the virtual clock the
 * whole path from plan to verdict runs against queueing theory.
 */
export class SimulatedProtocol implements Protocol {
  readonly name = 'simulated';
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #stations: readonly SimulatedStation[];
  readonly #visits: readonly (readonly PreparedVisit[])[];
  #connectionCount = 0;

  constructor(clock: Clock, service: SimulatedService, requests: readonly PlannedRequest[], seed: number) {
    this.#clock = clock;
    this.#random = createRandom(seed);
    this.#stations = service.stations.map((station) => new SimulatedStation(station, clock));
    const byName = new Map(service.stations.map((station, i) => [station.name, this.#stations[i]!]));
    this.#visits = requests.map((request) => {
      const visits = service.visits[request.id];
      if (visits === undefined) throw new RangeError(`the simulated service has no visits for ${request.id}`);
      return visits.map((visit) => prepareVisit(visit, byName));
    });
  }

  get connectionCount(): number {
    return this.#connectionCount;
  }

  openChannel(onDone: (channel: Channel) => void): Channel {
    this.#connectionCount += 1;
    const journey = (requestIndex: number) => this.#visits[requestIndex]!;
    return new SimulatedChannel(this.#clock, this.#random, journey, onDone);
  }

  async close(): Promise<void> {
    this.#connectionCount = 0;
  }

  /** Busy CPU seconds since the start over all stations, running visits included. */
  cpuSeconds(): number {
    return this.#stations.reduce((sum, station) => sum + station.cpuSeconds(), 0);
  }
}

function prepareVisit(visit: Visit, byName: ReadonlyMap<string, SimulatedStation>): PreparedVisit {
  const station = byName.get(visit.station);
  if (station === undefined) throw new RangeError(`no station named ${visit.station}`);
  return { station, cpuRatio: visit.cpuRatio ?? 1, draw: durationSampler(visit.service) };
}

/** CPU of the simulated service as the `process` source; `serverCount` is the m of U = busy / (T·m). */
export function simulatedCounters(protocol: SimulatedProtocol, serverCount: number): CounterSource {
  return {
    name: 'process',
    gone: false,
    read: (): readonly CounterReading[] => [
      {
        source: 'process',
        quantity: 'cpuSeconds',
        unit: 'seconds',
        kind: 'cumulative',
        capacity: serverCount,
        value: protocol.cpuSeconds(),
      },
    ],
    close: () => {},
  };
}

/** m servers and one queue. */
class SimulatedStation {
  readonly #clock: Clock;
  readonly #serverCount: number;
  readonly #waiting: SimulatedChannel[] = [];
  #firstWaiting = 0;
  #busyCount = 0;
  #finishedCpuSeconds = 0;
  readonly #running = new Set<SimulatedChannel>();

  constructor(station: Station, clock: Clock) {
    this.#clock = clock;
    this.#serverCount = station.serverCount ?? Infinity;
  }

  arrive(channel: SimulatedChannel): void {
    if (this.#busyCount < this.#serverCount) this.#begin(channel);
    else this.#waiting.push(channel);
  }

  finish(channel: SimulatedChannel): void {
    this.#finishedCpuSeconds += channel.usedCpuSeconds(this.#clock.nowSeconds());
    this.#running.delete(channel);
    this.#busyCount -= 1;
    const next = this.#waiting[this.#firstWaiting];
    if (next === undefined) return;
    this.#firstWaiting += 1;
    if (this.#firstWaiting > 1024 && this.#firstWaiting * 2 > this.#waiting.length) {
      this.#waiting.splice(0, this.#firstWaiting);
      this.#firstWaiting = 0;
    }
    this.#begin(next);
  }

  cpuSeconds(): number {
    const now = this.#clock.nowSeconds();
    let sum = this.#finishedCpuSeconds;
    for (const channel of this.#running) sum += channel.usedCpuSeconds(now);
    return sum;
  }

  #begin(channel: SimulatedChannel): void {
    this.#busyCount += 1;
    this.#running.add(channel);
    channel.beginService();
  }
}

class SimulatedChannel implements Channel, Task {
  outcome: 'ok' | 'error' | 'timeout' = 'ok';
  status = 0;
  errorCode = '';
  receivedBytes = 0;
  sentAtSeconds = 0;
  endedAtSeconds = 0;
  retried = false;

  readonly #clock: Clock;
  readonly #random: Random;
  readonly #journeyOf: (requestIndex: number) => readonly PreparedVisit[];
  readonly #onDone: (channel: Channel) => void;
  #journey: readonly PreparedVisit[] = [];
  #visitIndex = 0;
  #serviceStartedAtSeconds = 0;
  #isClosed = false;

  constructor(
    clock: Clock,
    random: Random,
    journeyOf: (requestIndex: number) => readonly PreparedVisit[],
    onDone: (channel: Channel) => void,
  ) {
    this.#clock = clock;
    this.#random = random;
    this.#journeyOf = journeyOf;
    this.#onDone = onDone;
  }

  send(requestIndex: number, _target: string): void {
    this.#journey = this.#journeyOf(requestIndex);
    this.#visitIndex = -1;
    this.sentAtSeconds = this.#clock.nowSeconds();
    this.#next();
  }

  close(): void {
    this.#isClosed = true;
  }

  beginService(): void {
    const visit = this.#journey[this.#visitIndex]!;
    this.#serviceStartedAtSeconds = this.#clock.nowSeconds();
    this.#clock.schedule(this.#serviceStartedAtSeconds + visit.draw(this.#random), this);
  }

  usedCpuSeconds(nowSeconds: number): number {
    const visit = this.#journey[this.#visitIndex]!;
    return (nowSeconds - this.#serviceStartedAtSeconds) * visit.cpuRatio;
  }

  onTime(): void {
    if (this.#visitIndex >= 0 && this.#visitIndex < this.#journey.length) {
      this.#journey[this.#visitIndex]!.station.finish(this);
    }
    this.#next();
  }

  #next(): void {
    this.#visitIndex += 1;
    const visit = this.#journey[this.#visitIndex];
    if (visit !== undefined) {
      visit.station.arrive(this);
      return;
    }
    // A journey without visits ends at once, but never inside `send`.
    if (this.#journey.length === 0 && this.#visitIndex === 0) {
      this.#clock.schedule(this.#clock.nowSeconds(), this);
      return;
    }
    this.status = 200;
    this.receivedBytes = ANSWER_BYTES;
    this.endedAtSeconds = this.#clock.nowSeconds();
    if (!this.#isClosed) this.#onDone(this);
  }
}
