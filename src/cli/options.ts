import { Option } from 'commander';
import { LOAD_SHAPES } from '../load/shapes/index.ts';
import {
  parseCount,
  parseDuration,
  parseHeader,
  parseLoads,
  parsePositive,
  parseRatio,
  parseThinkTime,
  parseUrl,
} from './parse-values.ts';

interface OptionDefinition<Value> {
  readonly flags: string;
  readonly group: string;
  readonly description: string;
  /** From the text given to the value. Options without it are switches. */
  readonly parse?: (text: string) => Value;
  /** For options that may be given several times: each occurrence; the value is the list. */
  readonly parseEach?: (text: string) => unknown;
  readonly fallback?: Value;
  /** The fallback as a reader would write it. */
  readonly fallbackText?: string;
}

const define = <Value>(definition: OptionDefinition<Value>): OptionDefinition<Value> => definition;
const defineList = <Element>(
  definition: OptionDefinition<readonly Element[]> & { readonly parseEach: (text: string) => Element },
): OptionDefinition<readonly Element[]> => definition;
const text = (value: string): string => value;

/** Every option of every command: flags, help, parsing and defaults in one place. */
export const OPTIONS = {
  format: define({
    flags: '--format <name>',
    group: 'Log',
    description:
      'log format: a name of the list, or an nginx log_format or Apache LogFormat string in quotes',
    parse: text,
    fallback: 'auto',
  }),
  window: define({
    flags: '--window <rule>',
    group: 'Log',
    description: 'part of the log to model: busiest:15m, all, or FROM..TO',
    parse: text,
    fallback: 'busiest:15m',
  }),
  sessionTimeout: define({
    flags: '--session-timeout <duration>',
    group: 'Log',
    description: 'a longer pause of a client begins a new session',
    parse: (value) => parseDuration('--session-timeout', value),
    fallback: 1800,
    fallbackText: '30m',
  }),
  routes: define({
    flags: '--routes <file>',
    group: 'Log',
    description: 'routes that come before what is learned: a routes file, or an OpenAPI document in JSON',
    parse: text,
  }),
  keepValues: define<boolean>({
    flags: '--keep-values',
    group: 'Log',
    description: 'keep values that look like secrets or personal data',
  }),
  verify: define<boolean>({
    flags: '--verify',
    group: 'Log',
    description: 'run the model on a virtual clock and show what it sends beside the log',
  }),
  url: define({
    flags: '--url <url>',
    group: 'Service',
    description: 'where the load goes (this machine only)',
    parse: (value) => parseUrl('--url', value),
  }),
  start: define({
    flags: '--start <command>',
    group: 'Service',
    description: 'start the service with this command, stop it at the end',
    parse: text,
  }),
  ready: define({
    flags: '--ready <path>',
    group: 'Service',
    description: 'path that answers when the service is ready',
    parse: text,
    fallback: '/',
  }),
  readyTimeout: define({
    flags: '--ready-timeout <duration>',
    group: 'Service',
    description: 'how long the service may take to get ready',
    parse: (value) => parseDuration('--ready-timeout', value),
    fallback: 30,
    fallbackText: '30s',
  }),
  pid: define({
    flags: '--pid <n>',
    group: 'Service',
    description: 'process to watch, with its children',
    parse: (value) => parseCount('--pid', value),
  }),
  port: define({
    flags: '--port <n>',
    group: 'Service',
    description: 'watch the process that listens on this port',
    parse: (value) => parseCount('--port', value),
  }),
  cores: define({
    flags: '--cores <m>',
    group: 'Service',
    description: 'cores the service can use (m in U = busy/(T·m)); found out when not given',
    parse: (value) => parsePositive('--cores', value),
  }),
  shape: define({
    flags: '--shape <name>',
    group: 'Load',
    description: `load shape: ${LOAD_SHAPES.map((shape) => shape.name).join(', ')}`,
    parse: text,
    fallback: 'steps',
  }),
  users: define({
    flags: '--users <list>',
    group: 'Load',
    description: "users per step, as 1,25,50 (default: a ladder up to 1.5 times the log's active users)",
    parse: (value) => parseLoads('--users', value),
  }),
  usersPerSecond: define({
    flags: '--users-per-second <n>',
    group: 'Load',
    description: 'how fast users join',
    parse: (value) => parsePositive('--users-per-second', value),
    fallback: 50,
  }),
  step: define({
    flags: '--step <duration>',
    group: 'Load',
    description: 'length of a step, warm-up included',
    parse: (value) => parseDuration('--step', value),
    fallback: 60,
    fallbackText: '60s',
  }),
  warmup: define({
    flags: '--warmup <duration>',
    group: 'Load',
    description: 'part of each step that is not measured',
    parse: (value) => parseDuration('--warmup', value, true),
    fallback: 20,
    fallbackText: '20s',
  }),
  isolateStep: define({
    flags: '--isolate-step <duration>',
    group: 'Load',
    description: 'length of an isolated route, a fifth of it warm-up',
    parse: (value) => parseDuration('--isolate-step', value),
    fallback: 15,
    fallbackText: '15s',
  }),
  think: define({
    flags: '--think <time>',
    group: 'Load',
    description: "think time: 2s, 1s..3s or exp:2s (default: the log's own)",
    parse: (value) => parseThinkTime('--think', value),
  }),
  timeout: define({
    flags: '--timeout <duration>',
    group: 'Request',
    description: 'a request that takes longer counts as a timeout',
    parse: (value) => parseDuration('--timeout', value),
    fallback: 30,
    fallbackText: '30s',
  }),
  header: defineList({
    flags: '-H, --header <line>',
    group: 'Request',
    description: "header for every request, as 'Name: value' (repeatable)",
    parseEach: (value) => parseHeader('--header', value),
  }),
  unixSocket: define({
    flags: '--unix-socket <path>',
    group: 'Request',
    description: 'send to this socket; the url gives host and paths',
    parse: text,
  }),
  target: defineList({
    flags: '--target <goal>',
    group: 'Judging',
    description: "a goal such as 'p95 of /search <= 200 ms at 200 users' (repeatable)",
    parseEach: text,
  }),
  margin: define({
    flags: '--margin <share>',
    group: 'Judging',
    description: 'how far inside its limit a figure must lie to pass',
    parse: (value) => parseRatio('--margin', value),
    fallback: 0.1,
    fallbackText: '10%',
  }),
  whatIf: defineList({
    flags: '--what-if <change>',
    group: 'Judging',
    description: "predict under a change: 'D(/search)*0.02', 'cores=2' or 'pool=16' (repeatable)",
    parseEach: text,
  }),
  smoke: define<boolean>({
    flags: '--smoke',
    group: 'Judging',
    description: 'run the peak step only, as a test for every build',
  }),
  isolate: define<boolean>({
    flags: '--no-isolate',
    group: 'Judging',
    description: 'do not run each route alone when the run fails',
  }),
  samples: define<boolean>({
    flags: '--samples',
    group: 'Recording',
    description: 'write one row a request to requests.csv',
  }),
  seed: define({
    flags: '--seed <n>',
    group: 'Recording',
    description: 'seed of all random draws',
    parse: (value) => parseCount('--seed', value, 0),
    fallback: 7,
  }),
  label: define({
    flags: '--label <name>',
    group: 'Recording',
    description: 'name of the run: short for -o runs/<name>',
    parse: text,
  }),
  out: define({
    flags: '-o, --out <path>',
    group: 'Recording',
    description: 'run folder or file to write',
    parse: text,
  }),
  as: define({
    flags: '--as <name>',
    group: 'Output',
    description: 'form of the report',
    parse: text,
    fallback: 'text',
  }),
  fix: define({
    flags: '--fix <text>',
    group: 'Output',
    description: 'what was changed between the runs, for the record',
    parse: text,
  }),
  before: defineList({
    flags: '--before <runs...>',
    group: 'Compare',
    description: 'runs before the change, several for a tested difference',
    parseEach: text,
  }),
  after: defineList({
    flags: '--after <runs...>',
    group: 'Compare',
    description: 'runs after the change; interleave them with those before',
    parseEach: text,
  }),
  cache: define<boolean>({
    flags: '--cache',
    group: 'Demo',
    description: 'start with the result cache on: must end in pass',
  }),
  full: define<boolean>({
    flags: '--full',
    group: 'Demo',
    description: 'steps of 60 s, as one would run them for real',
  }),
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
  service: ['url', 'start', 'ready', 'readyTimeout', 'pid', 'port', 'cores', 'unixSocket'],
  request: ['header', 'timeout'],
} as const satisfies Record<string, readonly OptionName[]>;

/** The commander option of a definition. */
export function commanderOption(definition: OptionDefinition<unknown>): Option {
  const option = new Option(definition.flags, definition.description).helpGroup(`${definition.group}:`);
  const { parse, parseEach } = definition;
  if (parseEach !== undefined) {
    option.argParser((value: string, before: readonly unknown[] | undefined) => [
      ...(before ?? []),
      parseEach(value),
    ]);
  } else if (parse !== undefined) {
    option.argParser(parse);
  }
  if (definition.fallback !== undefined) option.default(definition.fallback, definition.fallbackText);
  return option;
}
