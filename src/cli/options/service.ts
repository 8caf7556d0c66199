import {
  parseChoice,
  parseCount,
  parseDuration,
  parsePositive,
  parseUrl,
  parsePort,
} from '../parse-values.ts';
import { parseResolution } from '../parse-transport.ts';
import { OF_START } from './applies.ts';
import { define, defineList, text } from './definition.ts';

const TLS_VERSIONS = ['1.2', '1.3'] as const;

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
    applies: OF_START,
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
    parse: (value) => parsePort('--port', value),
  }),
  container: define({
    flags: '--container <name>',
    group: 'Service',
    description:
      'a docker or podman container of this machine: its address counts as own, its process is watched',
    parse: text,
  }),
  resolve: defineList({
    flags: '--resolve <host:port:address>',
    group: 'Service',
    description: 'lead a name at a port to this address, as curl does (repeatable)',
    parseEach: (value) => parseResolution('--resolve', value),
  }),
  cacert: define({
    flags: '--cacert <file>',
    group: 'Service',
    description: 'https: trust these certificates (PEM) instead of the system’s',
    parse: text,
  }),
  cert: define({
    flags: '--cert <file>',
    group: 'Service',
    description: 'https: show this client certificate (PEM)',
    parse: text,
  }),
  key: define({
    flags: '--key <file>',
    group: 'Service',
    description: 'https: the key of --cert (PEM)',
    parse: text,
  }),
  insecure: define<boolean>({
    flags: '--insecure',
    group: 'Service',
    description: 'https: do not check who answers; the record and the report say so',
  }),
  tlsMin: define<'1.2' | '1.3'>({
    flags: '--tls-min <version>',
    group: 'Service',
    description: 'https: lowest TLS version, 1.2 or 1.3',
    parse: (value) => parseChoice('--tls-min', value, TLS_VERSIONS),
    words: TLS_VERSIONS,
  }),
  cores: define({
    flags: '--cores <m>',
    group: 'Service',
    description: 'cores the service can use (m in U = busy/(T·m)); found out when not given',
    parse: (value) => parsePositive('--cores', value),
  }),
  metrics: define({
    flags: '--metrics <page>',
    group: 'Service',
    description: "the service's metrics in the Prometheus format, read once a second: a path or a URL",
    parse: text,
  }),
  stats: define({
    flags: '--stats <page>',
    group: 'Service',
    description: "the service's own statistics, JSON or Prometheus: a path or a URL",
    parse: text,
  }),
} as const;
