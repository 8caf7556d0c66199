import { learnClf } from '../clf-layout.ts';
import type { LogFormat } from '../log-format.ts';

/** Apache's vhost_combined and vhost_common: the virtual host stands first. */
export const vhost: LogFormat = {
  name: 'vhost-combined',
  shape:
    'host:80 client - user [30/Nov/2026:17:56:37 +0000] "GET /path HTTP/1.1" 200 25 "referer" "user agent"',
  open: (head) => {
    const learned = learnClf(head);
    return learned?.family === 'vhost' ? learned.parser : undefined;
  },
  samples: [
    {
      title: 'the client is the second field',
      lines: [
        'shop.example:443 203.0.113.9 - - [30/Nov/2026:17:56:50 +0000] "GET /a HTTP/1.1" 200 178 "-" "agent"',
        'www.example.com 1.2.3.4 - theuser [10/Feb/2012:16:42:07 -0500] "GET /b HTTP/1.0" 301 368 "-" "agent"',
      ],
      expect: [
        { client: '203.0.113.9', atSeconds: 1_796_061_410, path: '/a', userAgent: 'agent' },
        { client: '1.2.3.4', atSeconds: 1_328_910_127, path: '/b', status: 301 },
      ],
      absent: ['responseTimeSeconds'],
    },
  ],
};
