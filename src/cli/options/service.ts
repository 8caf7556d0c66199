import { parseCount, parseDuration, parsePositive, parseUrl } from '../parse-values.ts';
import { define, text } from './definition.ts';

/** Options about the service: where it is, how it starts, what is watched. */
export const SERVICE_OPTIONS = {
  url: define({
    flags: '--url <url>',
    group: 'Service',
    description: 'where the load goes: this machine, or what is proven yours (allow, init --own)',
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
  container: define({
    flags: '--container <name>',
    group: 'Service',
    description:
      'a docker or podman container of this machine: its address counts as own, its process is watched',
    parse: text,
  }),
  cores: define({
    flags: '--cores <m>',
    group: 'Service',
    description: 'cores the service can use (m in U = busy/(T·m)); found out when not given',
    parse: (value) => parsePositive('--cores', value),
  }),
} as const;
