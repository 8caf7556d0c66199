import type { VirtualClock } from '../../src/host/virtual-clock.ts';
import type { Bus, BusMessage } from '../../src/agents/bus.ts';
import { BusError } from '../../src/agents/bus.ts';
import { fits, keptSubjects } from '../../src/agents/subjects.ts';

interface Stored {
  readonly subject: string;
  readonly data: Uint8Array;
}

interface Listener {
  readonly place: MemoryBus;
  readonly pattern: string;
  readonly onMessage: (message: BusMessage) => void;
}

/** What may go wrong on the way of an event from an agent to the coordinator: where copies of it go, as delays. */
export type EventFaults = (subject: string) => readonly number[];

/** A broker in memory, on a virtual clock: it can be killed and started again, and keeps what it acknowledged. */
export class MemoryBroker {
  readonly clock: VirtualClock;
  readonly listeners = new Set<Listener>();
  readonly streams = new Map<string, Stored[]>();
  readonly ids = new Set<string>();
  readonly objects = new Map<string, Uint8Array>();
  /** By run and name. */
  readonly bundles = new Map<string, Uint8Array>();
  isUp = true;
  faults: EventFaults = () => [0];

  constructor(clock: VirtualClock) {
    this.clock = clock;
  }

  /** A way to the broker that takes so long in each direction. */
  connect(delaySeconds = 0.0005): MemoryBus {
    return new MemoryBus(this, delaySeconds);
  }

  keep(subject: string, data: Uint8Array, messageId: string): boolean {
    const runId = subject.split('.')[2]!;
    const stream = this.streams.get(runId);
    if (stream === undefined || !keptSubjects(runId).some((pattern) => fits(subject, pattern))) return false;
    if (!this.ids.has(messageId)) stream.push({ subject, data });
    this.ids.add(messageId);
    return true;
  }
}

export class MemoryBus implements Bus {
  readonly mostBytes = 1 << 20;
  /** Whether the link between this place and the broker is up. */
  isLinked = true;
  renewCount = 0;
  readonly #broker: MemoryBroker;
  readonly #delaySeconds: number;

  constructor(broker: MemoryBroker, delaySeconds: number) {
    this.#broker = broker;
    this.#delaySeconds = delaySeconds;
  }

  publish(subject: string, data: Uint8Array): void {
    this.#toBroker(() => this.#deliver(subject, data, () => {}));
  }

  subscribe(pattern: string, onMessage: (message: BusMessage) => void): () => void {
    const listener = { place: this, pattern, onMessage };
    this.#broker.listeners.add(listener);
    return () => this.#broker.listeners.delete(listener);
  }

  request(subject: string, data: Uint8Array, timeoutSeconds: number): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      this.#after(timeoutSeconds, () => reject(new BusError('timeout')));
      this.#toBroker(() => {
        const heard = this.#deliver(subject, data, (answer) => this.#fromBroker(() => resolve(answer)));
        if (!heard) this.#fromBroker(() => reject(new BusError('nobody', { nobodyListens: true })));
      });
    });
  }

  openStream(runId: string): Promise<void> {
    return this.#ask(5, () => void this.#broker.streams.set(runId, []));
  }

  store(subject: string, data: Uint8Array, messageId: string, timeoutSeconds: number): Promise<void> {
    return this.#ask(timeoutSeconds, () => {
      if (!this.#broker.keep(subject, data, messageId)) throw new BusError('no stream for it');
      for (const delay of this.#broker.faults(subject))
        this.#after(delay, () => this.#deliver(subject, data, () => {}));
    });
  }

  stored(runId: string, subject: string): Promise<Uint8Array | undefined> {
    return this.#ask(5, () => this.#broker.streams.get(runId)?.find((one) => one.subject === subject)?.data);
  }

  async *replay(runId: string, patterns: readonly string[]): AsyncGenerator<Stored> {
    const all = this.#broker.streams.get(runId) ?? [];
    yield* all.filter(({ subject }) => patterns.some((pattern) => fits(subject, pattern)));
  }

  runs(): Promise<readonly string[]> {
    return this.#ask(5, () => [...this.#broker.streams.keys()]);
  }

  putObject(name: string, data: Uint8Array): Promise<void> {
    return this.#ask(5, () => void this.#broker.objects.set(name, data));
  }

  getObject(name: string): Promise<Uint8Array | undefined> {
    return this.#ask(5, () => this.#broker.objects.get(name));
  }

  putBundle(runId: string, name: string, data: Uint8Array): Promise<void> {
    return this.#ask(5, () => void this.#broker.bundles.set(`${runId} ${name}`, data));
  }

  getBundle(runId: string, name: string): Promise<Uint8Array | undefined> {
    return this.#ask(5, () => this.#broker.bundles.get(`${runId} ${name}`));
  }

  dropBundle(runId: string): Promise<void> {
    return this.#ask(5, () => {
      for (const name of this.#broker.bundles.keys())
        if (name.startsWith(`${runId} `)) this.#broker.bundles.delete(name);
    });
  }

  dropStream(runId: string): Promise<void> {
    return this.#ask(5, () => void this.#broker.streams.delete(runId));
  }

  renew(): void {
    this.renewCount += 1;
  }

  async close(): Promise<void> {
    for (const listener of this.#broker.listeners)
      if (listener.place === this) this.#broker.listeners.delete(listener);
  }

  #deliver(subject: string, data: Uint8Array, respond: (data: Uint8Array) => void): boolean {
    if (!this.#broker.isUp) return false;
    const heard = [...this.#broker.listeners].filter(({ pattern }) => fits(subject, pattern));
    for (const { place, onMessage } of heard)
      place.#fromBroker(() =>
        onMessage({ subject, data, respond: (answer) => place.#toBroker(() => respond(answer)) }),
      );
    return heard.length > 0;
  }

  #ask<Result>(timeoutSeconds: number, work: () => Result): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#after(timeoutSeconds, () => reject(new BusError('timeout')));
      this.#toBroker(() => {
        try {
          const result = work();
          this.#fromBroker(() => resolve(result));
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  #toBroker(work: () => void): void {
    this.#after(this.#delaySeconds, () => {
      if (this.isLinked && this.#broker.isUp) work();
    });
  }

  #fromBroker(work: () => void): void {
    this.#after(this.#delaySeconds, () => {
      if (this.isLinked) work();
    });
  }

  #after(seconds: number, work: () => void): void {
    const { clock } = this.#broker;
    clock.schedule(clock.nowSeconds() + seconds, { onTime: work });
  }
}
