import { ShiploadError } from '../errors.ts';
import type { Distribution } from '../model/distribution.ts';
import type { PlannedRequest } from '../model/load.ts';
import { didYouMean } from '../stats/did-you-mean.ts';
import { secondsOf, thinkTimeOf } from '../stats/duration-text.ts';
import { durationSampler, type Random, weightedSampler } from '../stats/random.ts';
import { composeRequest } from './compose-request.ts';
import { routeName } from './route-name.ts';
import type { JourneyBody, JourneyDefinition, PlainRequest, Scenario, ThinkTime } from './types.ts';

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

const FIELDS = ['kind', 'url', 'headers', 'thinkTime', 'load', 'targets', 'setup', 'userSetup', 'journeys'];
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
  const journeys = Object.entries(spec.journeys).map(([name, journey]) =>
    compileJourney(name, journey, spec.thinkTime, prepared),
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

function requireScenario(exported: unknown): Scenario {
  if (!isRecord(exported) || exported['kind'] !== 'scenario')
    throw wrong(
      'default',
      'the file exports no scenario',
      'End it with: export default scenario({ journeys: { … } })',
    );
  requireFields('scenario', exported, FIELDS);
  const spec = exported as unknown as Scenario;
  if (!isRecord(spec.journeys) || Object.keys(spec.journeys).length === 0)
    throw wrong('journeys', 'a scenario needs journeys, by name');
  for (const name of ['setup', 'userSetup'] as const)
    if (spec[name] !== undefined && typeof spec[name] !== 'function') throw wrong(name, 'is no function');
  if (spec.headers !== undefined) requireTexts('headers', spec.headers);
  return spec;
}

function compileJourney(
  name: string,
  journey: unknown,
  usualThinkTime: ThinkTime | undefined,
  prepared: PreparedRequests,
): CompiledJourney {
  const where = `journeys.${name}`;
  const definition = definitionOf(where, journey);
  const { weight = 1, run, requests, thinkTime = usualThinkTime } = definition;
  if (!(Number.isFinite(weight) && weight > 0))
    throw wrong(`${where}.weight`, `${String(weight)} is no positive number`);
  if ((run === undefined) === (requests === undefined))
    throw wrong(where, 'a journey has either run or requests');
  if (run !== undefined && typeof run !== 'function') throw wrong(`${where}.run`, 'is no function');
  const think = thinkTime === undefined ? undefined : thinkTimeFrom(where, thinkTime);
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

/** The think time of a scenario's field. Throws `scenario-invalid`. */
export function thinkTimeFrom(where: string, time: ThinkTime): Distribution {
  const distribution =
    typeof time === 'number' ? thinkTimeOf(Number.isFinite(time) ? `${time}s` : '') : thinkTimeOf(time);
  if (distribution !== undefined) return distribution;
  throw wrong(where, `"${time}" is no think time such as 2, '2s', '1s..3s' or 'exp:2s'`);
}

/** Seconds of a scenario's field. Throws `scenario-invalid`. */
export function secondsFrom(where: string, time: number | string, allowZero = false): number {
  const seconds = typeof time === 'number' ? time : secondsOf(time);
  if (Number.isFinite(seconds) && (seconds > 0 || (allowZero && seconds === 0))) return seconds;
  throw wrong(where, `"${time}" is no duration such as 60, '60s' or '500ms'`);
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
    const { method, name, target: written, ...options } = plain;
    if (!/^[A-Z]+$/.test(method)) throw wrong(`${where}.method`, `"${method}" is no method`);
    const { target, headers: own, body } = composed(where, written, options);
    const headers = { ...this.#headers, ...own };
    const route = name ?? routeName(target);
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

function composed(where: string, target: string, options: Omit<PlainRequest, 'method' | 'target' | 'name'>) {
  try {
    return composeRequest(target, options, NO_ORIGIN);
  } catch (error) {
    if (!(error instanceof ShiploadError)) throw error;
    throw new ShiploadError(error.code, error.message.replace(NO_ORIGIN, 'the service'), {
      where,
      ...(error.hint !== undefined && { hint: error.hint }),
    });
  }
}

function requireTexts(where: string, record: unknown): void {
  if (isRecord(record) && Object.values(record).every((value) => typeof value === 'string')) return;
  throw wrong(where, 'are texts by name');
}

/** Throws `scenario-invalid` for the first field that is not known. */
export function requireFields(where: string, record: object, known: readonly string[]): void {
  for (const name of Object.keys(record))
    if (!known.includes(name))
      throw wrong(`${where}.${name}`, `there is no such field${didYouMean(name, known)}`);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const wrong = (where: string, message: string, hint?: string): ShiploadError =>
  new ShiploadError('scenario-invalid', message, { where, ...(hint !== undefined && { hint }) });
