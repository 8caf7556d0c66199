import { ScenarioFault } from '../errors.ts';
import { type Answer, JourneyError } from '../scenario/answer.ts';
import type { CompiledJourney } from '../scenario/compile.ts';
import { composeRequest } from '../scenario/compose-request.ts';
import type { Feed } from '../scenario/feed.ts';
import type { HttpMethod, RequestOptions } from '../scenario/request-options.ts';
import { requireMethod } from '../scenario/require-options.ts';
import { routeName } from '../scenario/route-name.ts';
import { thinkTimeFrom } from '../scenario/times.ts';
import type { ThinkTime, User } from '../scenario/types.ts';
import { createRandom, durationSampler, mixSeed, type Random } from '../stats/random.ts';
import { type JourneyRequest, RequestSender } from './request-sender.ts';
import type { ScenarioHost } from './scenario-host.ts';
import { Iteration, type IterationHost } from './scenario-iteration.ts';
import { ThinkingSpell } from './thinking-spell.ts';
import { WakeUp } from './wake-up.ts';

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
 * The life of one simulated user: a seeded stream of draws, and one run through a journey at a time. Between an
 * answer and the next request it counts as thinking, whatever its code does. Plain journeys go on from answer to
 * answer without a promise.
 */
export class ScenarioUser implements IterationHost {
  readonly index: number;
  readonly random: Random;
  readonly #host: ScenarioHost;
  readonly #listener: ScenarioUserListener;
  readonly #sender: RequestSender;
  readonly #wakeUp: WakeUp;
  /** Missing where the time between requests is no think time (an open loop). */
  readonly #thinking: ThinkingSpell | undefined;
  #own: unknown;
  #isSetUp = false;
  #state: State = 'away';
  #isLeaving = false;
  #iteration: Iteration | undefined;
  #iterationCount = 0;
  #endsAfterAnswer: { readonly failed: boolean } | undefined;
  /** When the next request is due; undefined: when it is sent. */
  #dueAtSeconds: number | undefined;
  #sentOrWaited = false;
  #startedAtSeconds = 0;
  #journey: CompiledJourney;
  #plainAt = 0;
  #pending: JourneyRequest | undefined;

  /** `countsThinking`: whether the time between requests is think time (a closed loop). */
  constructor(host: ScenarioHost, index: number, countsThinking: boolean, listener: ScenarioUserListener) {
    this.#host = host;
    this.index = index;
    this.#listener = listener;
    this.random = createRandom(mixSeed(host.seed, index));
    this.#journey = host.scenario.compiled.journeys[0]!;
    this.#sender = new RequestSender(host, this.#onAnswer);
    this.#wakeUp = new WakeUp(host.clock);
    this.#thinking = countsThinking ? new ThinkingSpell(host.recorder) : undefined;
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
    this.#wakeUp.at(atSeconds, () => this.begin(this.#host.clock.nowSeconds()));
  }

  /** Sends nothing more. */
  leave(): void {
    this.#isLeaving = true;
    if (this.#state === 'inFlight') return;
    this.#thinking?.abandon(this.#host.clock.nowSeconds());
    this.#abandon();
  }

  /** One run through a journey, drawn by weight unless it is given. */
  begin(intendedAtSeconds: number, journeyIndex?: number): void {
    const { compiled } = this.#host.scenario;
    const now = this.#host.clock.nowSeconds();
    this.#journey = compiled.journeys[journeyIndex ?? compiled.draw(this.random)]!;
    this.#dueAtSeconds = intendedAtSeconds;
    this.#startedAtSeconds = now;
    this.#sender.beginIteration();
    this.#sentOrWaited = false;
    this.#state = 'running';
    this.#thinking?.begin(now);
    if (this.#journey.plain !== undefined && (this.#isSetUp || compiled.spec.userSetup === undefined)) {
      this.#plainAt = 0;
      this.#think(this.#sendPlain);
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
    const { failedCheckCount, lastRequest } = this.#sender;
    this.#host.scenario.record.partEnded(this.#journey.name, {
      kind: 'journey',
      seconds: now - this.#startedAtSeconds,
      failed,
      failedCheckCount,
      lastRequest,
    });
    const idle = !this.#sentOrWaited;
    // A pause that nobody awaited is over with its journey.
    this.#wakeUp.cancel();
    this.#state = 'resting';
    if (idle) this.#wakeUp.at(now + IDLE_ITERATION_SECONDS, () => this.#goOn());
    else this.#goOn();
  }

  #goOn(): void {
    if (this.#thinking === undefined) this.#state = 'away';
    this.#listener.iterationEnded(this);
  }

