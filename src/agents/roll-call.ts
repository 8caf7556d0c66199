import { randomBytes } from 'node:crypto';
import { ShiploadError } from '../errors.ts';
import type { Clock } from '../host/host.ts';
import type { AgentIdentity } from './agent.ts';
import type { Bus } from './bus.ts';
import { every, sleep } from './deadline.ts';
import { LIMITS } from './limits.ts';
import { decode, encode, type Hello, helloSchema } from './messages.ts';
import { SUBJECTS } from './subjects.ts';

interface Answer {
  readonly hello: Hello;
  /** When it came last. */
  readonly atSeconds: number;
}

export interface RollCall {
  readonly bus: Bus;
  readonly clock: Clock;
  /** What agents must be. */
  readonly build: Pick<AgentIdentity, 'version' | 'buildHash'>;
  readonly count: number;
  readonly seconds: number;
  readonly say: (text: string) => void;
  /** Aborted: nobody waits any longer. */
  readonly signal?: AbortSignal;
}

/**
 * Calls until `count` agents of this build have answered that are free, and takes the first by name. Throws
 * `agents-not-ready` when the time is over, naming who answered and what was wrong with them; sooner where enough
 * are there, some of another build, and no other has come for a while: waiting does not mend that.
 */
export async function callAgents(call: RollCall): Promise<readonly Hello[]> {
  const { bus, clock, count, seconds } = call;
  const answers = new Map<string, Answer>();
  const callId = randomBytes(8).toString('hex');
  let newestAtSeconds = clock.nowSeconds();
  const endSubscription = bus.subscribe(SUBJECTS.hello(callId), ({ data }) => {
    const hello = decode(helloSchema, data);
    if (hello === undefined) return;
    const atSeconds = clock.nowSeconds();
    if (!answers.has(hello.agentId)) newestAtSeconds = atSeconds;
    answers.set(hello.agentId, { hello, atSeconds });
  });
  const ask = (): void => bus.publish(SUBJECTS.call, encode({ callId }));
  ask();
  const asking = every(clock, LIMITS.callEverySeconds, ask);
  try {
    const untilSeconds = clock.nowSeconds() + seconds;
    let said = '';
    for (;;) {
      await sleep(clock, LIMITS.callGraceSeconds);
      const now = clock.nowSeconds();
      // One that answers no more is gone.
      const all = [...answers.values()].flatMap(({ hello, atSeconds }) =>
        now - atSeconds > LIMITS.answerSeconds ? [] : [hello],
      );
      const fit = all.filter((hello) => unfitness(hello, call) === undefined);
      if (fit.length >= count) return inOrder(fit).slice(0, count);
      const isHopeless =
        all.filter(({ isBusy }) => !isBusy).length >= count &&
        now - newestAtSeconds > LIMITS.rollQuietSeconds;
      if (isHopeless || now >= untilSeconds || call.signal?.aborted === true)
        throw tooFew(fit, all, call, isHopeless);
      const state = stateOf(fit, all, call);
      if (state !== said) call.say(`Waiting for load agents: ${(said = state)}`);
    }
  } finally {
    asking.stop();
    endSubscription();
  }
}

const inOrder = (agents: readonly Hello[]): readonly Hello[] =>
  agents.toSorted(
    (a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }) || (a.agentId < b.agentId ? -1 : 1),
  );

const isOfBuild = ({ version, buildHash }: Hello, { build }: RollCall): boolean =>
  version === build.version && buildHash === build.buildHash;

/** Why an agent cannot take part; undefined: it can. */
function unfitness(hello: Hello, call: RollCall): string | undefined {
  const { version, buildHash, isBusy } = hello;
  const { build } = call;
  if (version !== build.version) return `is version ${version}, this is ${build.version}`;
  if (!isOfBuild(hello, call))
    return `is another build of ${version} (${buildHash.slice(0, 12)}, this is ${build.buildHash.slice(0, 12)})`;
  return isBusy ? 'has another run' : undefined;
}

/** `2 of 4 are ready: l1, l2 (l3 has another run)`. */
function stateOf(fit: readonly Hello[], all: readonly Hello[], call: RollCall): string {
  const names =
    fit.length === 0
      ? ''
      : `: ${inOrder(fit)
          .map(({ name }) => name)
          .join(', ')}`;
  const reasons = reasonsOf(all, call);
  return `${fit.length} of ${call.count} are ready${names}${reasons.length === 0 ? '' : ` (${reasons.join('; ')})`}`;
}

const reasonsOf = (all: readonly Hello[], call: RollCall): readonly string[] =>
  inOrder(all).flatMap((hello) => {
    const why = unfitness(hello, call);
    return why === undefined ? [] : [`${hello.name} ${why}`];
  });

function tooFew(
  fit: readonly Hello[],
  all: readonly Hello[],
  call: RollCall,
  isHopeless: boolean,
): ShiploadError {
  const reasons = reasonsOf(all, call);
  const isMixed = all.some((hello) => !isOfBuild(hello, call));
  const when = isHopeless
    ? ''
    : call.signal?.aborted === true
      ? ' when it was stopped'
      : ` within ${call.seconds} s`;
  const why = reasons.length === 0 ? '' : ` (${reasons.join('; ')})`;
  return new ShiploadError(
    'agents-not-ready',
    `${fit.length} of ${call.count} load agents are ready${when}${why}`,
    {
      where: '--agents',
      hint: isMixed
        ? 'Install the same build of shipload on every machine; a run is never mixed.'
        : 'Start them with: shipload agent --nats URL --trust KEY.pub',
    },
  );
}
