import type { Task } from '../host/host.ts';
import type { Driver } from '../model/load.ts';
import type { Channel } from '../protocols/protocol.ts';
import { createRandom, mixSeed, type Random } from '../stats/random.ts';
import type { LoadLoop, LoopHost } from './load-loop.ts';
import { firstOwn, isOwn } from './plan-part.ts';

/** What all users of a pool share. */
export interface ClosedLoopHost extends LoopHost {
  /** Missing: no think time, the next request follows the answer at once. */
  readonly drawThinkSeconds: ((random: Random) => number) | undefined;
  /** How fast users join; missing: all at once. */
  readonly usersPerSecond: number | undefined;
}

/**
 * Users who think, send, wait for the answer and think again. Each has a connection and a random stream of its
 * own. Response time runs from the end of the think time drawn, so a late generator shows.
 */
export class ClosedLoop implements LoadLoop {
  readonly #host: ClosedLoopHost;
  /** By their number in the plan; those of other parts are missing. */
  readonly #users: User[] = [];
  #wanted = 0;
  #leavingCount = 0;
  #onIdle: (() => void) | undefined;

  constructor(host: ClosedLoopHost) {
    this.#host = host;
  }

  begin(driver: Driver): void {
    this.#resize(driver.kind === 'closed' ? driver.users : 0);
  }

  stop(onIdle: () => void): void {
    this.#resize(0);
    this.#onIdle = onIdle;
    this.#tellIfIdle();
  }

  /** New users join at the plan's rate, surplus ones, and those of a part that is another's now, leave after their answer. */
  #resize(users: number): void {
    const now = this.#host.clock.nowSeconds();
    const { usersPerSecond, part } = this.#host;
    for (let i = 0; i < this.#users.length; i += 1) {
      const user = this.#users[i];
      if (user === undefined || user.isLeaving || (i < users && isOwn(i, part))) continue;
      user.leave();
      if (user.isLeaving) this.#leavingCount += 1;
    }
    for (let i = firstOwn(0, part); i < users; i += part.count) {
      const user = (this.#users[i] ??= new User(this.#host, mixSeed(this.#host.seed, i), this.#userLeft));
      if (user.isLeaving) this.#leavingCount -= 1;
      const place = Math.max(0, i - this.#wanted);
      user.join(now + (usersPerSecond === undefined ? 0 : place / usersPerSecond));
    }
    this.#wanted = users;
  }

  readonly #userLeft = (): void => {
    this.#leavingCount -= 1;
    this.#tellIfIdle();
  };

  #tellIfIdle(): void {
    if (this.#leavingCount > 0) return;
    const onIdle = this.#onIdle;
    this.#onIdle = undefined;
    onIdle?.();
  }
}

type UserState = 'away' | 'joining' | 'thinking' | 'inFlight' | 'leaving';

class User implements Task {
  readonly #host: ClosedLoopHost;
  readonly #random: Random;
  readonly #onLeft: () => void;
  readonly #channel: Channel;
  #state: UserState = 'away';
  /** Wake-ups asked for and not yet come; only the newest counts. */
  #pendingWakeUps = 0;
  #thinkingSinceSeconds = 0;
  #intendedAtSeconds = 0;
  #requestIndex = 0;
  #mask = 0;

  constructor(host: ClosedLoopHost, seed: number, onLeft: () => void) {
    this.#host = host;
    this.#random = createRandom(seed);
    this.#onLeft = onLeft;
    this.#channel = host.protocol.openChannel(this.#onDone);
  }

  /** On the way out, an answer still pending. */
  get isLeaving(): boolean {
    return this.#state === 'leaving';
  }

  join(atSeconds: number): void {
    if (this.#state === 'leaving') this.#state = 'inFlight';
    if (this.#state !== 'away') return;
    this.#state = 'joining';
    this.#wakeAt(atSeconds);
  }

  leave(): void {
    if (this.#state === 'thinking') this.#host.recorder.thinkingAbandoned(this.#host.clock.nowSeconds());
    this.#state = this.#state === 'inFlight' || this.#state === 'leaving' ? 'leaving' : 'away';
  }

  onTime(): void {
    this.#pendingWakeUps -= 1;
    if (this.#pendingWakeUps > 0) return;
    if (this.#state === 'joining') this.#think(this.#host.clock.nowSeconds());
    else if (this.#state === 'thinking') this.#send(this.#host.clock.nowSeconds());
  }

  #wakeAt(atSeconds: number): void {
    this.#pendingWakeUps += 1;
    this.#host.clock.schedule(atSeconds, this);
  }

  #think(nowSeconds: number): void {
    const draw = this.#host.drawThinkSeconds;
    this.#intendedAtSeconds = nowSeconds;
    if (draw === undefined) {
      this.#transmit(nowSeconds);
      return;
    }
    this.#state = 'thinking';
    this.#thinkingSinceSeconds = nowSeconds;
    this.#host.recorder.thinkingBegan(nowSeconds);
    this.#intendedAtSeconds = nowSeconds + draw(this.#random);
    this.#wakeAt(this.#intendedAtSeconds);
  }

  #send(nowSeconds: number): void {
    this.#host.recorder.thinkingEnded(nowSeconds, nowSeconds - this.#thinkingSinceSeconds);
    this.#transmit(nowSeconds);
  }

  #transmit(nowSeconds: number): void {
    const { stream, recorder } = this.#host;
    stream.draw(this.#random);
    this.#state = 'inFlight';
    this.#requestIndex = stream.requestIndex;
    this.#mask = recorder.sent(stream.requestIndex, this.#intendedAtSeconds, nowSeconds);
    this.#channel.send(stream.requestIndex, stream.target);
  }

  readonly #onDone = (channel: Channel): void => {
    this.#host.recorder.done(channel, this.#requestIndex, this.#intendedAtSeconds, this.#mask);
    if (this.#state === 'leaving') {
      this.#state = 'away';
      this.#onLeft();
      return;
    }
    this.#think(channel.endedAtSeconds);
  };
}
