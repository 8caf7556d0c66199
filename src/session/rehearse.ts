import { setImmediate as turn } from 'node:timers/promises';
import { Recorder } from '../drive/recorder.ts';
import { ScenarioRecord } from '../drive/scenario-record.ts';
import { ScenarioFault, ShiploadError } from '../errors.ts';
import type { FeedReader, ScenarioHost } from '../drive/scenario-host.ts';
import { ScenarioUser } from '../drive/scenario-user.ts';
import { VirtualClock } from '../host/virtual-clock.ts';
import type { CompiledJourney, CompiledScenario } from '../scenario/compile.ts';
import { placeholderAnswer } from '../scenario/placeholder-answer.ts';
import { RehearsedProtocol } from './rehearsed-protocol.ts';

/** One request as the first user would send it. */
export interface RehearsedRequest {
  readonly journey: string;
  readonly method: string;
  readonly target: string;
  /** The class it is counted under. */
  readonly route: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Think time and pauses before it. */
  readonly pauseSeconds: number;
}

/** What the first user would do, once through each journey, and what was thrown on the way. */
export interface Rehearsal {
  readonly requests: readonly RehearsedRequest[];
  readonly faults: readonly { readonly journey: string; readonly message: string; readonly stack: string }[];
}

/** A journey that waits for what a made-up answer never says would go on for ever. */
const MOST_REQUESTS = 100;
const NO_PROBE = { read: () => ({ cpuSeconds: 0, eventLoopDelayMaxSeconds: 0 }) };

export interface RehearsalOptions {
  readonly origin: string;
  readonly seed: number;
  readonly feeds: FeedReader;
  readonly headers: Readonly<Record<string, string>>;
  readonly onJourney?: (name: string) => void;
}

/**
 * Runs every journey once, on the virtual clock and against made-up answers: setup first, then as the first user. No
 * packet is sent, and pauses take no time. Throws what a journey throws that no service can be the reason of.
 */
export async function rehearse(compiled: CompiledScenario, options: RehearsalOptions): Promise<Rehearsal> {
  const { setup } = compiled.spec;
  const requests: RehearsedRequest[] = [];
  const record = new ScenarioRecord();
  let shared: unknown;
  if (setup !== undefined) {
    const run: CompiledJourney['run'] = async (client) => (shared = await setup(client));
    await walk(alone(compiled, 'setup', run), undefined, record, requests, options);
  }
  await walk(compiled, shared, record, requests, options);
  for (const { journey, error } of record.faults) if (isCertain(error)) throw inJourney(journey, error);
  return {
    requests,
    faults: record.faults.map(({ journey, message, stack }) => ({ journey, message, stack })),
  };
}

const CERTAIN: ReadonlySet<string> = new Set(['file-not-found', 'file-unreadable', 'feed-invalid']);

/** Whether it would be thrown under load just the same; what else is thrown may come of made-up answers. */
const isCertain = (error: unknown): error is ShiploadError =>
  error instanceof ScenarioFault || (error instanceof ShiploadError && CERTAIN.has(error.code));

const inJourney = (journey: string, cause: ShiploadError): ShiploadError =>
  new ShiploadError(cause.code, `in ${journey}: ${cause.message}`, {
    cause,
    ...(cause.hint !== undefined && { hint: cause.hint }),
    ...(cause.where !== undefined && { where: cause.where }),
  });

/** A scenario of one journey, without a load. */
export function alone(
  compiled: CompiledScenario,
  name: string,
  run: NonNullable<CompiledJourney['run']>,
): CompiledScenario {
  const { userSetup: _, setup: __, ...spec } = compiled.spec;
  return { ...compiled, spec, journeys: [{ name, weight: 1, run }], draw: () => 0 };
}

async function walk(
  compiled: CompiledScenario,
  shared: unknown,
  record: ScenarioRecord,
  requests: RehearsedRequest[],
  options: RehearsalOptions,
): Promise<void> {
  const clock = new VirtualClock();
  let journey = '';
  const progress = { isOver: false };
  let quietSinceSeconds = 0;
  const protocol = new RehearsedProtocol(clock, compiled.requests, (sent) => {
    requests.push({ journey, ...sent, pauseSeconds: clock.nowSeconds() - quietSinceSeconds });
    quietSinceSeconds = clock.nowSeconds();
  });
  const recorder = new Recorder(compiled.requests, 0, NO_PROBE);
  const indices = new Map(compiled.requests.map(({ id }, i) => [id, i]));
  const host: ScenarioHost = {
    clock,
    protocol,
    recorder,
    seed: options.seed,
    scenario: {
      compiled,
      shared,
      headers: options.headers,
      origin: options.origin,
      feeds: options.feeds,
      record,
      epochSeconds: () => 0,
      answerOf: (_what, sent) => placeholderAnswer(sent),
    },
    routeIndex: (method, name) => {
      const id = `${method} ${name}`;
      const index = indices.get(id) ?? recorder.addRoute({ id, route: name });
      indices.set(id, index);
      // Asked for the request that has just been sent.
      requests.push({ ...requests.pop()!, route: name });
      return index;
    },
  };
  const user = new ScenarioUser(host, 0, true, {
    iterationEnded: () => (progress.isOver = true),
    left: () => (progress.isOver = true),
  });
  for (const [i, { name }] of compiled.journeys.entries()) {
    options.onJourney?.(name);
    journey = name;
    progress.isOver = false;
    const before = requests.length;
    quietSinceSeconds = clock.nowSeconds();
    user.begin(clock.nowSeconds(), i);
    while (!progress.isOver && requests.length - before < MOST_REQUESTS) {
      // What its code waits for besides us takes real time.
      await turn();
      if (!user.isRunning) clock.runNext();
    }
    if (!progress.isOver) user.leave();
  }
}
