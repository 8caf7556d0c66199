import { agentManifest } from '../../agents/placing.ts';
import { EXIT, ShiploadError } from '../../errors.ts';
import { serveAgent } from '../../session/serve-agent.ts';
import { makeTeamKeys, readTrustedKey } from '../../session/team-keys.ts';
import { brokerRequest } from '../agents-request.ts';
import type { Command } from '../command.ts';
import { listenForInterrupts } from '../interrupts.ts';
import { OPTION_GROUPS } from '../options/index.ts';

/** How long an agent tries to reach the broker, where nobody says. */
const CONNECT_SECONDS = 60;

export const agent: Command = {
  name: 'agent',
  usage: '',
  summary: 'make load on this machine for runs elsewhere (run --agents); one agent a core',
  options: [
    ...OPTION_GROUPS.broker,
    'trust',
    'agentName',
    'once',
    'agentsTimeout',
    'makeKey',
    'manifest',
    'placed',
    'image',
  ],
  example: 'shipload agent --nats nats://10.0.0.1:4222 --trust team.pub',
  async run(_, options, { terminal, exitNow }) {
    if (options.makeKey !== undefined) {
      const { keyPath, pubPath } = await makeTeamKeys(options.makeKey);
      terminal.print(`${keyPath}\n${pubPath}`);
      terminal.say(
        `${keyPath} signs runs (run --sign): keep it. ${pubPath} goes to every agent (agent --trust).`,
      );
      return EXIT.done;
    }
    if (options.manifest !== undefined) {
      const { manifest, placed: agents = 4, image } = options;
      terminal.print(agentManifest(manifest, { agents, ...(image !== undefined && { image }) }));
      return EXIT.done;
    }
    for (const [name, flag] of [
      ['placed', '--agents'],
      ['image', '--image'],
    ] as const)
      if (options[name] !== undefined)
        throw missing(flag, `${flag} is for --manifest`, 'shipload agent is one agent: start one a core.');
    const broker = brokerRequest(options);
    if (broker === undefined)
      throw missing('--nats', 'where is the broker?', 'For example --nats nats://10.0.0.1:4222');
    const { trust = [], agentName } = options;
    if (trust.length === 0)
      throw missing(
        '--trust',
        'whose runs shall this agent make?',
        'Give the .pub file of: shipload agent --make-key team',
      );
    const trusted = await Promise.all(trust.map(readTrustedKey));
    const interrupts = listenForInterrupts(
      () => terminal.say('Ending: a run that goes on ends here and is told. Once more ends at once.'),
      () => exitNow(interrupts.exitCode() ?? EXIT.interrupted),
    );
    try {
      await serveAgent({
        broker,
        trusted,
        ...(agentName !== undefined && { name: agentName }),
        once: options.once === true,
        connectSeconds: options.agentsTimeout ?? CONNECT_SECONDS,
        say: (text) => terminal.say(text),
        signal: interrupts.signal,
      });
    } finally {
      interrupts.release();
    }
    return interrupts.exitCode() ?? EXIT.done;
  },
};

const missing = (where: string, message: string, hint: string): ShiploadError =>
  new ShiploadError('option-invalid', message, { where, hint });
