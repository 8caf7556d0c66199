import type { ScenarioMeasurement, ScenarioPart } from '../model/measurement.ts';
import type { CheckListener } from '../scenario/checks.ts';
import { COARSE_BITS, Histogram } from '../stats/histogram.ts';

/** What was thrown in a journey, once, however often it was. */
export interface JourneyFault {
  readonly journey: string;
  readonly message: string;
  /** As thrown the first time. */
  readonly stack: string;
  readonly error: unknown;
  count: number;
}

/** How a run through a journey, or a group of it, came to its end. */
export interface PartEnding {
  readonly kind: ScenarioPart['kind'];
  readonly seconds: number;
  readonly failed: boolean;
  /** Checks on its answers that failed. */
  readonly failedCheckCount?: number;
  /** The last request before it threw, '' before the first. */
  readonly lastRequest?: string;
}

interface PartCounts {
  readonly kind: ScenarioPart['kind'];
  endedCount: number;
  failedCount: number;
  failedCheckCount: number;
  readonly brokeOffAfter: Map<string, number>;
  readonly duration: Histogram;
}

/** Names and messages are a person's; ones made anew each time must not fill the memory. */
const MOST_NAMES = 500;
const MOST_FAULTS = 50;
/** Requests of one journey after which it may break off. */
const MOST_PLACES = 100;

/** How many more names may be remembered. */
interface Room {
  left: number;
}

/** Counts the checks on the answers to one kind of request. */
export class RequestChecks implements CheckListener {
  readonly #counts = new Map<string, { passedCount: number; failedCount: number }>();
  readonly #room: Room;
  /** Of the whole run. */
  failedCount = 0;

  /** `room` for names is shared by all kinds of requests. */
  constructor(room: Room) {
    this.#room = room;
  }

  checked(name: string, passed: boolean): void {
    if (!passed) this.failedCount += 1;
    let check = this.#counts.get(name);
    if (check === undefined) {
      if (this.#room.left <= 0) return;
      this.#room.left -= 1;
      check = { passedCount: 0, failedCount: 0 };
      this.#counts.set(name, check);
    }
    if (passed) check.passedCount += 1;
    else check.failedCount += 1;
  }

  /** What was counted since the last cut, by `METHOD route: check`. */
  cut(request: string): ScenarioMeasurement['checks'] {
    const checks = [...this.#counts].map(([name, counts]) => ({ name: `${request}: ${name}`, ...counts }));
    for (const check of this.#counts.values()) check.passedCount = check.failedCount = 0;
    return checks;
  }
}

/** Accumulates what a scenario counts besides its requests, and gives it away in frames. */
export class ScenarioRecord {
  readonly #parts = new Map<string, PartCounts>();
  /** By method, then route: two look-ups cost less than a name put together. */
  readonly #checks = new Map<string, Map<string, RequestChecks>>();
  readonly #checkRoom: Room = { left: MOST_NAMES };
  readonly #faults = new Map<string, JourneyFault>();
  readonly #onFault: ((fault: JourneyFault) => void) | undefined;

  /** `onFault` is told of each kind of fault once. */
  constructor(onFault?: (fault: JourneyFault) => void) {
    this.#onFault = onFault;
  }

  /** All that was thrown, over the whole run. */
  get faults(): readonly JourneyFault[] {
    return [...this.#faults.values()];
  }

  partEnded(name: string, { kind, seconds, failed, failedCheckCount = 0, lastRequest }: PartEnding): void {
    const part = this.#partOf(name, kind);
    if (part === undefined) return;
    part.endedCount += 1;
    part.failedCheckCount += failedCheckCount;
    if (!failed) {
      part.duration.record(seconds);
      return;
    }
    part.failedCount += 1;
    if (lastRequest !== undefined && part.brokeOffAfter.size < MOST_PLACES)
      part.brokeOffAfter.set(lastRequest, (part.brokeOffAfter.get(lastRequest) ?? 0) + 1);
  }

  #partOf(name: string, kind: ScenarioPart['kind']): PartCounts | undefined {
    const known = this.#parts.get(name);
    if (known !== undefined || this.#parts.size >= MOST_NAMES) return known;
    const part = {
      kind,
      endedCount: 0,
      failedCount: 0,
      failedCheckCount: 0,
      brokeOffAfter: new Map<string, number>(),
      duration: new Histogram(COARSE_BITS),
    };
    this.#parts.set(name, part);
    return part;
  }

  /** The counts of the checks on `METHOD route`; those beyond the most that are kept count for nobody. */
  checksOf(method: string, route: string): RequestChecks {
    let byRoute = this.#checks.get(method);
    if (byRoute === undefined) this.#checks.set(method, (byRoute = new Map()));
    let checks = byRoute.get(route);
    if (checks === undefined) {
      checks = new RequestChecks(this.#checkRoom);
      if (byRoute.size < MOST_NAMES) byRoute.set(route, checks);
    }
    return checks;
  }

  threw(journey: string, error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    const stack = error instanceof Error ? (error.stack ?? message) : message;
    // Values in messages differ from user to user; the place does not.
    const place = /\n\s+at [^\n]+/.exec(stack)?.[0] ?? message;
    const key = `${journey}\n${place}`;
    const known = this.#faults.get(key);
    if (known !== undefined) {
      known.count += 1;
      return;
    }
    if (this.#faults.size >= MOST_FAULTS) return;
    const fault = { journey, message, stack, error, count: 1 };
    this.#faults.set(key, fault);
    this.#onFault?.(fault);
  }

  /** Everything since the last cut but for the faults. */
  cut(): ScenarioMeasurement {
    const parts = [...this.#parts].map(([name, part]) => ({
      name,
      kind: part.kind,
      endedCount: part.endedCount,
      failedCount: part.failedCount,
      ...(part.failedCheckCount > 0 && { failedCheckCount: part.failedCheckCount }),
      ...(part.brokeOffAfter.size > 0 && { brokeOffAfter: Object.fromEntries(part.brokeOffAfter) }),
      duration: part.duration.toData(),
    }));
    const checks = [...this.#checks].flatMap(([method, byRoute]) =>
      [...byRoute].flatMap(([route, counts]) => counts.cut(`${method} ${route}`)),
    );
    for (const part of this.#parts.values()) {
      part.endedCount = part.failedCount = part.failedCheckCount = 0;
      part.brokeOffAfter.clear();
      part.duration.reset();
    }
    return { parts, checks };
  }
}
