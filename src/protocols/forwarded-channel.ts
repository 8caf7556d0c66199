import type { Channel, DrawnRequest, KeptAnswer, Protocol } from './protocol.ts';

/** A channel on top of another that shows what that one has received: for those who hold requests back. */
export abstract class ForwardedChannel implements Channel {
  protected readonly inner: Channel;
  /** Missing where the protocol carries prepared requests only. */
  sendDrawn?: (request: DrawnRequest, waitingSinceSeconds?: number) => void;

  constructor(protocol: Protocol, onDone: (channel: Channel) => void) {
    this.inner = protocol.openChannel(() => onDone(this));
  }

  abstract send(requestIndex: number, target: string, waitingSinceSeconds?: number): void;

  close(): void {
    this.inner.close();
  }

  get keptAnswer(): KeptAnswer | undefined {
    return this.inner.keptAnswer;
  }
  get outcome(): Channel['outcome'] {
    return this.inner.outcome;
  }
  get status(): number {
    return this.inner.status;
  }
  get errorCode(): string {
    return this.inner.errorCode;
  }
  get errorDetail(): string {
    return this.inner.errorDetail ?? '';
  }
  get location(): string {
    return this.inner.location ?? '';
  }
  get receivedBytes(): number {
    return this.inner.receivedBytes;
  }
  get sentAtSeconds(): number {
    return this.inner.sentAtSeconds;
  }
  get endedAtSeconds(): number {
    return this.inner.endedAtSeconds;
  }
  get retried(): boolean {
    return this.inner.retried;
  }
}
