import { type OptionDefinition, define } from './definition.ts';
import { AGENT_OPTIONS } from './agents.ts';
import { COMPARE_OPTIONS } from './compare.ts';
import { DEMO_OPTIONS } from './demo.ts';
import { IMPORT_OPTIONS } from './import.ts';
import { JUDGING_OPTIONS } from './judging.ts';
import { LOAD_OPTIONS } from './load.ts';
import { LOG_OPTIONS } from './log.ts';
import { OUTPUT_OPTIONS } from './output.ts';
import { RECORDING_OPTIONS } from './recording.ts';
import { REQUEST_OPTIONS } from './request.ts';
import { SAFETY_OPTIONS } from './safety.ts';
import { SERVICE_OPTIONS } from './service.ts';

export { commanderOption } from './definition.ts';

/** Every option of every command: flags, help, parsing and defaults in one place, by group. */
export const OPTIONS = {
  ...LOG_OPTIONS,
  ...SERVICE_OPTIONS,
  ...LOAD_OPTIONS,
  ...REQUEST_OPTIONS,
  ...JUDGING_OPTIONS,
  ...RECORDING_OPTIONS,
  ...OUTPUT_OPTIONS,
  ...COMPARE_OPTIONS,
  ...DEMO_OPTIONS,
  ...IMPORT_OPTIONS,
  ...SAFETY_OPTIONS,
  ...AGENT_OPTIONS,
} as const;

/** Options every command has. */
export const COMMON = {
  json: define<boolean>({
    flags: '--json',
    group: 'Output',
    description: 'one JSON document on stdout, all talk on stderr',
  }),
  quiet: define<boolean>({ flags: '--quiet', group: 'Output', description: 'no progress' }),
} as const;

export type OptionName = keyof typeof OPTIONS;
type ValueOf<Definition> = Definition extends OptionDefinition<infer Value> ? Value : never;

/** Parsed options by name. A command reads only those it declares. */
export type OptionValues = { readonly [Name in OptionName]?: ValueOf<(typeof OPTIONS)[Name]> } & {
  readonly [Name in keyof typeof COMMON]?: ValueOf<(typeof COMMON)[Name]>;
};

/** Options that go together, for the commands that take them. */
export const OPTION_GROUPS = {
  log: ['format', 'window', 'sessionTimeout', 'routes', 'keepValues'],
  service: [
    'url',
    'start',
    'ready',
    'readyTimeout',
    'pid',
    'port',
    'container',
    'cores',
    'metrics',
    'stats',
    'unixSocket',
    'resolve',
    'cacert',
    'cert',
    'key',
    'insecure',
    'tlsMin',
  ],
  load: [
    'shape',
    'users',
    'concurrency',
    'rate',
    'arrivals',
    'maxInFlight',
    'usersPerSecond',
    'step',
    'duration',
    'warmup',
    'think',
    'repeat',
    'against',
    'speed',
    'extend',
    'maxLoad',
    'precision',
    'maxErrors',
    'maxResponse',
  ],
  content: ['method', 'data', 'write', 'writeRatio'],
  judging: ['margin', 'prediction', 'smoke', 'confirm', 'isolate', 'isolateStep'],
  broker: ['nats', 'creds', 'tlsCa', 'tlsCert', 'tlsKey'],
  agents: ['agents', 'sign', 'onAgentLoss', 'agentsTimeout', 'countersFrom'],
  safety: ['maxUsers', 'maxRate', 'stopOnErrors'],
  results: ['resultFormat', 'users', 'concurrency', 'rate'],
  request: [
    'header',
    'timeout',
    'connectTimeout',
    'firstByteTimeout',
    'connections',
    'http',
    'http2',
    'streams',
    'compressed',
    'follow',
  ],
} as const satisfies Record<string, readonly OptionName[]>;