  send(iteration: Iteration, method: HttpMethod, target: string, options: RequestOptions): Promise<Answer> {
    requireMethod(method);
    const composed = composeRequest(target, options, this.#host.scenario.origin);
    const route = options.name ?? routeName(composed.target);
    if (!this.#mayAct(iteration, 'sends one request at a time: await the one before')) return NEVER;
    return new Promise((resolve, reject) => {
      this.#pending = { method, route, composed, options, resolve, reject };
      this.#think(this.#sendPending);
    });
  }

  readonly #sendPending = (): void => {
    const request = this.#pending!;
    this.#pending = undefined;
    const now = this.#host.clock.nowSeconds();
    try {
      this.#sender.sendDrawn(request, this.#dueAtSeconds ?? now, now);
    } catch (error) {
      this.#state = 'running';
      request.reject(error);
      return;
    }
    this.#began(now);
  };

  /** Plain requests behind a `userSetup`: prepared all the same, one after the other. */
  #sendPrepared(iteration: Iteration, requestIndex: number, target: string): Promise<unknown> {
    if (!this.#mayAct(iteration, 'sends one request at a time: await the one before')) return NEVER;
    return new Promise((resolve) => {
      this.#think(() => this.#transmit(requestIndex, target, resolve));
    });
  }

  readonly #sendPlain = (): void => {
    const { requestIndex, target } = this.#journey.plain![this.#plainAt]!;
    this.#transmit(requestIndex, target, undefined);
  };

  #transmit(requestIndex: number, target: string, resolve: ((answer: Answer) => void) | undefined): void {
    const now = this.#host.clock.nowSeconds();
    const dueAtSeconds = this.#dueAtSeconds ?? now;
    this.#began(now);
    this.#sender.sendPrepared(requestIndex, target, dueAtSeconds, now, resolve);
  }

  /** Where no pause says when it was due, what the user's own code took is not the service's. */
  #began(now: number): void {
    this.#dueAtSeconds = undefined;
    this.#thinking?.end(now);
    this.#state = 'inFlight';
  }

  /** False for what an earlier run still asks for. Throws a JourneyError where the user waits for something else. */
  #mayAct(iteration: Iteration, rule: string): boolean {
    if (iteration !== this.#iteration || this.#isLeaving) return false;
    if (this.#state !== 'running') throw new JourneyError(`a user ${rule}`);
    this.#sentOrWaited = true;
    return true;
  }

  /** Waits before a request as the journey says. */
  #think(then: () => void): void {
    this.#sentOrWaited = true;
    const draw = this.#host.drawThinkSeconds ?? this.#journey.drawThinkSeconds;
    if (draw === undefined) then();
    else this.#wait(draw(this.random), then);
  }

  #wait(seconds: number, then: () => void): void {
    this.#dueAtSeconds = this.#host.clock.nowSeconds() + seconds;
    this.#state = 'waiting';
    this.#wakeUp.at(this.#dueAtSeconds, then);
  }

  readonly #onAnswer = (
    endedAtSeconds: number,
    answer: Answer | undefined,
    resolve: ((answer: Answer) => void) | undefined,
  ): void => {
    if (this.#isLeaving) {
      this.#abandon();
      this.#listener.left(this);
      return;
    }
    if (resolve === undefined) this.#dueAtSeconds = endedAtSeconds;
    this.#state = 'running';
    this.#thinking?.begin(endedAtSeconds);
    const ending = this.#endsAfterAnswer;
    this.#endsAfterAnswer = undefined;
    if (ending !== undefined) this.#finishIteration(ending.failed);
    else if (resolve !== undefined) resolve(answer!);
    else this.#afterPlain();
  };

  #afterPlain(): void {
    this.#plainAt += 1;
    if (this.#plainAt < this.#journey.plain!.length) this.#think(this.#sendPlain);
    else this.#finishIteration(false);
  }

  pause(iteration: Iteration, time: ThinkTime): Promise<void> {
    const draw = durationSampler(thinkTimeFrom('pause', time));
    if (!this.#mayAct(iteration, 'does one thing at a time: await the request before')) return NEVER;
    return new Promise((resolve) => {
      this.#wait(draw(this.random), () => {
        this.#state = 'running';
        resolve();
      });
    });
  }

  authorize(value: string): void {
    this.#sender.authorize(value);
  }

  take(feed: Feed<unknown>): Promise<unknown> {
    if ((feed as Feed<unknown> | undefined)?.kind !== 'feed')
      throw new ScenarioFault("user.take needs a feed: const people = feed('people.csv')");
    return this.#host.scenario.feeds.take(feed, this.index, this.random);
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
        this.#host.scenario.record.partEnded(`${this.#journey.name}/${name}`, {
          kind: 'group',
          seconds,
          failed,
        });
    }
  }

  /** What the user's code still waits for never comes. */
  #abandon(): void {
    this.#iteration = undefined;
    this.#endsAfterAnswer = undefined;
    this.#pending = undefined;
    this.#wakeUp.cancel();
    this.#state = 'away';
  }
}
