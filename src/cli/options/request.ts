import {
  parseChoice,
  parseCount,
  parseDuration,
  parseHeader,
  parseRatios,
  parseRequestLine,
} from '../parse-values.ts';
import { parseConnections } from '../parse-transport.ts';
import { OF_BODY, OF_MIX, OF_URL, OF_WRITE } from './applies.ts';
import { define, defineList, text } from './definition.ts';

const HTTP_VERSIONS = ['1.1', '2'] as const;

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
  connectTimeout: define({
    flags: '--connect-timeout <duration>',
    group: 'Request',
    description: 'within it: how long a connection may take to stand, TLS included',
    parse: (value) => parseDuration('--connect-timeout', value),
  }),
  firstByteTimeout: define({
    flags: '--first-byte-timeout <duration>',
    group: 'Request',
    description: 'within it: how long the first byte of an answer may take',
    parse: (value) => parseDuration('--first-byte-timeout', value),
  }),
  connections: define<number | 'reuse'>({
    flags: '--connections <how>',
    group: 'Request',
    description:
      'reuse: kept as long as the service keeps them; fresh: one for each request; K: one for every K',
    parse: (value) => parseConnections('--connections', value),
    words: ['reuse', 'fresh'],
    fallback: 'reuse',
  }),
  http: define<'1.1' | '2'>({
    flags: '--http <version>',
    group: 'Request',
    description: '1.1 or 2: HTTP/2 by ALPN over TLS, with prior knowledge over http:// (default: 1.1)',
    parse: (value) => parseChoice('--http', value, HTTP_VERSIONS),
    words: HTTP_VERSIONS,
  }),
  http2: define<boolean>({ flags: '--http2', group: 'Request', description: 'the same as --http 2' }),
  streams: define({
    flags: '--streams <k>',
    group: 'Request',
    description: 'with HTTP/2: most requests in flight on one connection (default: 1)',
    parse: (value) => parseCount('--streams', value),
  }),
  compressed: define<boolean>({
    flags: '--compressed',
    group: 'Request',
    description: 'accept compressed answers; bytes are counted as they came',
  }),
  follow: define<number | true>({
    flags: '--follow [n]',
    group: 'Request',
    description:
      'follow up to n redirects (10) of this machine; the response time is that of the whole chain',
    parse: (value) => parseCount('--follow', value),
  }),
  header: defineList({
    flags: '-H, --header <line>',
    group: 'Request',
    description: "header for every request, as 'Name: value' (repeatable)",
    parseEach: (value) => parseHeader('--header', value),
  }),
  method: define({
    flags: '-m, --method <name>',
    applies: OF_URL,
    group: 'Request',
    description: 'method for a URL (default: GET, with -d POST)',
    parse: text,
  }),
  data: define({
    flags: '-d, --data <text>',
    applies: OF_BODY,
    group: 'Request',
    description: 'body for a URL; @FILE reads it from a file',
    parse: text,
  }),
  write: define({
    flags: '--write <request>',
    applies: OF_MIX,
    group: 'Request',
    description: "a request that writes, as 'POST /books', beside the reads; -d is its body",
    parse: (value) => parseRequestLine('--write', value),
  }),
  writeRatio: define({
    flags: '--write-ratio <list>',
    applies: OF_WRITE,
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
