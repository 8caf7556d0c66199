import { ShiploadError } from '../errors.ts';
import type { Distribution } from '../model/distribution.ts';
import type { PlannedRequest } from '../model/load.ts';
import { durationSampler, type Random, weightedSampler } from '../stats/random.ts';
import { composeRequest } from './compose-request.ts';
import { requireMethod } from './require-options.ts';
import { requireFields, requireScenario, wrong } from './require-scenario.ts';
import { routeName } from './route-name.ts';
import { thinkTimeFrom } from './times.ts';
import type { JourneyBody, JourneyDefinition, PlainRequest, Scenario } from './types.ts';
import { isRecord } from '../stats/is-record.ts';

/** One journey, checked. Plain ones are indices into the scenario's prepared requests. */
export interface CompiledJourney {
  readonly name: string;
  readonly weight: number;
  readonly thinkTime?: Distribution;
  readonly drawThinkSeconds?: (random: Random) => number;
  readonly run?: JourneyBody<unknown, unknown>;
  readonly plain?: readonly { readonly requestIndex: number; readonly target: string }[];
}

/** A scenario that can be run. */
export interface CompiledScenario {
  readonly journeys: readonly CompiledJourney[];
  readonly draw: (random: Random) => number;
  /** What its plain journeys send, laid out once. */
  readonly requests: readonly PlannedRequest[];
  readonly headers: Readonly<Record<string, string>>;
  readonly spec: Scenario;
}

const JOURNEY_FIELDS = ['weight', 'thinkTime', 'run', 'requests'];
const PLAIN_FIELDS = ['method', 'target', 'name', 'headers', 'query', 'json', 'form', 'body'];
/** Plain requests are composed before the url is known; theirs are paths. */
const NO_ORIGIN = 'http://service.invalid';

/**
 * Checks what a scenario file exports and prepares it. Throws `scenario-invalid` that names the field, for unknown
 * fields, weights that are no positive numbers, journeys that are neither functions nor lists.
 */
export function compileScenario(exported: unknown): CompiledScenario {
  const spec = requireScenario(exported);
  const prepared = new PreparedRequests(spec.headers ?? {});
  const usualThinkTime =
    spec.thinkTime === undefined ? undefined : thinkTimeFrom('thinkTime', spec.thinkTime);
  const journeys = Object.entries(spec.journeys).map(([name, journey]) =>
    compileJourney(name, journey, usualThinkTime, prepared),
  );
  const total = journeys.reduce((sum, { weight }) => sum + weight, 0);
  const perRun = journeys.map(({ weight, plain = [] }) => ({ weight: weight / total, plain }));
  return {
    journeys,
    draw: weightedSampler(journeys.map(({ weight }) => weight)),
    requests: prepared.withShares(perRun),
    headers: spec.headers ?? {},
    spec,
  };
}

function compileJourney(
  name: string,
  journey: unknown,
  usualThinkTime: Distribution | undefined,
  prepared: PreparedRequests,
): CompiledJourney {
  const where = `journeys.${name}`;
  const definition = definitionOf(where, journey);
  const { weight = 1, run, requests, thinkTime } = definition;
  if (!(Number.isFinite(weight) && weight > 0))
    throw wrong(`${where}.weight`, `${String(weight)} is no positive number`);
  if ((run === undefined) === (requests === undefined))
    throw wrong(where, 'a journey has either run or requests');
  if (run !== undefined && typeof run !== 'function') throw wrong(`${where}.run`, 'is no function');
  const think = thinkTime === undefined ? usualThinkTime : thinkTimeFrom(`${where}.thinkTime`, thinkTime);
  return {
    name,
    weight,
    ...(think !== undefined && { thinkTime: think, drawThinkSeconds: durationSampler(think) }),
    ...(run !== undefined && { run }),
    ...(requests !== undefined && { plain: compilePlain(where, requests, prepared) }),
  };
}

function definitionOf(where: string, journey: unknown): JourneyDefinition<unknown, unknown> {
  if (typeof journey === 'function') return { run: journey as JourneyBody<unknown, unknown> };
  if (Array.isArray(journey)) return { requests: journey as readonly PlainRequest[] };
  if (!isRecord(journey)) throw wrong(where, 'is neither a function nor a list of requests');
  requireFields(where, journey, JOURNEY_FIELDS);
  return journey;
}

function compilePlain(where: string, requests: unknown, prepared: PreparedRequests) {
  if (!Array.isArray(requests) || requests.length === 0)
    throw wrong(where, 'a journey needs at least one request');
  return requests.map((request: unknown, i) => {
    const place = `${where}.requests[${i}]`;
    if (!isRecord(request)) throw wrong(place, "is no request; write get('/path')");
    requireFields(place, request, PLAIN_FIELDS);
    return prepared.add(place, request as unknown as PlainRequest);
  });
}

/** Plain requests by what is sent: those that differ only in their target are one class. */
class PreparedRequests {
  readonly #classes: {
    key: string;
    request: Omit<PlannedRequest, 'targets' | 'shareRatio'>;
    targets: string[];
  }[] = [];
  readonly #headers: Readonly<Record<string, string>>;

  constructor(headers: Readonly<Record<string, string>>) {
    this.#headers = headers;
  }

  add(where: string, plain: PlainRequest): { readonly requestIndex: number; readonly target: string } {
    const { method, target: written, ...options } = plain;
    const { target, headers: own, body } = composed(where, method, written, options);
    const headers = { ...this.#headers, ...own };
    const route = options.name ?? routeName(target);
    const text = typeof body === 'string' || body === undefined ? body : new TextDecoder().decode(body);
    const key = JSON.stringify([method, route, headers, text]);
    let requestIndex = this.#classes.findIndex((known) => known.key === key);
    if (requestIndex === -1) {
      const sameName = this.#classes.filter(
        ({ request }) => request.method === method && request.route === route,
      );
      const id = `${method} ${route}${sameName.length === 0 ? '' : ` (${sameName.length + 1})`}`;
      const sent = {
        ...(Object.keys(headers).length > 0 && { headers }),
        ...(text !== undefined && { body: text }),
      };
      requestIndex = this.#classes.push({ key, request: { id, method, route, ...sent }, targets: [] }) - 1;
    }
    const { targets } = this.#classes[requestIndex]!;
    if (!targets.includes(target)) targets.push(target);
    return { requestIndex, target };
  }

  /** With each class's share of what the plain journeys send. */
  withShares(
    journeys: readonly {
      readonly weight: number;
      readonly plain: readonly { readonly requestIndex: number }[];
    }[],
  ): readonly PlannedRequest[] {
    const counts = this.#classes.map((_, i) =>
      journeys.reduce(
        (sum, { weight, plain }) =>
          sum + weight * plain.filter(({ requestIndex }) => requestIndex === i).length,
        0,
      ),
    );
    const total = counts.reduce((sum, count) => sum + count, 0);
    return this.#classes.map(({ request, targets }, i) => ({
      ...request,
      shareRatio: counts[i]! / total,
      targets: { draw: 'uniform', targets, distinctCount: targets.length },
    }));
  }
}

function composed(
  where: string,
  method: string,
  target: string,
  options: Omit<PlainRequest, 'method' | 'target'>,
) {
  try {
    requireMethod(method);
    return composeRequest(target, options, NO_ORIGIN);
  } catch (error) {
    if (!(error instanceof ShiploadError)) throw error;
    throw new ShiploadError(error.code, error.message.replace(NO_ORIGIN, 'the service'), {
      where,
      ...(error.hint !== undefined && { hint: error.hint }),
    });
  }
}
