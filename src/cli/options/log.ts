import { parseDuration } from '../parse-values.ts';
import { OF_LOG } from './applies.ts';
import { define, text } from './definition.ts';

/** Options about reading a log. */
export const LOG_OPTIONS = {
  format: define({
    flags: '--format <name>',
    applies: OF_LOG,
    group: 'Log',
    description:
      'log format: a name of the list, or an nginx log_format or Apache LogFormat string in quotes',
    parse: text,
    fallback: 'auto',
  }),
  window: define({
    flags: '--window <rule>',
    applies: OF_LOG,
    group: 'Log',
    description: 'part of the log to model: busiest:15m, all, or FROM..TO',
    parse: text,
    fallback: 'busiest:15m',
  }),
  sessionTimeout: define({
    flags: '--session-timeout <duration>',
    applies: OF_LOG,
    group: 'Log',
    description: 'a longer pause of a client begins a new session',
    parse: (value) => parseDuration('--session-timeout', value),
    fallback: 1800,
    fallbackText: '30m',
  }),
  routes: define({
    flags: '--routes <file>',
    applies: OF_LOG,
    group: 'Log',
    description: 'routes that come before what is learned: a routes file, or an OpenAPI document',
    parse: text,
  }),
  keepValues: define<boolean>({
    flags: '--keep-values',
    applies: OF_LOG,
    group: 'Log',
    description: 'keep values that look like secrets or personal data',
  }),
  verify: define<boolean>({
    flags: '--verify',
    group: 'Log',
    description: 'run the model on a virtual clock and show what it sends beside the log',
  }),
} as const;
