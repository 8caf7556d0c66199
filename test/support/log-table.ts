import type { LogTable } from '../../src/model/log-table.ts';
import { createRandom, drawExponential, drawNormal, type Random } from '../../src/stats/random.ts';

/** One request of a made-up log; what is not given is the first client, agent and `/page`, status 200. */
export interface MadeRequest {
  readonly at: number;
  readonly seconds?: number;
  readonly client?: string;
  readonly agent?: string;
  readonly user?: string;
  readonly target?: string;
  readonly status?: number;
  /** Target of the page that it comes from. */
  readonly referer?: string;
}

/** A table as reading a log would make it. */
export function tableOf(requests: readonly MadeRequest[], stampResolutionSeconds = 0.001): LogTable {
  const [clients, agents, targets, users] = [texts(), texts(''), texts(), texts('')];
  const refererTargetIds = requests.map(({ referer }) =>
    referer === undefined ? 0 : 1 + targets.idOf(referer),
  );
  const userIds = requests.map(({ user }) => users.idOf(user ?? ''));
  const table = {
    files: ['x.log'],
    format: 'simple',
    timestampMeaning: 'start' as const,
    stampResolutionSeconds,
    lines: { total: requests.length, blank: 0, comment: 0, ok: requests.length, badRequest: 0, unparsed: 0 },
    lineExamples: [],
    notices: [],
    rowCount: requests.length,
    atSeconds: requests.map(({ at }) => at),
    responseTimeSeconds: requests.map(({ seconds }) => seconds ?? NaN),
    status: requests.map(({ status }) => status ?? 200),
    methodIds: requests.map(() => 0),
    targetIds: requests.map(({ target }) => targets.idOf(target ?? '/page')),
    clientIds: requests.map(({ client }) => clients.idOf(client ?? 'c')),
    agentIds: requests.map(({ agent }) => agents.idOf(agent ?? '')),
    methods: ['GET'],
    targets: targets.list,
    clients: clients.list,
    agents: agents.list,
    ...(refererTargetIds.some((id) => id > 0) && { refererTargetIds }),
  };
  return users.list.length > 1 ? { ...table, userIds, users: users.list } : table;
}

function texts(...first: readonly string[]): { list: string[]; idOf(text: string): number } {
  const list = [...first];
  const ids = new Map(list.map((text, id) => [text, id]));
  const idOf = (text: string): number => {
    const id = ids.get(text) ?? list.length;
    if (id === list.length) list.push(text);
    ids.set(text, id);
    return id;
  };
  return { list, idOf };
}

/** Lognormal with the given mean and shape σ: exp(N(ln mean − σ²/2, σ)). */
export const drawLognormal = (random: Random, mean: number, sigma: number): number =>
  Math.exp(Math.log(mean) - sigma ** 2 / 2 + sigma * drawNormal(random));

const milliseconds = (seconds: number): number => Math.round(seconds * 1e3) / 1e3;

/**
 * One user who loops for `span` seconds: an answer after an exponential time, then a lognormal pause (σ = 1),
 * begun in the middle of a pause so that the log starts in its steady state.
 */
export function loopingUser(
  client: string,
  options: { readonly seconds: number; readonly pause: number; readonly span: number; readonly seed: number },
): MadeRequest[] {
  const random = createRandom(options.seed);
  const requests: MadeRequest[] = [];
  let at = random.next() * drawLognormal(random, options.pause, 1);
  while (at < options.span) {
    const seconds = milliseconds(drawExponential(random, options.seconds));
    requests.push({ at: milliseconds(at), client, seconds, target: `/item/${requests.length % 7}` });
    at += seconds + drawLognormal(random, options.pause, 1);
  }
  return requests;
}
