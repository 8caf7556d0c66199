import { learnClf, plainClf } from '../clf-layout.ts';
import type { LogFormat } from '../log-format.ts';

/** Common with referer and user agent: the default of nginx, and of many others. */
export const combined: LogFormat = {
  name: 'combined',
  shape: 'client - user [30/Nov/2026:17:56:37 +0000] "GET /path HTTP/1.1" 200 25 "referer" "user agent"',
  open: (head) => {
    const learned = learnClf(head);
    if (learned === undefined) return plainClf(true);
    return learned.family === 'combined' ? learned.parser : undefined;
  },
  samples: [
    {
      title: 'nginx and Apache escape differently and mean the same',
      lines: [
        String.raw`1.2.3.4 - - [30/Nov/2026:18:00:20 +0000] "GET /p HTTP/1.1" 200 64 "http://ref/?a=\x22x\x22" "q\x22uote\x5Cback \xC3\xBCn\xC3\xAF\x09tab {br|ace}"`,
        String.raw`1.2.3.4 - - [30/Nov/2026:18:00:20 +0000] "GET /p HTTP/1.1" 200 64 "http://ref/?a=\"x\"" "q\"uote\\back \xc3\xbcn\xc3\xaf\ttab {br|ace}"`,
        String.raw`1.2.3.4 - - [30/Nov/2026:18:00:20 +0000] "GET /raw\"quote\\back\xc3\xa9 HTTP/1.1" 499 0 "-" "-"`,
        String.raw`1.2.3.4 - - [30/Nov/2026:18:00:20 +0000] "\x16\x03\x01\x00\xA5" 400 157 "-" "-"`,
      ],
      expect: [
        { referer: 'http://ref/?a="x"', userAgent: 'q"uote\\back ünï\ttab {br|ace}', responseBytes: 64 },
        { referer: 'http://ref/?a="x"', userAgent: 'q"uote\\back ünï\ttab {br|ace}', responseBytes: 64 },
        { path: '/raw"quote\\backé', status: 499 },
        'badRequest',
      ],
      absent: ['responseTimeSeconds'],
    },
    {
      title: 'a forwarded address behind it is the client',
      lines: [
        '10.0.0.1 - - [30/Nov/2026:18:00:20 +0000] "GET / HTTP/1.1" 200 1 "-" "a" "203.0.113.9, 10.0.0.1"',
        '10.0.0.1 - - [30/Nov/2026:18:00:20 +0000] "GET / HTTP/1.1" 200 1 "-" "a" "-"',
        '10.0.0.1 - - [30/Nov/2026:18:00:20 +0000] "GET / HTTP/1.1" 200 1 "-" "a" "192.168.0.7, 203.0.113.8:443"',
      ],
      expect: [{ client: '203.0.113.9' }, { client: '10.0.0.1' }, { client: '203.0.113.8' }],
    },
  ],
};
