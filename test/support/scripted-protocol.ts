import type { Clock, Task } from '../../src/host/host.ts';
import type { Channel, Protocol } from '../../src/protocols/protocol.ts';

/** When a request sent at `sentAtSeconds` is answered, and with what status. */
export interface ScriptedAnswer {
  readonly endedAtSeconds: number;
  readonly status?: number;
  /** Instead of an answer: the request failed so. */
  readonly errorCode?: string;
}

export type Script = (sentAtSeconds: number, requestIndex: number, target: string) => ScriptedAnswer;

/** A service without queues whose every answer a test writes down: for virtual time and known figures. */
export class ScriptedProtocol implements Protocol {
  readonly name = 'scripted';
  connectionCount = 0;
  readonly sentAtSeconds: number[] = [];
  readonly #clock: Clock;
  readonly #script: Script;

  constructor(clock: Clock, script: Script) {
    this.#clock = clock;
    this.#script = script;
  }

  openChannel(onDone: (channel: Channel) => void): Channel {
    this.connectionCount += 1;
    const clock = this.#clock;
    let answer: ScriptedAnswer;
    const channel: Channel & Task = {
      outcome: 'ok',
      status: 0,
      errorCode: '',
      receivedBytes: 0,
      sentAtSeconds: 0,
      endedAtSeconds: 0,
      retried: false,
      send: (requestIndex, target) => {
        channel.sentAtSeconds = clock.nowSeconds();
        this.sentAtSeconds.push(channel.sentAtSeconds);
        answer = this.#script(channel.sentAtSeconds, requestIndex, target);
        clock.schedule(answer.endedAtSeconds, channel);
      },
      // A drawn request has no index in the plan.
      sendDrawn: ({ target }) => channel.send(-1, target),
      close: () => {},
      onTime: () => {
        const { status = 200, errorCode = status < 400 ? '' : `http-${status}` } = answer;
        channel.status = answer.errorCode === undefined ? status : 0;
        channel.errorCode = errorCode;
        channel.outcome = errorCode === '' ? 'ok' : errorCode === 'timeout' ? 'timeout' : 'error';
        channel.endedAtSeconds = clock.nowSeconds();
        onDone(channel);
      },
    };
    return channel;
  }

  async close(): Promise<void> {}
}
