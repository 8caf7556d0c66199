import type { Clock } from '../src/host/host.ts';
import type { Channel, Protocol, ProtocolOptions } from '../src/protocols/protocol.ts';

const ANSWER_BYTES = 150;

/**
 * A service inside the generator: answers all requests of a turn of the event loop in the next one, and costs
 * next to nothing. What is measured with it is the driver alone, without sockets and without a server that
 * needs a core too.
 */
export function openProtocol(_: ProtocolOptions, clock: Clock): Protocol {
  let waiting: InstantChannel[] = [];
  const answerAll = (): void => {
    const now = clock.nowSeconds();
    const answered = waiting;
    waiting = [];
    for (const channel of answered) channel.answer(now);
  };
  const enqueue = (channel: InstantChannel): void => {
    if (waiting.length === 0) setImmediate(answerAll);
    waiting.push(channel);
  };
  let connectionCount = 0;
  return {
    name: 'instant',
    get connectionCount() {
      return connectionCount;
    },
    openChannel(onDone) {
      connectionCount += 1;
      return new InstantChannel(clock, enqueue, onDone);
    },
    close: () => Promise.resolve(),
  };
}

class InstantChannel implements Channel {
  outcome = 'ok' as const;
  status = 200;
  errorCode = '';
  receivedBytes = ANSWER_BYTES;
  sentAtSeconds = 0;
  endedAtSeconds = 0;
  retried = false;
  readonly #clock: Clock;
  readonly #enqueue: (channel: InstantChannel) => void;
  readonly #onDone: (channel: Channel) => void;

  constructor(clock: Clock, enqueue: (channel: InstantChannel) => void, onDone: (channel: Channel) => void) {
    this.#clock = clock;
    this.#enqueue = enqueue;
    this.#onDone = onDone;
  }

  send(): void {
    this.sentAtSeconds = this.#clock.nowSeconds();
    this.#enqueue(this);
  }

  answer(nowSeconds: number): void {
    this.endedAtSeconds = nowSeconds;
    this.#onDone(this);
  }

  close(): void {}
}
