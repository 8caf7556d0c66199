import { learnClf } from '../clf-layout.ts';
import type { FormatSample, LogFormat } from '../log-format.ts';

interface Writer {
  readonly name: string;
  readonly shape: string;
  readonly timestampMeaning: 'start' | 'end';
  readonly sample: FormatSample;
}

/**
 * Servers whose lines look like Apache's and stamp another event, or look like nginx's. A line cannot tell
 * them, so they count only by name.
 */
const clfByName = ({ name, shape, timestampMeaning, sample }: Writer): LogFormat => ({
  name,
  shape,
  isNamedOnly: true,
  open: (head) => learnClf(head, timestampMeaning)?.parser,
  samples: [sample],
});

/** lighttpd: `%D` is microseconds, the stamp the end. */
export const lighttpd = clfByName({
  name: 'lighttpd',
  shape: 'combined, with D=%D or T=%T behind it; the stamp is the end',
  timestampMeaning: 'end',
  sample: {
    title: 'microseconds before the stamp',
    lines: [
      '127.0.0.1 - - [30/Nov/2026:17:58:18 +0000] "GET /slow?ms=2500&id=1 HTTP/1.1" 200 25 "-" "slow-agent" D=2503709 T=2',
    ],
    expect: [{ atSeconds: 1_796_061_495.496291, responseTimeSeconds: 2.503709 }],
  },
});

/** Varnish's varnishncsa: addresses are absolute, `%D` is microseconds, the stamp the start. */
export const varnish = clfByName({
  name: 'varnish',
  shape: 'combined with absolute addresses, with %D behind it; the stamp is the start',
  timestampMeaning: 'start',
  sample: {
    title: 'the start as stamped, the path of an absolute address',
    lines: [
      '127.0.0.1 - - [30/Nov/2026:17:58:01 +0000] "GET http://127.0.0.1:28086/slow?ms=2500&id=1 HTTP/1.1" 200 25 "-" "slow-agent" D=2504698 T=2 ttfb=2.504640 hm=miss',
    ],
    expect: [{ atSeconds: 1_796_061_481, responseTimeSeconds: 2.504698, path: '/slow' }],
  },
});

/** gunicorn's default, and with durations behind it: the stamp is the end. */
export const gunicorn = clfByName({
  name: 'gunicorn',
  shape: 'combined, with %(L)s, %(M)s or D=%(D)s behind it; the stamp is the end',
  timestampMeaning: 'end',
  sample: {
    title: 'seconds before the stamp',
    lines: [
      '127.0.0.1 - - [30/Nov/2026:17:58:33 +0000] "GET /slow HTTP/1.1" 200 6 "-" "slow-agent" 2.500765',
    ],
    expect: [{ atSeconds: 1_796_061_510.499235, responseTimeSeconds: 2.500765 }],
  },
});
