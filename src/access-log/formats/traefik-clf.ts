import { templateFormat } from '../template-format.ts';

/** Traefik's default: combined, then the count, router, server and whole milliseconds. It stamps the start. */
export const traefikClf = templateFormat({
  name: 'traefik-clf',
  shape: '… "referer" "user agent" count "router" "http://server" 42ms',
  looksLike: /" \d+ "[^"]*" "[^"]*" (?:\d+|-)ms\s*$/,
  templates: [
    {
      fields: [
        { before: '', kind: 'client' },
        { before: ' ', kind: 'skipped' },
        { before: ' ', kind: 'user' },
        { before: ' [', kind: 'clfStamp' },
        { before: '] "', kind: 'request' },
        { before: '" ', kind: 'status' },
        { before: ' ', kind: 'responseBytes' },
        { before: ' "', kind: 'referer' },
        { before: '" "', kind: 'userAgent' },
        { before: '" ', kind: 'skipped' },
        { before: ' "', kind: 'skippedText' },
        { before: '" "', kind: 'skippedText' },
        { before: '" ', kind: 'durationMilliseconds' },
      ],
      after: 'ms',
      escapes: 'backslash',
      timestampMeaning: 'start',
      stampResolutionSeconds: 1,
    },
  ],
  samples: [
    {
      title: 'milliseconds behind the server, and a request without an answer',
      lines: [
        '172.17.1.2 - - [24/Nov/2024:13:38:04 +0000] "GET /birthday HTTP/2" 200 352 "-" "Nikto" 244 "test@docker -> leaf@docker" "http://172.17.0.3:80" 42ms',
        '172.17.1.1 - - [28/Sep/2022:13:38:04 +0000] "GET /mobileadmin/home.cs HTTP/1.1" - - "-" "Mozilla/5.00 (Nikto/2.1.5)" 45640 "-" "-" 0ms',
      ],
      expect: [
        { client: '172.17.1.2', atSeconds: 1_732_455_484, responseTimeSeconds: 0.042, userAgent: 'Nikto' },
        { status: 0, responseTimeSeconds: 0, userAgent: 'Mozilla/5.00 (Nikto/2.1.5)' },
      ],
    },
  ],
});
