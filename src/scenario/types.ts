import type { Answer } from './answer.ts';
import type { Feed } from './feed.ts';
import type { HttpMethod, RequestOptions } from './request-options.ts';

/** Seconds, or text: `2s`, `1s..3s` (uniform), `exp:2s` (exponential). */
export type ThinkTime = number | string;

/** A request that is always the same. */
export interface PlainRequest {
  readonly method: HttpMethod;
  readonly target: string;
  readonly name?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: string | Uint8Array;
}

/** Sends requests, one at a time. Cookies that answers set are sent back. */
export interface Client {
  request(method: HttpMethod, target: string, options?: RequestOptions): Promise<Answer>;
  get(target: string, options?: RequestOptions): Promise<Answer>;
  head(target: string, options?: RequestOptions): Promise<Answer>;
  post(target: string, options?: RequestOptions): Promise<Answer>;
  put(target: string, options?: RequestOptions): Promise<Answer>;
  patch(target: string, options?: RequestOptions): Promise<Answer>;
  delete(target: string, options?: RequestOptions): Promise<Answer>;
  /** `Authorization: Bearer …` (RFC 6750) on every request from now on. */
  bearer(token: string): void;
  /** `Authorization: Basic …` (RFC 7617) on every request from now on. */
  basic(name: string, password: string): void;
}

/** One simulated user in one run through a journey. */
export interface User<Shared = undefined, Own = undefined> extends Client {
  /** 0, 1, 2, …: the same user has the same number, and the same draws, in every run with the same seed. */
  readonly index: number;
  /** Runs through journeys that this user has begun before this one. */
  readonly iteration: number;
  /** What `setup` returned. */
  readonly shared: Shared;
  /** What `userSetup` returned for this user. */
  readonly own: Own;
  /** Waits: counted as think time. */
  pause(time: ThinkTime): Promise<void>;
  /** A uniform draw in [0, 1) from the user's own seeded stream. */
  random(): number;
  /** A whole number from `from` to `to`, both included. */
  integer(from: number, to: number): number;
  /** One element, each as likely. Throws a RangeError for an empty list. */
  pick<Element>(elements: readonly Element[]): Element;
  /** The next record of a feed. */
  take<Row>(feed: Feed<Row>): Promise<Row>;
  /** Runs part of the journey and counts how often it came to its end, how often not, and how long it took. */
  group<Result>(name: string, part: () => Promise<Result>): Promise<Result>;
}

export type JourneyBody<Shared, Own> = (user: User<Shared, Own>) => Promise<unknown>;

/** What users do, from beginning to end: a function, or a list of plain requests sent in order. */
export interface JourneyDefinition<Shared, Own> {
  /** How often it is chosen beside the others; missing: 1. */
  readonly weight?: number;
  /** Before each request; missing: that of the scenario. */
  readonly thinkTime?: ThinkTime;
  readonly run?: JourneyBody<Shared, Own>;
  readonly requests?: readonly PlainRequest[];
}

export type Journey<Shared = undefined, Own = undefined> =
  | JourneyBody<Shared, Own>
  | readonly PlainRequest[]
  | JourneyDefinition<Shared, Own>;

/** A stage moves in a straight line, in rungs, from the load before it to its own; the first begins at none. */
export interface Stage {
  readonly duration: number | string;
  /** Users at its end, or journeys begun per second. */
  readonly target: number;
}

/** What the command line's load options say, in the file; options given there win. */
export interface ScenarioLoad {
  /** Users per step; each goes from journey to journey. */
  readonly users?: number | readonly number[];
  /** Journeys begun per second, per step, whatever the answers take. */
  readonly rate?: number | readonly number[];
  /** Users who come and go along these stages. */
  readonly stages?: readonly Stage[];
  /** The same for journeys begun per second. */
  readonly rateStages?: readonly Stage[];
  readonly step?: number | string;
  readonly warmup?: number | string;
  readonly arrivals?: 'poisson' | 'constant';
}

export interface ScenarioSpec<Shared, Own> {
  /** Where the load goes, unless the command line says. */
  readonly url?: string;
  /** On every request. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly thinkTime?: ThinkTime;
  readonly load?: ScenarioLoad;
  /** As those of `--target`. */
  readonly targets?: readonly string[];
  /** Once, before the load; what it sends is not measured. */
  readonly setup?: (client: Client) => Promise<Shared> | Shared;
  /** Once a user, before the first journey; measured like the rest. */
  readonly userSetup?: (user: User<Shared>) => Promise<Own> | Own;
  readonly journeys: Readonly<Record<string, Journey<Shared, Own>>>;
}

export interface Scenario<Shared = unknown, Own = unknown> extends ScenarioSpec<Shared, Own> {
  readonly kind: 'scenario';
}
