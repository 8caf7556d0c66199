import { learnClf, plainClf } from '../clf-layout.ts';
import type { LogFormat } from '../log-format.ts';

/** The Common Log Format of NCSA httpd. It has no durations, so it does not matter which event is stamped. */
export const common: LogFormat = {
  name: 'common',
  shape: 'client - user [30/Nov/2026:17:56:37 +0000] "GET /path HTTP/1.1" 200 25',
  open: (head) => {
    const learned = learnClf(head);
    if (learned === undefined) return plainClf(false);
    return learned.family === 'common' ? learned.parser : undefined;
  },
  samples: [
    {
      title: 'a request, a missing size, HTTP/0.9, an absolute target, a target with spaces',
      lines: [
        '127.0.0.1 - - [30/Nov/2026:17:56:50 +0000] "GET /slow?ms=2500&id=1 HTTP/1.1" 200 25',
        '127.0.0.1 - frank b [30/Nov/2026:21:26:50 +0330] "FOO /weird HTTP/1.1" 400 -',
        '::1 - - [30/Nov/2026:17:56:58 +0000] "GET /old" 200 11',
        'ix-min1-02.ix.netcom.com - - [30/Nov/2026:17:57:00 +0000] "GET http://abs.example/abs?x=1 HTTP/1.1" 200 15',
        '10.0.0.1 - - [30/Nov/2026:17:57:00 +0000] "GET /a b HTTP/2" 200 15',
        '127.0.0.1 - - [30/Nov/2026:17:56:57 +0000] "HELP" 400 266',
        '127.0.0.1 - - [30/Nov/2026:17:56:57 +0000] "-" 408 -',
        '127.0.0.1 - - [30/Nov/2026:17:56:57 +0000] "\\x16\\x03\\x01\\x01 \\x02" 400 226',
        '127.0.0.1 - - [30/Nov/2026:17:56:57] x',
      ],
      expect: [
        {
          atSeconds: 1_796_061_410,
          client: '127.0.0.1',
          method: 'GET',
          path: '/slow',
          query: 'ms=2500&id=1',
          status: 200,
          responseBytes: 25,
        },
        { atSeconds: 1_796_061_410, method: 'FOO', path: '/weird', status: 400 },
        { client: '::1', path: '/old' },
        { client: 'ix-min1-02.ix.netcom.com', path: '/abs', query: 'x=1' },
        { path: '/a b' },
        'badRequest',
        'badRequest',
        'badRequest',
        'unparsed',
      ],
      absent: ['responseTimeSeconds', 'userAgent', 'referer'],
    },
  ],
};
