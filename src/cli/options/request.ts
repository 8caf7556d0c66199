import { parseDuration, parseHeader, parseRatios, parseRequestLine } from '../parse-values.ts';
import { define, defineList, text } from './definition.ts';

/** Options about each request. */
export const REQUEST_OPTIONS = {
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
  method: define({
    flags: '-m, --method <name>',
    group: 'Request',
    description: 'method for a URL (default: GET, with -d POST)',
    parse: text,
  }),
  data: define({
    flags: '-d, --data <text>',
    group: 'Request',
    description: 'body for a URL; @FILE reads it from a file',
    parse: text,
  }),
  write: define({
    flags: '--write <request>',
    group: 'Request',
    description: "a request that writes, as 'POST /books', beside the reads; -d is its body",
    parse: (value) => parseRequestLine('--write', value),
  }),
  writeRatio: define({
    flags: '--write-ratio <list>',
    group: 'Request',
    description: 'with --write: shares of writes, a sweep for each (default: 0.1,0.9)',
    parse: (value) => parseRatios('--write-ratio', value),
  }),
  unixSocket: define({
    flags: '--unix-socket <path>',
    group: 'Request',
    description: 'send to this socket; the url gives host and paths',
    parse: text,
  }),
} as const;
