import { templateFormat } from '../template-format.ts';
import type { Template, TemplateField } from '../template.ts';

const layout = (status: readonly TemplateField[], sentTo: readonly TemplateField[]): Template => ({
  fields: [
    { before: '[', kind: 'clfStamp' },
    ...status,
    { before: ' - ', kind: 'method' },
    { before: ' ', kind: 'skipped' },
    { before: ' ', kind: 'skipped' },
    { before: ' "', kind: 'target' },
    { before: '" [Client ', kind: 'client' },
    { before: '] [Length ', kind: 'responseBytes' },
    { before: '] [Gzip ', kind: 'skipped' },
    ...sentTo,
    { before: '] "', kind: 'userAgent' },
    { before: '" "', kind: 'referer' },
  ],
  after: '"',
  escapes: 'backslash',
  timestampMeaning: 'end',
  stampResolutionSeconds: 1,
});

const COMBINED: Template = {
  fields: [
    { before: '', kind: 'client' },
    { before: ' - ', kind: 'skippedText' },
    { before: ' [', kind: 'clfStamp' },
    { before: '] "', kind: 'request' },
    { before: '" ', kind: 'status' },
    { before: ' ', kind: 'responseBytes' },
    { before: ' "', kind: 'referer' },
    { before: '" "', kind: 'userAgent' },
  ],
  after: '"',
  escapes: 'backslash',
  timestampMeaning: 'end',
  stampResolutionSeconds: 1,
};

/** Nginx Proxy Manager writes three layouts of its own into one file: for proxied, for its own, and for other hosts. */
export const nginxProxyManager = templateFormat({
  name: 'nginx-proxy-manager',
  shape:
    '[24/Jan/2022:16:51:02 +0000] - 200 200 - GET https host "/path" [Client 1.2.3.4] [Length 192] [Gzip 3.10] [Sent-to host] "user agent" "referer"',
  looksLike: /^\[\d\d\/\w{3}\/\d{4}:[^\]]+\] (?:\S+ )?(?:\d{3}|-) (?:\d{3} )?- [A-Z]+ https? /,
  isMixed: true,
  asides: /^\d{4}\/\d\d\/\d\d [\d:]{8} \[\w+\] /,
  templates: [
    layout(
      [
        { before: '] ', kind: 'skipped' },
        { before: ' ', kind: 'skipped' },
        { before: ' ', kind: 'status' },
      ],
      [{ before: '] [Sent-to ', kind: 'skipped' }],
    ),
    layout([{ before: '] ', kind: 'status' }], []),
    COMBINED,
  ],
  samples: [
    {
      title: 'three layouts, and a line of the error log',
      lines: [
        '[01/Oct/2025:14:32:15 +0000] HIT 200 200 - GET https example.com "/api/users?a=b" [Client 192.168.1.100] [Length 1543] [Gzip 2.45] [Sent-to 10.0.0.15:8080] "Mozilla/5.0" "https://example.com/dashboard"',
        '[24/Jan/2022:13:40:19 +0000] 444 - GET https 4.3.2.1 "/.env" [Client 207.32.219.89] [Length 0] [Gzip -] "Mozilla/5.0" "-"',
        '[01/Oct/2025:14:32:15 +0000] - 404 404 - GET http example.com "/x" [Client ::1] [Length 192] [Gzip 3.10] [Sent-to openresty] "curl" "-"',
        '1.2.3.4 - - [24/Jan/2022:16:22:14 +0000] "GET /d93rfgxd.axd HTTP/1.1" 404 552 "-" "Mozilla/5.0"',
        '2022/01/24 16:33:06 [error] 334#334: *338 user "toto": password mismatch, client: 1.2.3.4',
      ],
      expect: [
        {
          atSeconds: 1_759_329_135,
          client: '192.168.1.100',
          path: '/api/users',
          query: 'a=b',
          status: 200,
          responseBytes: 1543,
          userAgent: 'Mozilla/5.0',
        },
        { client: '207.32.219.89', status: 444, path: '/.env' },
        { client: '::1', status: 404 },
        { client: '1.2.3.4', path: '/d93rfgxd.axd' },
        'aside',
      ],
    },
  ],
});
