import type { Task } from '../host/host.ts';
import type { Channel, DrawnRequest, KeptAnswer } from '../protocols/protocol.ts';
import { type Answer, JourneyError, ReceivedAnswer } from '../scenario/answer.ts';
import { failedCheck } from '../scenario/checks.ts';
import type { CompiledJourney, CompiledScenario } from '../scenario/compile.ts';
import { thinkTimeFrom } from '../scenario/compile.ts';
import { composeRequest } from '../scenario/compose-request.ts';
import { CookieJar } from '../scenario/cookie-jar.ts';
import type { Feed } from '../scenario/feed.ts';
import type { HttpMethod, RequestOptions } from '../scenario/request-options.ts';
import { routeName } from '../scenario/route-name.ts';
import type { ThinkTime, User } from '../scenario/types.ts';
import { createRandom, durationSampler, mixSeed, type Random } from '../stats/random.ts';
import type { LoopHost } from './load-loop.ts';
import { Iteration, type IterationHost } from './scenario-iteration.ts';
import type { FinishedRequest } from './recorder.ts';
import type { ScenarioRecord } from './scenario-record.ts';

/** Hands out the records of feeds. */
export interface FeedReader {
  take(feed: Feed<unknown>, userIndex: number, random: Random): Promise<unknown>;
}

/** What a scenario needs of a run, beside the plan. */
export interface ScenarioRun {
  readonly compiled: CompiledScenario;
  /** What `setup` returned. */
  readonly shared: unknown;
  /** On every request that a plan does not hold. */
  readonly headers: Readonly<Record<string, string>>;
  /** Scheme, host and port of the service. */
  readonly origin: string;
  readonly feeds: FeedReader;
  readonly record: ScenarioRecord;
  /** For cookies: epoch seconds. */
  readonly epochSeconds: () => number;
  /** Answers of a dry run, which are made up. */
  readonly answerOf?: (what: string, options: RequestOptions) => Answer;
}

/** What all users of a scenario share. */
export interface ScenarioHost extends Omit<LoopHost, 'stream' | 'replay' | 'part'> {
  readonly scenario: ScenarioRun;
  /** In place of the journeys' own. */
  readonly drawThinkSeconds?: ((random: Random) => number) | undefined;
  /** Index of the class a request is counted under. */
  routeIndex(method: string, route: string): number;
}

/** Told what becomes of a user. */
export interface ScenarioUserListener {
  /** It has come to the end of a journey, or failed in it, and waits for what is next. */
  iterationEnded(user: ScenarioUser): void;
  /** It was asked to leave, and its last answer is in. */
  left(user: ScenarioUser): void;
}

/** A run through a journey that sent nothing is not followed by the next before this time. */
const IDLE_ITERATION_SECONDS = 1;
const NEVER = new Promise<never>(() => {});

type State = 'away' | 'joining' | 'resting' | 'running' | 'waiting' | 'inFlight';

/**
 * One simulated user: a connection, cookies, a seeded stream of draws, and one run through a journey at a time.
 * Between an answer and the next request it counts as thinking, whatever its code does. Plain journeys go on from
 * answer to answer without a promise.
 */
export class ScenarioUser implements Task, IterationHost {
  readonly index: number;
  readonly #host: ScenarioHost;
  readonly #random: Random;
  readonly #channel: Channel;
  readonly #listener: ScenarioUserListener;
  readonly #countsThinking: boolean;
  readonly #jar = new CookieJar();
  #authorization: string | undefined;
  #own: unknown;
  #isSetUp = false;
  #state: State = 'away';
  #isLeaving = false;
  #iteration: Iteration | undefined;
  #iterationCount = 0;
  #endsAfterAnswer: { readonly failed: boolean } | undefined;
  #pendingWakeUps = 0;
  #wake: (() => void) | undefined;
  #isThinking = false;
  #thinkingSinceSeconds = 0;
  #intendedAtSeconds = 0;
  /** When the next request is due; undefined: when it is sent. */
  #dueAtSeconds: number | undefined;
  #sentOrWaited = false;
  #startedAtSeconds = 0;
  #journey: CompiledJourney;
  #plainAt = 0;
  #requestIndex = 0;
  #mask = 0;
  #resolve: ((answer: Answer) => void) | undefined;
  #inFlight: { readonly what: string; readonly target: string; readonly options: RequestOptions } | undefined;

