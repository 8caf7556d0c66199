import { ShiploadError } from '../../errors.ts';
import { parseChoice, parseCount, parseDuration } from '../parse-values.ts';
import { define, defineList, text } from './definition.ts';

const MANIFESTS = ['k8s', 'compose'] as const;
const LOSS_POLICIES = ['abort', 'continue'] as const;

/** Options about load agents: who they are, how they are reached, whom they follow. */
export const AGENT_OPTIONS = {
  agents: define({
    flags: '--agents <n>',
    group: 'Agents',
    description:
      'make the load on so many agents (shipload agent) instead of in this process; needs --nats and --sign',
    parse: (value) => parseCount('--agents', value),
  }),
  nats: define({
    flags: '--nats <url>',
    group: 'Agents',
    description: 'broker of the agents: a NATS server with JetStream, nats://host:4222 or tls://host:4222',
    parse: text,
  }),
  creds: define({
    flags: '--creds <file>',
    group: 'Agents',
    description: 'credentials for the broker (a .creds file)',
    parse: text,
  }),
  tlsCa: define({
    flags: '--tls-ca <file>',
    group: 'Agents',
    description: "authority of the broker's certificate, PEM",
    parse: text,
  }),
  tlsCert: define({
    flags: '--tls-cert <file>',
    group: 'Agents',
    description: 'own certificate for the broker, PEM',
    parse: text,
  }),
  tlsKey: define({ flags: '--tls-key <file>', group: 'Agents', description: 'its key, PEM', parse: text }),
  sign: define({
    flags: '--sign <file>',
    group: 'Agents',
    description: 'private key that signs what the agents are told (shipload agent --make-key)',
    parse: text,
  }),
  onAgentLoss: define({
    flags: '--on-agent-loss <policy>',
    group: 'Agents',
    description: `what becomes of the run when an agent is lost: ${LOSS_POLICIES.join(' or ')}; its step is never valid`,
    parse: (value) => parseChoice('--on-agent-loss', value, LOSS_POLICIES),
    words: LOSS_POLICIES,
  }),
  agentsTimeout: define({
    flags: '--agents-timeout <duration>',
    group: 'Agents',
    description: 'how long to wait for enough agents, or as an agent for the broker (60s)',
    parse: (value) => parseDuration('--agents-timeout', value),
  }),
  countersFrom: define({
    flags: '--counters-from <agent>',
    group: 'Agents',
    description:
      'the agent nearest to the service reads its counters (--pid, --port, --metrics are of that machine)',
    parse: text,
  }),
  trust: defineList({
    flags: '--trust <file>',
    group: 'Agents',
    description: 'public key of those whose runs this agent makes; may be given again',
    parseEach: text,
  }),
  agentName: define({
    flags: '--name <name>',
    group: 'Agents',
    description: "name of this agent in results; missing: the machine's",
    parse: (value) => {
      if (/^[\w.-]{1,100}$/.test(value)) return value;
      throw new ShiploadError('option-invalid', `"${value}" is no name: letters, digits, dots and hyphens`, {
        where: '--name',
      });
    },
  }),
  once: define<boolean>({ flags: '--once', group: 'Agents', description: 'end after the first run' }),
  makeKey: define({
    flags: '--make-key <name>',
    group: 'Agents',
    description: 'write NAME.key, which signs runs, and NAME.pub, which agents trust, and end',
    parse: text,
  }),
  manifest: define({
    flags: '--manifest <kind>',
    group: 'Agents',
    description: `print a file that starts agents and a broker, ${MANIFESTS.join(' or ')}, and end`,
    parse: (value) => parseChoice('--manifest', value, MANIFESTS),
    words: MANIFESTS,
  }),
  placed: define({
    flags: '--agents <n>',
    group: 'Agents',
    description: 'how many agents --manifest starts (4)',
    parse: (value) => parseCount('--agents', value),
  }),
  image: define({
    flags: '--image <name>',
    group: 'Agents',
    description: 'container image with shipload in it, for --manifest',
    parse: (value) => {
      if (/^[\w.:/@-]{1,300}$/.test(value)) return value;
      throw new ShiploadError('option-invalid', `"${value}" is no name of an image`, {
        where: '--image',
        hint: 'For example registry.example.com/team/shipload:1.0',
      });
    },
  }),
} as const;
