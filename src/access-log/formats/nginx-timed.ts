import { learnClf } from '../clf-layout.ts';
import type { LogFormat } from '../log-format.ts';

/** Combined with `$request_time` behind it, labelled or not. nginx stamps the end. */
export const nginxTimed: LogFormat = {
  name: 'nginx-timed',
  shape: '… "user agent" 0.044, or rt=0.044 urt="0.043" msec=1796061397.754',
  open: (head) => {
    const learned = learnClf(head);
    return learned?.family === 'nginx-timed' ? learned.parser : undefined;
  },
  samples: [
    {
      title: 'labelled fields: the millisecond end less the request time is the start',
      lines: [
        '127.0.0.1 - - [30/Nov/2026:17:56:37 +0000] "GET /slow?ms=2500&id=1 HTTP/1.1" 200 36 "-" "slow-agent" "203.0.113.9, 10.0.0.1" rt=2.517 urt="2.517" msec=1796061397.754 us=200 cr=1',
        '127.0.0.1 - - [30/Nov/2026:17:59:28 +0000] "GET /two/retry HTTP/1.1" 200 28 "-" "curl" "-" rt=0.001 urt="0.000, 0.001" msec=1796061568.904 us=502, 200 cr=1',
        '127.0.0.1 - - [30/Nov/2026:17:59:28 +0000] "GET /re?st=500 HTTP/1.1" 500 28 "-" "curl" "-" rt=0.003 urt="0.001 : 0.002" msec=1796061568.920 us=500 : 500 cr=1',
        '127.0.0.1 - - [30/Nov/2026:17:56:42 +0000] "HELP" 400 157 "-" "-" "-" rt=0.000 urt="-" msec=1796061402.067 us=- cr=1',
      ],
      expect: [
        {
          client: '203.0.113.9',
          atSeconds: 1_796_061_395.237,
          responseTimeSeconds: 2.517,
          responseBytes: 36,
        },
        { client: '127.0.0.1', atSeconds: 1_796_061_568.903, responseTimeSeconds: 0.001, path: '/two/retry' },
        { atSeconds: 1_796_061_568.917, responseTimeSeconds: 0.003, status: 500 },
        'badRequest',
      ],
    },
    {
      title: 'a bare number with decimals is the request time, and `-` is none',
      lines: [
        '127.0.0.1 - - [06/Sep/2015:05:58:05 +0900] "POST /foo?token=x HTTP/1.1" 200 12 "-" "curl" "-" 0.057',
        '127.0.0.1 - - [06/Sep/2015:05:58:05 +0900] "GET / HTTP/1.1" 200 12 "-" "curl" "-" 1.000',
        '127.0.0.1 - - [06/Sep/2015:05:58:05 +0900] "GET / HTTP/1.1" 200 12 "-" "curl" "-" -',
      ],
      expect: [
        { atSeconds: 1_441_486_684.943, responseTimeSeconds: 0.057 },
        { atSeconds: 1_441_486_684, responseTimeSeconds: 1 },
        { atSeconds: 1_441_486_685 },
      ],
    },
    {
      title: 'the fields of the Kubernetes ingress',
      lines: [
        '10.1.2.3 - - [30/Nov/2026:17:56:37 +0000] "GET /a HTTP/1.1" 200 10 "-" "curl" 120 0.044 [shop-web-80] [] 10.0.0.1:80, 10.0.0.2:80 0, 10 0.010, 0.030 502, 200 4f2a',
        '10.1.2.3 - - [30/Nov/2026:17:56:37 +0000] "GET /a HTTP/1.1" 200 10 "-" "curl" 120 0.031 [shop-web-80] [] 10.0.0.2:80 10 0.030 200 4f2b',
      ],
      expect: [{ responseTimeSeconds: 0.044 }, { responseTimeSeconds: 0.031 }],
    },
  ],
};