  /** `countsThinking`: whether the time between requests is think time (a closed loop). */
  constructor(host: ScenarioHost, index: number, countsThinking: boolean, listener: ScenarioUserListener) {
    this.#host = host;
    this.index = index;
    this.#countsThinking = countsThinking;
    this.#listener = listener;
    this.#random = createRandom(mixSeed(host.seed, index));
    this.#journey = host.scenario.compiled.journeys[0]!;
    this.#channel = host.protocol.openChannel(this.#onDone);
    if (
      this.#channel.sendDrawn === undefined &&
      host.scenario.compiled.journeys.some(({ run }) => run !== undefined)
    )
      throw new RangeError('the way to the service carries prepared requests only');
  }

  get random(): Random {
    return this.#random;
  }

  /** An answer is still on its way. */
  get isBusy(): boolean {
    return this.#state === 'inFlight';
  }

  /** The user's code has the word. */
  get isRunning(): boolean {
    return this.#state === 'running';
  }

  /** Goes from journey to journey from this time on. */
  join(atSeconds: number): void {
    this.#isLeaving = false;
    if (this.#state !== 'away') return;
    this.#state = 'joining';
    this.#wakeAt(atSeconds, () => this.begin(this.#host.clock.nowSeconds()));
  }

  /** Sends nothing more. */
  leave(): void {
    this.#isLeaving = true;
    if (this.#state === 'inFlight') return;
    this.#stopThinking(false);
    this.#abandon();
  }

  /** One run through a journey, drawn by weight unless it is given. */
  begin(intendedAtSeconds: number, journeyIndex?: number): void {
    const { compiled } = this.#host.scenario;
    const now = this.#host.clock.nowSeconds();
    this.#journey = compiled.journeys[journeyIndex ?? compiled.draw(this.#random)]!;
    this.#dueAtSeconds = intendedAtSeconds;
    this.#startedAtSeconds = now;
    this.#sentOrWaited = false;
    this.#state = 'running';
    this.#startThinking(now);
    if (this.#journey.plain !== undefined && (this.#isSetUp || compiled.spec.userSetup === undefined)) {
      this.#plainAt = 0;
      this.#sendPlain();
      return;
    }
    const iteration = new Iteration(this, this.#iterationCount, this.#own, this.#host.scenario.shared);
    this.#iterationCount += 1;
    this.#iteration = iteration;
    this.#perform(iteration).then(
      () => this.#endIteration(iteration, undefined),
      (error: unknown) => this.#endIteration(iteration, { error }),
    );
  }

  async #perform(iteration: Iteration): Promise<void> {
    const { userSetup } = this.#host.scenario.compiled.spec;
    if (!this.#isSetUp && userSetup !== undefined) {
      this.#own = await userSetup(iteration as unknown as User);
      iteration.own = this.#own;
    }
    this.#isSetUp = true;
    const { run, plain } = this.#journey;
    if (run !== undefined) await run(iteration);
    for (const { requestIndex, target } of plain ?? [])
      await this.#sendPrepared(iteration, requestIndex, target);
  }

  /** Plain requests behind a `userSetup`: prepared all the same, one after the other. */
  #sendPrepared(iteration: Iteration, requestIndex: number, target: string): Promise<unknown> {
    return this.#afterThinking(iteration, (resolve) => {
      this.#resolve = resolve;
      this.#transmitPrepared(requestIndex, target);
    });
  }

  #endIteration(iteration: Iteration, thrown: { readonly error: unknown } | undefined): void {
    if (iteration !== this.#iteration) return;
    this.#iteration = undefined;
    if (thrown !== undefined) this.#host.scenario.record.threw(this.#journey.name, thrown.error);
    const failed = thrown !== undefined;
    // A request that nobody awaited: the next journey begins when its answer is in.
    if (this.#state === 'inFlight') this.#endsAfterAnswer = { failed };
    else this.#finishIteration(failed);
  }

  #finishIteration(failed: boolean): void {
    const now = this.#host.clock.nowSeconds();
    this.#host.scenario.record.partEnded(this.#journey.name, 'journey', now - this.#startedAtSeconds, failed);
    const idle = !this.#sentOrWaited;
    // A pause that nobody awaited is over with its journey.
    this.#wake = undefined;
    this.#state = 'resting';
    if (idle) this.#wakeAt(now + IDLE_ITERATION_SECONDS, () => this.#goOn());
    else this.#goOn();
  }

  #goOn(): void {
    if (!this.#countsThinking) this.#state = 'away';
    this.#listener.iterationEnded(this);
  }

  /** Waits before the request as the journey says, then transmits it. */
  #afterThinking(
    iteration: Iteration,
    transmit: (resolve: (answer: Answer) => void) => void,
  ): Promise<Answer> {
    if (iteration !== this.#iteration || this.#isLeaving) return NEVER;
    if (this.#state !== 'running')
      throw new JourneyError('a user sends one request at a time: await the one before');
    this.#sentOrWaited = true;
    return new Promise((resolve, reject) => {
      this.#think(() => {
        try {
          transmit(resolve);
        } catch (error) {
          this.#state = 'running';
          reject(error);
        }
      });
    });
  }

  #think(then: () => void): void {
    const draw = this.#host.drawThinkSeconds ?? this.#journey.drawThinkSeconds;
    if (draw === undefined) {
      then();
      return;
    }
    this.#dueAtSeconds = this.#host.clock.nowSeconds() + draw(this.#random);
    this.#state = 'waiting';
    this.#wakeAt(this.#dueAtSeconds, then);
  }

  send(iteration: Iteration, method: HttpMethod, target: string, options: RequestOptions): Promise<Answer> {
    const { scenario } = this.#host;
    const composed = composeRequest(target, options, scenario.origin);
    const route = options.name ?? routeName(composed.target);
    return this.#afterThinking(iteration, (resolve) => {
      this.#transmitDrawn(method, route, composed);
      this.#resolve = resolve;
      this.#inFlight = { what: `${method} ${route}`, target: composed.target, options };
    });
  }

  #transmitDrawn(
    method: HttpMethod,
    route: string,
    { target, headers, body }: ReturnType<typeof composeRequest>,
  ): void {
    const kept = this.#jar.header(target, this.#host.scenario.epochSeconds());
    const given = this.#host.scenario.headers['Cookie'];
    const request: DrawnRequest = {
      method,
      target,
      headers: {
        ...this.#host.scenario.headers,
        ...(this.#authorization !== undefined && { Authorization: this.#authorization }),
        // Those that answers have set stand before those that every request brings.
        ...(kept !== undefined && {
          Cookie: given === undefined || given === '' ? kept : `${kept}; ${given}`,
        }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    };
    const now = this.#host.clock.nowSeconds();
    this.#channel.sendDrawn!(request);
    this.#begun(this.#host.routeIndex(method, route), now);
  }

  #transmitPrepared(requestIndex: number, target: string): void {
    this.#begun(requestIndex, this.#host.clock.nowSeconds());
    this.#channel.send(requestIndex, target);
  }

  #begun(requestIndex: number, now: number): void {
    // Where no pause says when it was due, what the user's own code took is not the service's.
    this.#intendedAtSeconds = this.#dueAtSeconds ?? now;
    this.#dueAtSeconds = undefined;
    this.#stopThinking(true, now);
    this.#state = 'inFlight';
    this.#sentOrWaited = true;
    this.#requestIndex = requestIndex;
    this.#mask = this.#host.recorder.sent(requestIndex, this.#intendedAtSeconds, now);
  }

  readonly #sendPlain = (): void => {
    const { requestIndex, target } = this.#journey.plain![this.#plainAt]!;
    this.#think(() => this.#transmitPrepared(requestIndex, target));
  };

  readonly #onDone = (channel: Channel): void => {
    const inFlight = this.#inFlight;
    const resolve = this.#resolve;
    this.#inFlight = this.#resolve = undefined;
    let answer: Answer | undefined;
    let finished: FinishedRequest = channel;
    if (resolve !== undefined) {
      answer = this.#answerOf(channel, inFlight);
      if (inFlight?.options.check !== undefined) finished = this.#judge(channel, inFlight, answer);
      if (inFlight !== undefined) this.#takeCookies(channel.keptAnswer, inFlight.target);
    }
    this.#host.recorder.done(finished, this.#requestIndex, this.#intendedAtSeconds, this.#mask);
    if (this.#isLeaving) {
      this.#abandon();
      this.#listener.left(this);
      return;
    }
    if (resolve === undefined) this.#dueAtSeconds = channel.endedAtSeconds;
    this.#state = 'running';
    this.#startThinking(channel.endedAtSeconds);
    const ending = this.#endsAfterAnswer;
    this.#endsAfterAnswer = undefined;
    if (ending !== undefined) this.#finishIteration(ending.failed);
    else if (resolve !== undefined) resolve(answer!);
    else this.#afterPlain();
  };

  #afterPlain(): void {
    this.#plainAt += 1;
    if (this.#plainAt < this.#journey.plain!.length) this.#sendPlain();
    else this.#finishIteration(false);
  }

  #answerOf(channel: Channel, inFlight: { what: string; options: RequestOptions } | undefined): Answer {
    const { what, options } = inFlight ?? { what: '', options: {} };
    const { answerOf } = this.#host.scenario;
    if (answerOf !== undefined) return answerOf(what, options);
    const seconds = channel.endedAtSeconds - this.#intendedAtSeconds;
    const failure = channel.status > 0 ? '' : channel.errorCode;
    return new ReceivedAnswer(what, channel.status, failure, seconds, channel.keptAnswer);
  }

  /** An answer that was read to its end is judged by its checks; without one on the status, by its status too. */
  #judge(
    channel: Channel,
    { what, options }: { what: string; options: RequestOptions },
    answer: Answer,
  ): FinishedRequest {
    const { record } = this.#host.scenario;
    const checks = options.check!;
    const isWhole = channel.outcome === 'ok' || channel.errorCode.startsWith('http-');
    const failed = failedCheck(checks, answer, (name, passed) =>
      record.checked(`${what}: ${name}`, passed && isWhole),
    );
    if (!isWhole || (channel.outcome === 'error' && checks.status === undefined)) return channel;
    const { status, receivedBytes, sentAtSeconds, endedAtSeconds, retried } = channel;
    const ending = { status, receivedBytes, sentAtSeconds, endedAtSeconds, retried };
    if (failed === undefined) return { ...ending, outcome: 'ok', errorCode: '' };
    return { ...ending, outcome: 'error', errorCode: `check-${failed.replaceAll(/\s+/g, '-')}` };
  }

  #takeCookies(kept: KeptAnswer | undefined, target: string): void {
    for (const [name, value] of kept?.fields ?? [])
      if (name.length === 10 && name.toLowerCase() === 'set-cookie')
        this.#jar.set(value, target, this.#host.scenario.epochSeconds());
  }

  pause(iteration: Iteration, time: ThinkTime): Promise<void> {
    const draw = durationSampler(thinkTimeFrom('pause', time));
    if (iteration !== this.#iteration || this.#isLeaving) return NEVER;
    if (this.#state !== 'running')
      throw new JourneyError('a user does one thing at a time: await the request before');
    this.#sentOrWaited = true;
    return new Promise((resolve) => {
      this.#state = 'waiting';
      this.#dueAtSeconds = this.#host.clock.nowSeconds() + draw(this.#random);
      this.#wakeAt(this.#dueAtSeconds, () => {
        this.#state = 'running';
        resolve();
      });
    });
  }

  authorize(value: string): void {
    this.#authorization = value;
  }

  take(feed: Feed<unknown>): Promise<unknown> {
    return this.#host.scenario.feeds.take(feed, this.index, this.#random);
  }

  async group<Result>(iteration: Iteration, name: string, part: () => Promise<Result>): Promise<Result> {
    const begunAtSeconds = this.#host.clock.nowSeconds();
    let failed = true;
    try {
      const result = await part();
      failed = false;
      return result;
    } finally {
      const seconds = this.#host.clock.nowSeconds() - begunAtSeconds;
      if (iteration === this.#iteration)
        this.#host.scenario.record.partEnded(`${this.#journey.name}/${name}`, 'group', seconds, failed);
    }
  }

  onTime(): void {
    this.#pendingWakeUps -= 1;
    if (this.#pendingWakeUps > 0) return;
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }

  #wakeAt(atSeconds: number, then: () => void): void {
    this.#pendingWakeUps += 1;
    this.#wake = then;
    this.#host.clock.schedule(atSeconds, this);
  }

  /** What the user's code still waits for never comes. */
  #abandon(): void {
    this.#iteration = undefined;
    this.#endsAfterAnswer = undefined;
    this.#wake = undefined;
    this.#state = 'away';
  }

  #startThinking(atSeconds: number): void {
    if (!this.#countsThinking || this.#isThinking) return;
    this.#isThinking = true;
    this.#thinkingSinceSeconds = atSeconds;
    this.#host.recorder.thinkingBegan(atSeconds);
  }

  #stopThinking(isSending: boolean, atSeconds = this.#host.clock.nowSeconds()): void {
    if (!this.#isThinking) return;
    this.#isThinking = false;
    if (isSending) this.#host.recorder.thinkingEnded(atSeconds, atSeconds - this.#thinkingSinceSeconds);
    else this.#host.recorder.thinkingAbandoned(atSeconds);
  }
}
