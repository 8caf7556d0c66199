import type { Notice } from '../../model/notice.ts';
import { templateFormat } from '../template-format.ts';

const UNSURE: Notice = {
  code: 'log-stamp-unsure',
  severity: 'warning',
  message: 'AWS’s texts contradict each other on what a classic load balancer stamps; it is read as the end',
};

/** AWS classic Elastic Load Balancer; a line of a TCP listener has no request. */
export const awsElb = templateFormat({
  name: 'aws-elb',
  shape:
    '2015-05-13T23:39:43.945958Z name client:port target:port 0.000086 0.001048 0.001337 200 200 0 57 "GET https://host:443/path HTTP/1.1" "user agent" …',
  looksLike: /^\d{4}-\d\d-\d\dT[\d:.]+Z \S+ \S+ \S+ (?:-1|\d+\.\d+) (?:-1|\d+\.\d+) (?:-1|\d+\.\d+) /,
  templates: [
    {
      fields: [
        { before: '', kind: 'isoStamp' },
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
      notices: [UNSURE],
    },
  ],
  samples: [
    {
      title: 'microseconds that add up, and a TCP line without a request',
      lines: [
        '2015-05-13T23:39:43.945958Z my-lb 1.2.3.4:2817 10.0.0.1:80 0.000086 0.001048 0.001337 200 200 0 57 "GET https://www.example.com:443/path/index.html HTTP/1.1" "Mozilla/5.0" DHE-RSA-AES128-SHA TLSv1.2',
        '2015-05-13T23:39:43.945958Z my-lb 192.168.131.39:2817 10.0.0.1:80 0.001069 0.000028 0.000041 - - 82 305 "- - - " "-" - -',
      ],
      expect: [
        {
          atSeconds: 1_431_560_383.943487,
          client: '1.2.3.4',
          responseTimeSeconds: 0.002471,
          path: '/path/index.html',
        },
        'badRequest',
      ],
    },
  ],
});
