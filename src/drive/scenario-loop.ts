import type { Task } from '../host/host.ts';
import { type ArrivalTimes, arrivalTimes } from '../load/arrival-times.ts';
import type { Driver } from '../model/load.ts';
import { createRandom, mixSeed, type Random } from '../stats/random.ts';
import type { LoadLoop } from './load-loop.ts';
import { firstOwn, isOwn, ownShare, WHOLE_PLAN } from './plan-part.ts';
import type { ScenarioHost } from './scenario-host.ts';
import { ScenarioUser, type ScenarioUserListener } from './scenario-user.ts';

/** Users who go from journey to journey, as many as the step says: the closed loop of a scenario. */
export class ScenarioUsers implements LoadLoop, ScenarioUserListener {
  readonly #host: ScenarioHost;
  readonly #usersPerSecond: number | undefined;
  /** By their number in the plan; those of other parts are missing. */
  readonly #users: ScenarioUser[] = [];
  #wanted = 0;
  #onIdle: (() => void) | undefined;

  /** `usersPerSecond`: how fast users join; missing: all at once. */
  constructor(host: ScenarioHost, usersPerSecond: number | undefined) {
    this.#host = host;
    this.#usersPerSecond = usersPerSecond;
  }

  begin(driver: Driver): void {
    this.#resize(driver.kind === 'closed' ? driver.users : 0);
  }

  stop(onIdle: () => void): void {
    this.#resize(0);
    this.#onIdle = onIdle;
    this.#tellIfIdle();
  }

  iterationEnded(user: ScenarioUser): void {
    user.begin(this.#host.clock.nowSeconds());
  }

  left(): void {
    this.#tellIfIdle();
  }

  #resize(users: number): void {
    const now = this.#host.clock.nowSeconds();
    const rate = this.#usersPerSecond;
    const { part = WHOLE_PLAN } = this.#host;
    for (const [i, user] of this.#users.entries())
      if (!(i < users && isOwn(i, part))) (user as ScenarioUser | undefined)?.leave();
    for (let i = firstOwn(0, part); i < users; i += part.count) {
      const user = (this.#users[i] ??= new ScenarioUser(this.#host, i, true, this));
      user.join(now + (rate === undefined ? 0 : Math.max(0, i - this.#wanted) / rate));
    }
    this.#wanted = users;
  }

  #tellIfIdle(): void {
    if (this.#users.some((user) => user.isBusy)) return;
    const onIdle = this.#onIdle;
    this.#onIdle = undefined;
    onIdle?.();
  }
}

const ARRIVALS_SALT = -1;

/**
 * Journeys that begin at their own times whether or not earlier ones have ended: the open loop of a scenario. The
 * first request of each is due when its journey arrives. Above `maxInFlight` journeys an arrival is dropped.
 */
export class ScenarioArrivals implements LoadLoop, Task, ScenarioUserListener {
  readonly #host: ScenarioHost;
  readonly #arrivals: Random;
  /** Last in, first out: few users stay warm instead of many growing cold. */
  readonly #idle: ScenarioUser[] = [];
  readonly #users: ScenarioUser[] = [];
  #maxInFlight = 0;
  #nextArrival: ArrivalTimes = () => Infinity;
  #nextAtSeconds = Infinity;
  /** Number in the step of the arrival after `#nextAtSeconds`. */
  #arrivalNumber = 0;
  #endsAtSeconds = 0;
  #onIdle: (() => void) | undefined;

  constructor(host: ScenarioHost) {
    this.#host = host;
    this.#arrivals = createRandom(mixSeed(host.seed, ARRIVALS_SALT));
  }

  begin(driver: Driver, startsAtSeconds: number, endsAtSeconds: number): void {
    this.#nextAtSeconds = Infinity;
    if (driver.kind !== 'open') return;
    if (driver.arrivals === 'log') throw new RangeError('a scenario has no log to replay');
    // At least one, or a part would drop everything.
    this.#maxInFlight = Math.max(1, ownShare(driver.maxInFlight, this.#host.part ?? WHOLE_PLAN));
    this.#arrivalNumber = 0;
    this.#nextArrival = arrivalTimes(driver, startsAtSeconds, this.#arrivals);
    this.#endsAtSeconds = endsAtSeconds;
    this.#advance();
    this.#awaitNext();
  }

  stop(onIdle: () => void): void {
    this.#nextAtSeconds = Infinity;
    for (const user of this.#users) user.leave();
    this.#onIdle = onIdle;
    this.left();
  }

  iterationEnded(user: ScenarioUser): void {
    this.#idle.push(user);
  }

  left(): void {
    if (this.#users.some((user) => user.isBusy)) return;
    const onIdle = this.#onIdle;
    this.#onIdle = undefined;
    onIdle?.();
  }

  onTime(): void {
    const dueUntilSeconds = this.#host.clock.nowSeconds();
    if (this.#nextAtSeconds > dueUntilSeconds) return;
    while (this.#nextAtSeconds <= dueUntilSeconds) {
      this.#arrive(this.#nextAtSeconds);
      this.#advance();
    }
    this.#awaitNext();
  }

  #awaitNext(): void {
    if (this.#nextAtSeconds < Infinity) this.#host.clock.schedule(this.#nextAtSeconds, this);
  }

  /** Arrivals of other parts are drawn and passed over. */
  #advance(): void {
    const { part = WHOLE_PLAN } = this.#host;
    let atSeconds = this.#nextArrival();
    while (!isOwn(this.#arrivalNumber++, part) && atSeconds < this.#endsAtSeconds)
      atSeconds = this.#nextArrival();
    this.#nextAtSeconds = atSeconds < this.#endsAtSeconds ? atSeconds : Infinity;
  }

  #arrive(intendedAtSeconds: number): void {
    if (this.#users.length - this.#idle.length >= this.#maxInFlight) {
      // Which request it would have been nobody knows: the first class stands for the journey.
      this.#host.recorder.dropped(0);
      return;
    }
    const user = this.#idle.pop() ?? this.#newUser();
    user.begin(intendedAtSeconds);
  }

  #newUser(): ScenarioUser {
    // Numbers that no other part gives.
    const { part = WHOLE_PLAN } = this.#host;
    const number = this.#users.length * part.count + part.index;
    const user = new ScenarioUser(this.#host, number, false, this);
    this.#users.push(user);
    return user;
  }
}
