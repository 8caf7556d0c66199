import type { HttpMethod, RequestOptions } from './request-options.ts';
import type { Journey, PlainRequest, Scenario, ScenarioSpec } from './types.ts';

/**
 * A scenario as a person writes it: journeys with weights, the data they share, and the load to put. The default
 * export of a scenario file. It is checked when it is opened, so that the message can name the file.
 */
export function scenario<Shared = undefined, Own = undefined>(
  spec: ScenarioSpec<Shared, Own>,
): Scenario<Shared, Own> {
  return { kind: 'scenario', ...spec };
}

/** A journey apart from its scenario, with the types of what `setup` and `userSetup` return. */
export const journey = <Shared = undefined, Own = undefined>(
  definition: Journey<Shared, Own>,
): Journey<Shared, Own> => definition;

const plain =
  (method: HttpMethod) =>
  (target: string, options: PlainOptions = {}): PlainRequest => ({ method, target, ...options });

/** What a plain request may say: all that is the same every time it is sent. */
export type PlainOptions = Pick<RequestOptions, 'name' | 'headers' | 'query' | 'json' | 'form' | 'body'>;

/** Requests that are always the same: they are laid out once, and cost what those of a log cost. */
export const get = plain('GET');
export const post = plain('POST');
export const put = plain('PUT');
export const patch = plain('PATCH');
export const del = plain('DELETE');
