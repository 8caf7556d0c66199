import { createHash } from 'node:crypto';

const START = '0'.repeat(64);

/**
 * Hash over all events of an agent in order: hₙ = SHA-256(hₙ₋₁ ‖ eventₙ). Two who have the same count and the same
 * hash have the same events, byte for byte.
 */
export class EventChain {
  #hash = START;
  #count = 0;

  get count(): number {
    return this.#count;
  }

  get sha256(): string {
    return this.#hash;
  }

  add(event: Uint8Array): void {
    this.#hash = createHash('sha256').update(this.#hash).update(event).digest('hex');
    this.#count += 1;
  }
}
