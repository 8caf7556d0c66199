import { ShiploadError } from '../errors.ts';
import type { AgentsRequest } from '../session/agents-load.ts';
import { type BrokerRequest, readBrokerAccess } from '../session/broker-request.ts';
import { readSigningKey } from '../session/team-keys.ts';
import type { OptionName, OptionValues } from './options/index.ts';
import type { RunInput } from './run-input.ts';

/** How the broker is reached; undefined without `--nats`. */
export function brokerRequest({
  nats,
  creds,
  tlsCa,
  tlsCert,
  tlsKey,
}: OptionValues): BrokerRequest | undefined {
  if (nats === undefined) return undefined;
  return {
    url: nats,
    ...(creds !== undefined && { credsPath: creds }),
    ...(tlsCa !== undefined && { caPath: tlsCa }),
    ...(tlsCert !== undefined && { certPath: tlsCert }),
    ...(tlsKey !== undefined && { keyPath: tlsKey }),
  };
}

const OF_AGENTS = [
  'nats',
  'sign',
  'onAgentLoss',
  'agentsTimeout',
  'countersFrom',
  'creds',
  'tlsCa',
  'tlsCert',
  'tlsKey',
] as const;

/**
 * The machines that make the load; undefined: this process does. Throws `option-invalid` for what agents cannot do, and
 * for a load that cannot be given to them.
 */
export async function agentsRequest(
  options: OptionValues,
  { load: { plan }, service }: Pick<RunInput, 'load' | 'service'>,
): Promise<AgentsRequest | undefined> {
  const { agents: count, sign, onAgentLoss = 'abort', agentsTimeout, countersFrom } = options;
  if (count === undefined) {
    const idle: OptionName | undefined = OF_AGENTS.find((name) => options[name] !== undefined);
    if (idle === undefined) return undefined;
    const isOfService = idle === 'tlsCa' || idle === 'tlsCert' || idle === 'tlsKey';
    throw misplaced(
      '--agents',
      'is missing: how many agents shall make the load?',
      isOfService ? 'The certificates of the service are --cacert, --cert and --key.' : undefined,
    );
  }
  const broker = brokerRequest(options);
  if (broker === undefined) throw misplaced('--nats', 'is missing: where is the broker of the agents?');
  if (sign === undefined)
    throw misplaced(
      '--sign',
      'is missing: agents follow signed orders only',
      'shipload agent --make-key team makes a pair of keys.',
    );
  if ((options.generators ?? 1) > 1)
    throw misplaced(
      '--generators',
      'is for this process; an agent makes its load on one core: start one a core',
    );
  if (plan.growth !== undefined)
    throw misplaced(
      '--agents',
      'a load that goes on by what was measured (search, stress, --extend) is made by one generator',
    );
  if (service.socketPath !== undefined) throw misplaced('--unix-socket', 'is of this machine alone');
  if (options.samples === true) throw misplaced('--samples', 'one row a request is not sent by agents');
  if (options.pin !== undefined) throw misplaced('--pin', 'is for this process');
  await readBrokerAccess(broker); // what is wrong with its files is said before anything starts
  return {
    broker,
    key: await readSigningKey(sign),
    count,
    onLoss: onAgentLoss,
    ...(agentsTimeout !== undefined && { seconds: agentsTimeout }),
    ...(countersFrom !== undefined && { countersFrom }),
  };
}

const misplaced = (where: string, why: string, hint?: string): ShiploadError =>
  new ShiploadError('option-invalid', `${where} ${why}`, { where, ...(hint !== undefined && { hint }) });
