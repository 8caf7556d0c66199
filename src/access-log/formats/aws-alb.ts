import { templateFormat } from '../template-format.ts';

/** AWS Application Load Balancer. The first time is the end; three times add up, −1 is none; fields were added over the years. */
export const awsAlb = templateFormat({
  name: 'aws-alb',
  shape:
    'https 2026-11-30T17:56:37.216Z app/name/id client:port target:port 0.000 0.001 0.000 200 200 34 366 "GET https://host:443/path HTTP/1.1" "user agent" …',
  looksLike: /^(?:https?|h2|grpcs|wss?) \d{4}-\d\d-\d\dT[\d:.]+Z \S+ /,
  templates: [
    {
      fields: [
        { before: '', kind: 'skipped' },
        { before: ' ', kind: 'isoStamp' },
        { before: ' ', kind: 'skipped' },
        { before: ' ', kind: 'client' },
        { before: ' ', kind: 'skipped' },
        { before: ' ', kind: 'partSeconds' },
        { before: ' ', kind: 'partSeconds' },
        { before: ' ', kind: 'partSeconds' },
        { before: ' ', kind: 'status' },
        { before: ' ', kind: 'skipped' },
        { before: ' ', kind: 'skipped' },
        { before: ' ', kind: 'responseBytes' },
        { before: ' "', kind: 'request' },
        { before: '" "', kind: 'userAgent' },
        { before: '" ', kind: 'skippedText' },
      ],
      after: '',
      escapes: 'backslash',
      timestampMeaning: 'end',
      stampResolutionSeconds: 1e-6,
    },
  ],
  samples: [
    {
      title: 'times that add up, a redirect without a target, an address with spaces, no request',
      lines: [
        'https 2018-07-02T22:23:00.186641Z app/my-loadbalancer/50dc 192.168.131.39:2817 10.0.0.1:80 0.086 0.048 0.037 200 200 0 57 "GET https://www.example.com:443/ HTTP/1.1" "curl/7.46.0" ECDHE-RSA TLSv1.2 arn "Root=1" "www.example.com" "arn" 1 2018-07-02T22:22:48.364000Z "forward" "-" "-"',
        'http 2018-07-02T22:23:00.186641Z app/x 63.143.42.245:35290 - -1 -1 -1 301 - 429 206 "HEAD http://abc.com:80/packages HTTP/1.1" "a" - - - "Root=1"',
        'http 2018-07-02T22:23:00.186641Z app/x [::1]:35290 - -1 -1 -1 400 - 429 206 "GET http://abc.com:80/a b HTTP/1.1" "a" - - -',
        'http 2018-07-02T22:23:00.186641Z app/x 1.2.3.4:35290 - -1 -1 -1 400 - 0 272 "- http://abc.com:80- " "-" - - -',
      ],
      expect: [
        {
          atSeconds: 1_530_570_180.015641,
          client: '192.168.131.39',
          responseTimeSeconds: 0.171,
          responseBytes: 57,
          path: '/',
          userAgent: 'curl/7.46.0',
        },
        { atSeconds: 1_530_570_180.186641, status: 301, path: '/packages' },
        { client: '::1', path: '/a b' },
        'badRequest',
      ],
    },
  ],
});
