import { latin1Of } from '../bytes.ts';
import type { LogFormat } from '../log-format.ts';
import { W3cParser } from '../w3c-line.ts';

/** The columns of a standard log, for extracts without their header. Source: AWS, "Standard log file fields". */
const COLUMNS =
  'date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol cs-bytes time-taken x-forwarded-for ssl-protocol ssl-cipher x-edge-response-result-type cs-protocol-version fle-status fle-encrypted-fields c-port time-to-first-byte x-edge-detailed-result-type sc-content-type sc-content-len sc-range-start sc-range-end'.split(
    ' ',
  );

/** AWS CloudFront's standard log: UTC, stamped at the end, seconds. */
export const cloudfront: LogFormat = {
  name: 'cloudfront',
  shape: 'date<TAB>time<TAB>location<TAB>bytes<TAB>client<TAB>GET<TAB>host<TAB>/path<TAB>200<TAB>…',
  open: (head, comments = []) => {
    const hasHeader = comments.some((line) => /^#Fields:.*x-edge-/.test(latin1Of(line)));
    const isExtract = (line: Uint8Array): boolean =>
      /^\d{4}-\d\d-\d\d\t[\d:]{8}\t[A-Z]{3}\d*(?:-\w+)?\t/.test(latin1Of(line.subarray(0, 64)));
    return hasHeader || head.filter(isExtract).length * 2 > head.length
      ? new W3cParser({ durations: 'seconds', defaultColumns: COLUMNS })
      : undefined;
  },
  samples: [
    {
      title: 'a line of an extract without its header',
      lines: [
        '2019-12-04\t21:02:31\tLAX1\t392\t89.160.20.112\tGET\td111111abcdef8.cloudfront.net\t/index.html\t200\t-\tMozilla/5.0%20(X11)\ta=b\t-\tHit\tid==\td111111abcdef8.cloudfront.net\thttps\t23\t0.001\t-\tTLSv1.2\tECDHE\tHit\tHTTP/2.0\t-\t-\t11040\t0.001\tHit\ttext/html\t78\t-\t-',
      ],
      expect: [
        {
          atSeconds: 1_575_493_350.999,
          client: '89.160.20.112',
          path: '/index.html',
          query: 'a=b',
          status: 200,
          responseTimeSeconds: 0.001,
          responseBytes: 392,
        },
      ],
    },
  ],
};
