import type { Clock, Task } from '../host/host.ts';
import type { RequestStream } from '../load/request-stream.ts';
import type { Channel, Protocol } from '../protocols/protocol.ts';
import { createRandom, mixSeed, type Random } from '../stats/random.ts';
import type { Recorder } from './recorder.ts';

/** What all users of a pool share. */
export interface ClosedLoopHost {
  readonly clock: Clock;
  readonly protocol: Protocol;
  readonly recorder: Recorder;
  readonly stream: RequestStream;
  /** Missing: no think time, the next request follows the answer at once. */
  readonly drawThinkSeconds: ((random: Random) => number) | undefined;
  readonly seed: number;
}

/**
 * Users who think, send, wait for the answer and think again. Each has a connection and a random stream of its
 * own. Response time runs from the end of the think time drawn, so a late generator shows.
 */
export class ClosedLoop {
  readonly #host: ClosedLoopHost;
  readonly #users: User[] = [];
  #wanted = 0;
  #isStopped = false;
  #onIdle: (() => void) | undefined;

  constructor(host: ClosedLoopHost) {
    this.#host = host;
  }

  /** Users that take part now, those on their way out (answer pending) included. */
  get presentCount(): number {
    return this.#users.reduce((count, user) => count + (user.isPresent ? 1 : 0), 0);
  }

  /** Changes the number of users: new ones join at `usersPerSecond` (missing: at once), surplus ones leave after their answer. */
  resize(users: number, usersPerSecond: number | undefined): void {
    const now = this.#host.clock.nowSeconds();
    for (let i = this.#wanted; i < users; i += 1) {
      const user = (this.#users[i] ??= new User(this.#host, mixSeed(this.#host.seed, i), this.#userLeft));
      user.join(now + (usersPerSecond === undefined ? 0 : (i - this.#wanted) / usersPerSecond));
    }
    for (let i = users; i < this.#wanted; i += 1) this.#users[i]!.leave();
    this.#wanted = users;
  }

  /** Lets every user go; `onIdle` follows once the last answer is in, perhaps at once. */
  stop(onIdle: () => void): void {
    this.#isStopped = true;
    this.#onIdle = onIdle;
    this.resize(0, undefined);
    this.#userLeft();
  }

  readonly #userLeft = (): void => {
    if (!this.#isStopped || this.#host.recorder.inFlight > 0) return;
    const onIdle = this.#onIdle;
    this.#onIdle = undefined;
    onIdle?.();
  };
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

  get isPresent(): boolean {
    return this.#state !== 'away' && this.#state !== 'joining';
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
