import { learnClf } from '../clf-layout.ts';
import type { LogFormat } from '../log-format.ts';

/** Combined with `%D`, `%T` or their kin behind it, labelled or not. Apache stamps the start. */
export const apacheTimed: LogFormat = {
  name: 'apache-timed',
  shape: '… "user agent" 2503414, or D=2503414 T=2',
  open: (head) => {
    const learned = learnClf(head);
    return learned?.family === 'apache-timed' ? learned.parser : undefined;
  },
  samples: [
    {
      title: 'of several labelled durations the finest counts, and the stamp is the start',
      lines: [
        'test.local:80 127.0.0.1 - - [30/Nov/2026:17:56:50 +0000] "GET /slow?ms=2500&id=1 HTTP/1.1" 200 178 "-" "slow-agent" D=2503414 T=2 X=+ XFF="203.0.113.9, 10.0.0.1"',
        'test.local:80 127.0.0.1 - - [30/Nov/2026:17:56:57 +0000] "HELP" 400 448 "-" "-" D=69 T=0 X=- XFF="-"',
        'test.local:80 127.0.0.1 - - [30/Nov/2026:17:56:52 +0000] "GET /fast HTTP/1.1" 200 170 "-" "curl" D=3172 T=0 X=+ XFF="-"',
      ],
      expect: [
        { client: '203.0.113.9', atSeconds: 1_796_061_410, responseTimeSeconds: 2.503414 },
        'badRequest',
        { client: '127.0.0.1', responseTimeSeconds: 0.003172 },
      ],
    },
    {
      title: 'a bare integer of 60,000 and more counts microseconds',
      lines: ['1.2.3.4 - - [30/Nov/2026:17:56:50 +0000] "GET / HTTP/1.1" 200 178 "-" "agent" 125000'],
      expect: [{ atSeconds: 1_796_061_410, responseTimeSeconds: 0.125 }],
    },
    {
      title: 'a bare integer below counts milliseconds',
      lines: ['1.2.3.4 - - [30/Nov/2026:17:56:50 +0000] "GET / HTTP/1.1" 200 178 "-" "agent" 42'],
      expect: [{ responseTimeSeconds: 0.042 }],
    },
  ],
};
