import type { Answer } from '../scenario/answer.ts';
import type { CompiledScenario } from '../scenario/compile.ts';
import type { Feed } from '../scenario/feed.ts';
import type { RequestOptions } from '../scenario/request-options.ts';
import type { Random } from '../stats/random.ts';
import type { LoopHost } from './load-loop.ts';
import type { PlanPart } from './plan-part.ts';
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
  /** Which users and journeys of the plan are this generator's; missing: all. */
  readonly part?: PlanPart;
  readonly scenario: ScenarioRun;
  /** In place of the journeys' own. */
  readonly drawThinkSeconds?: ((random: Random) => number) | undefined;
  /** Index of the class a request is counted under. */
  routeIndex(method: string, route: string): number;
}
