import type { Channel } from '../protocols/protocol.ts';
import { type Answer, ReceivedAnswer } from '../scenario/answer.ts';
import type { ComposedRequest } from '../scenario/compose-request.ts';
import type { HttpMethod, RequestOptions } from '../scenario/request-options.ts';
import { judgedAnswer } from './judged-answer.ts';
import type { FinishedRequest } from './recorder.ts';
import type { ScenarioHost } from './scenario-host.ts';
import { UserFields } from './user-fields.ts';

/** A request that a journey worked out, and who waits for its answer. */
export interface JourneyRequest {
  readonly method: HttpMethod;
  readonly route: string;
  readonly composed: ComposedRequest;
  readonly options: RequestOptions;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** Told when an answer is in and recorded; `resolve` gives it to the code that waits, if any does. */
export type AnswerListener = (
  endedAtSeconds: number,
  answer: Answer | undefined,
  resolve: ((answer: Answer) => void) | undefined,
) => void;

/** Sends one user's requests over its connection, one at a time, with its fields and cookies, and records them. */
export class RequestSender {
  readonly #host: ScenarioHost;
  readonly #channel: Channel;
  readonly #fields: UserFields;
  readonly #listener: AnswerListener;
  #intendedAtSeconds = 0;
  #requestIndex = 0;
  #mask = 0;
  #resolve: ((answer: Answer) => void) | undefined;
  /** What was sent last in this run through a journey, and how many checks failed in it. */
  #last: JourneyRequest | number | undefined;
  #failedCheckCount = 0;
  /** What is in flight, where it is no plain request. */
  #drawn: JourneyRequest | undefined;

  constructor(host: ScenarioHost, listener: AnswerListener) {
    this.#host = host;
    this.#listener = listener;
    this.#fields = new UserFields(host.scenario.headers, host.scenario.epochSeconds);
    this.#channel = host.protocol.openChannel(this.#onDone);
    if (
      this.#channel.sendDrawn === undefined &&
      host.scenario.compiled.journeys.some(({ run }) => run !== undefined)
    )
      throw new RangeError('the way to the service carries prepared requests only');
  }

  authorize(value: string): void {
    this.#fields.authorize(value);
  }

  /** A run through a journey begins. */
  beginIteration(): void {
    this.#last = undefined;
    this.#failedCheckCount = 0;
  }

  /** Checks that failed since the journey began. */
  get failedCheckCount(): number {
    return this.#failedCheckCount;
  }

  /** The last request since the journey began, by method and route; '' before the first. */
  get lastRequest(): string {
    const last = this.#last;
    if (last === undefined) return '';
    if (typeof last === 'number') return this.#host.scenario.compiled.requests[last]?.id ?? '';
    return `${last.method} ${last.route}`;
  }

  /** Throws what `Channel.sendDrawn` throws, before anything is sent or recorded. */
  sendDrawn(request: JourneyRequest, intendedAtSeconds: number, nowSeconds: number): void {
    const { method, route, composed } = request;
    const { target, body } = composed;
    const headers = this.#fields.of(composed.headers, target);
    this.#channel.sendDrawn!(
      body === undefined ? { method, target, headers } : { method, target, headers, body },
    );
    this.#drawn = this.#last = request;
    this.#resolve = request.resolve;
    this.#began(this.#host.routeIndex(method, route), intendedAtSeconds, nowSeconds);
  }

  /** A plain request; `resolve` where the code of a journey waits for it. */
  sendPrepared(
    requestIndex: number,
    target: string,
    intendedAtSeconds: number,
    nowSeconds: number,
    resolve: ((answer: Answer) => void) | undefined,
  ): void {
    this.#resolve = resolve;
    this.#last = requestIndex;
    this.#began(requestIndex, intendedAtSeconds, nowSeconds);
    this.#channel.send(requestIndex, target);
  }

  #began(requestIndex: number, intendedAtSeconds: number, nowSeconds: number): void {
    this.#intendedAtSeconds = intendedAtSeconds;
    this.#requestIndex = requestIndex;
    this.#mask = this.#host.recorder.sent(requestIndex, intendedAtSeconds, nowSeconds);
  }

  readonly #onDone = (channel: Channel): void => {
    const drawn = this.#drawn;
    const resolve = this.#resolve;
    this.#drawn = this.#resolve = undefined;
    let answer: Answer | undefined;
    let finished: FinishedRequest = channel;
    if (drawn !== undefined) {
      const { options, composed, method, route } = drawn;
      answer = this.#answerOf(channel, `${method} ${route}`, options);
      if (options.check !== undefined) {
        const checks = this.#host.scenario.record.checksOf(method, route);
        const before = checks.failedCount;
        finished = judgedAnswer(channel, answer, options.check, checks);
        this.#failedCheckCount += checks.failedCount - before;
      }
      this.#fields.take(channel.keptAnswer, composed.target);
    } else if (resolve !== undefined) {
      answer = this.#answerOf(channel, '', {});
    }
    this.#host.recorder.done(finished, this.#requestIndex, this.#intendedAtSeconds, this.#mask);
    this.#listener(channel.endedAtSeconds, answer, resolve);
  };

  #answerOf(channel: Channel, what: string, options: RequestOptions): Answer {
    const { answerOf } = this.#host.scenario;
    if (answerOf !== undefined) return answerOf(what, options);
    const seconds = channel.endedAtSeconds - this.#intendedAtSeconds;
    const failure = channel.status > 0 ? '' : channel.errorCode;
    return new ReceivedAnswer(what, channel.status, failure, seconds, channel.keptAnswer);
  }
}
