import { randomBytes } from 'node:crypto';
import { ShiploadError } from '../errors.ts';
import type { Clock } from '../host/host.ts';
import type { AgentIdentity } from './agent.ts';
import type { Bus } from './bus.ts';
import { every, sleep } from './deadline.ts';
import { LIMITS } from './limits.ts';
import { decode, encode, type Hello, helloSchema } from './messages.ts';
import { SUBJECTS } from './subjects.ts';

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
 * `agents-not-ready` when the time is over, naming who answered and what was wrong with them; at once where enough
 * are there but some are of another build, which waiting does not mend.
 */
export async function callAgents(call: RollCall): Promise<readonly Hello[]> {
  const { bus, clock, count, seconds } = call;
  const answers = new Map<string, Hello>();
  const callId = randomBytes(8).toString('hex');
  const endSubscription = bus.subscribe(SUBJECTS.hello(callId), ({ data }) => {
    const hello = decode(helloSchema, data);
    if (hello !== undefined) answers.set(hello.agentId, hello);
  });
  const ask = (): void => bus.publish(SUBJECTS.call, encode({ callId }));
  ask();
  const asking = every(clock, LIMITS.callEverySeconds, ask);
  try {
    const untilSeconds = clock.nowSeconds() + seconds;
    let saidCount = -1;
    for (;;) {
      await sleep(clock, LIMITS.callGraceSeconds);
      const all = [...answers.values()];
      const fit = all.filter((hello) => unfitness(hello, call) === undefined);
      if (fit.length >= count) return inOrder(fit).slice(0, count);
      const isHopeless = all.filter(({ isBusy }) => !isBusy).length >= count;
      if (isHopeless || clock.nowSeconds() >= untilSeconds || call.signal?.aborted === true)
        throw tooFew(fit.length, all, call, isHopeless);
      if (fit.length !== saidCount)
        call.say(`Waiting for load agents: ${(saidCount = fit.length)} of ${count} are ready`);
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

/** Why an agent cannot take part; undefined: it can. */
function unfitness({ version, buildHash, isBusy }: Hello, { build }: RollCall): string | undefined {
  if (version !== build.version) return `is version ${version}, this is ${build.version}`;
  if (buildHash !== build.buildHash)
    return `is another build of ${version} (${buildHash.slice(0, 12)}, this is ${build.buildHash.slice(0, 12)})`;
  return isBusy ? 'has another run' : undefined;
}

function tooFew(fitCount: number, all: readonly Hello[], call: RollCall, isHopeless: boolean): ShiploadError {
  const reasons = inOrder(all).flatMap((hello) => {
    const why = unfitness(hello, call);
    return why === undefined ? [] : [`${hello.name} ${why}`];
  });
  const when = isHopeless
    ? ''
    : call.signal?.aborted === true
      ? ' when it was stopped'
      : ` within ${call.seconds} s`;
  const why = reasons.length === 0 ? '' : ` (${reasons.join('; ')})`;
  return new ShiploadError(
    'agents-not-ready',
    `${fitCount} of ${call.count} load agents are ready${when}${why}`,
    {
      where: '--agents',
      hint:
        reasons.length === 0
          ? 'Start them with: shipload agent --nats URL --trust KEY.pub'
          : 'Install the same build of shipload on every machine; a run is never mixed.',
    },
  );
}
