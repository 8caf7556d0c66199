import { latin1Of } from '../bytes.ts';
import type { LogFormat } from '../log-format.ts';
import { W3cParser } from '../w3c-line.ts';

/** The W3C extended log format of IIS and others: UTC, stamped at the end, `time-taken` in milliseconds. */
export const w3c: LogFormat = {
  name: 'w3c',
  shape: '#Fields: date time c-ip cs-method cs-uri-stem cs-uri-query sc-status time-taken, then such lines',
  open: (_head, comments = []) =>
    comments.some((line) => /^#\s*Fields:.*\bc[s-]/.test(latin1Of(line)) && !/x-edge-/.test(latin1Of(line)))
      ? new W3cParser({ durations: 'milliseconds' })
      : undefined,
  samples: [
    {
      title: 'IIS: plus signs for spaces, a query of its own',
      lines: [
        '#Software: Microsoft Internet Information Services 8.5',
        '#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(User-Agent) cs(Referer) sc-status sc-substatus sc-win32-status sc-bytes cs-bytes time-taken',
        '2015-01-13 00:32:17 100.79.192.81 GET /robots.txt - 80 - 157.55.39.146 Mozilla/5.0+(compatible;+bingbot/2.0) - 404 0 2 1405 242 283',
        '2015-01-13 00:32:17 100.79.192.81 GET /a id=7&x=y 80 - fe80::1%3 - http://r/ 200 0 2 - 242 -',
        '2015-01-13 00:32:17 100.79.192.81 GET',
      ],
      expect: [
        undefined,
        undefined,
        {
          atSeconds: 1_421_109_136.717,
          client: '157.55.39.146',
          method: 'GET',
          path: '/robots.txt',
          status: 404,
          responseTimeSeconds: 0.283,
          responseBytes: 1405,
          userAgent: 'Mozilla/5.0 (compatible; bingbot/2.0)',
        },
        { atSeconds: 1_421_109_137, client: 'fe80::1', path: '/a', query: 'id=7&x=y', referer: 'http://r/' },
        'unparsed',
      ],
    },
    {
      title: 'Oracle: several spaces, quotes, microseconds',
      lines: [
        '#Software: Oracle9iAS Web Cache/2.0.0.2.0',
        '#Fields:  c-ip  c-dns  date  time  cs-method  cs-uri  sc-status  bytes  cs(Cookie)  time-taken  cs(User-Agent)',
        '64.103.37.2   joaz7   2001-10-31   00:00:18   GET   /admin/a.gif   200   350   "a=b; c=""d"""   370879   "Mozilla/4.5 [en] (WinNT; I)"',
      ],
      expect: [
        undefined,
        undefined,
        {
          atSeconds: 1_004_486_417.629121,
          client: '64.103.37.2',
          responseTimeSeconds: 0.370879,
          path: '/admin/a.gif',
          userAgent: 'Mozilla/4.5 [en] (WinNT; I)',
        },
      ],
    },
    {
      title: 'a file without a date column has it from #Date, and FTP verbs are no requests',
      lines: [
        '#Date: 2000-10-09 16:44:49',
        '#Fields: time c-ip cs-method cs-uri-stem sc-status',
        '16:44:49 1.1.1.1 GET /a 200',
        '16:44:49 1.1.1.1 [2]USER anonymous 331',
      ],
      expect: [
        undefined,
        undefined,
        { atSeconds: 971_109_889, client: '1.1.1.1', status: 200 },
        'badRequest',
      ],
    },
  ],
};
