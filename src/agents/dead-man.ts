import type { Clock } from '../host/host.ts';
import { every } from './deadline.ts';

const CHECK_SECONDS = 0.25;

/**
 * Ends an agent's load by itself when its coordinator has been silent for too long, whatever the reason: a broken
 * link, a dead broker, a killed coordinator, an agent that stood still. Nobody would count what it sends then.
 */
export class DeadMan {
  readonly #clock: Clock;
  readonly #limitSeconds: number;
  readonly #check: { stop(): void };
  #heardAtSeconds: number;
  #isDead = false;
  #isDisarmed = false;

  /** Armed from now on. `onDead` is called once, by the clock. */
  constructor(clock: Clock, limitSeconds: number, onDead: (silentSeconds: number) => void) {
    this.#clock = clock;
    this.#limitSeconds = limitSeconds;
    this.#heardAtSeconds = clock.nowSeconds();
    this.#check = every(clock, CHECK_SECONDS, () => {
      if (this.isAlive()) return;
      this.disarm();
      onDead(this.silentSeconds);
    });
  }

  get silentSeconds(): number {
    return this.#clock.nowSeconds() - this.#heardAtSeconds;
  }

  /** Whether load may go out now; once it may not, it never may again. */
  isAlive(): boolean {
    if (!this.#isDead && !this.#isDisarmed && this.silentSeconds > this.#limitSeconds) this.#isDead = true;
    return !this.#isDead;
  }

  /** The coordinator was heard. Too late is too late. */
  heard(): void {
    if (this.isAlive()) this.#heardAtSeconds = this.#clock.nowSeconds();
  }

  /** Watches no more; what is alive stays so. */
  disarm(): void {
    this.#isDisarmed = true;
    this.#check.stop();
  }
}
