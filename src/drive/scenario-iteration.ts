import type { Answer } from '../scenario/answer.ts';
import type { Feed } from '../scenario/feed.ts';
import type { HttpMethod, RequestOptions } from '../scenario/request-options.ts';
import type { ThinkTime, User } from '../scenario/types.ts';
import type { Random } from '../stats/random.ts';

/** What one run through a journey asks of its user. What an earlier run still asks for never comes. */
export interface IterationHost {
  readonly index: number;
  readonly random: Random;
  send(iteration: Iteration, method: HttpMethod, target: string, options: RequestOptions): Promise<Answer>;
  pause(iteration: Iteration, time: ThinkTime): Promise<void>;
  authorize(value: string): void;
  take(feed: Feed<unknown>): Promise<unknown>;
  group<Result>(iteration: Iteration, name: string, part: () => Promise<Result>): Promise<Result>;
}

const NO_OPTIONS: RequestOptions = {};

/** The user as its code sees it, for one run through a journey. */
export class Iteration implements User<unknown, unknown> {
  readonly iteration: number;
  readonly shared: unknown;
  own: unknown;
  readonly #user: IterationHost;

  constructor(user: IterationHost, iteration: number, own: unknown, shared: unknown) {
    this.#user = user;
    this.iteration = iteration;
    this.own = own;
    this.shared = shared;
  }

  get index(): number {
    return this.#user.index;
  }

  /** Not `async`, which would add two turns of the microtask queue to every request. */
  request(method: HttpMethod, target: string, options: RequestOptions = NO_OPTIONS): Promise<Answer> {
    try {
      return this.#user.send(this, method, target, options);
    } catch (error) {
      return Promise.reject(error);
    }
  }
  get(target: string, options?: RequestOptions): Promise<Answer> {
    return this.request('GET', target, options);
  }
  head(target: string, options?: RequestOptions): Promise<Answer> {
    return this.request('HEAD', target, options);
  }
  post(target: string, options?: RequestOptions): Promise<Answer> {
    return this.request('POST', target, options);
  }
  put(target: string, options?: RequestOptions): Promise<Answer> {
    return this.request('PUT', target, options);
  }
  patch(target: string, options?: RequestOptions): Promise<Answer> {
    return this.request('PATCH', target, options);
  }
  delete(target: string, options?: RequestOptions): Promise<Answer> {
    return this.request('DELETE', target, options);
  }
  bearer(token: string): void {
    this.#user.authorize(`Bearer ${token}`);
  }
  basic(name: string, password: string): void {
    this.#user.authorize(`Basic ${Buffer.from(`${name}:${password}`, 'utf8').toString('base64')}`);
  }
  async pause(time: ThinkTime): Promise<void> {
    return this.#user.pause(this, time);
  }
  random(): number {
    return this.#user.random.next();
  }
  integer(from: number, to: number): number {
    if (!Number.isInteger(from) || !Number.isInteger(to) || from > to)
      throw new RangeError(`integer(${from}, ${to}): two whole numbers are needed, the lower first`);
    return from + Math.floor(this.random() * (to - from + 1));
  }
  pick<Element>(elements: readonly Element[]): Element {
    if (elements.length === 0) throw new RangeError('pick: the list is empty');
    return elements[Math.floor(this.random() * elements.length)]!;
  }
  take<Row>(feed: Feed<Row>): Promise<Row> {
    return this.#user.take(feed) as Promise<Row>;
  }
  group<Result>(name: string, part: () => Promise<Result>): Promise<Result> {
    return this.#user.group(this, name, part);
  }
}
