import { templateFormat } from '../template-format.ts';
import type { Template, TemplateField } from '../template.ts';

const HEAD: readonly TemplateField[] = [
  { before: '[', kind: 'isoStamp' },
  { before: '] "', kind: 'request' },
  { before: '" ', kind: 'status' },
  { before: ' ', kind: 'skipped' },
];
const TAIL: readonly TemplateField[] = [
  { before: ' ', kind: 'skipped' },
  { before: ' ', kind: 'responseBytes' },
  { before: ' ', kind: 'durationMilliseconds' },
  { before: ' ', kind: 'skipped' },
  { before: ' "', kind: 'forwardedFor' },
  { before: '" "', kind: 'userAgent' },
  { before: '" "', kind: 'skippedText' },
];
/** What Istio puts between the flags and the sizes. */
const DETAILS: readonly TemplateField[] = [
  { before: ' ', kind: 'skipped' },
  { before: ' ', kind: 'skipped' },
  { before: ' "', kind: 'skippedText' },
];

/** What Istio writes behind the authority: the caller's address counts where none was forwarded. */
const PEERS: readonly TemplateField[] = [
  { before: '" "', kind: 'skippedText' },
  { before: '" "', kind: 'skippedText' },
  { before: '" ', kind: 'skipped' },
  { before: ' ', kind: 'skipped' },
  { before: ' ', kind: 'skipped' },
  { before: ' ', kind: 'client' },
  { before: ' ', kind: 'skipped' },
  { before: ' ', kind: 'skipped' },
];

const layout = (fields: readonly TemplateField[]): Template => ({
  fields,
  after: '',
  escapes: 'none',
  timestampMeaning: 'start',
  stampResolutionSeconds: 0.001,
});

/** Envoy's default text, and Istio's, which adds three fields and the caller's address. Else the client is known only as forwarded. */
export const envoy = templateFormat({
  name: 'envoy',
  shape:
    '[2026-01-24T01:37:00.000Z] "GET /path HTTP/1.1" 200 - 0 512 30 15 "forwarded for" "user agent" "id" "authority" "upstream"',
  looksLike: /^\[\d{4}-\d\d-\d\dT[\d:.]+Z\] "/,
  templates: [
    layout([...HEAD, ...TAIL]),
    layout([...HEAD, ...DETAILS, { ...TAIL[0]!, before: '" ' }, ...TAIL.slice(1), ...PEERS]),
    layout([...HEAD, ...DETAILS, { ...TAIL[0]!, before: '" ' }, ...TAIL.slice(1)]),
  ],
  samples: [
    {
      title: 'the start to the millisecond, the first public address, no duration for `-`',
      lines: [
        '[2026-01-24T01:37:00.000Z] "GET /api/proxy?a=b HTTP/1.1" 200 - 0 512 30 15 "192.168.1.100, 10.42.0.1" "curl/8" "id" "shop.example" "10.0.0.1:80"',
        '[2026-01-24T01:37:00.120Z] "POST /x HTTP/2" 0 DC 0 0 - - "-" "-" "id" "shop.example" "-"',
        '[2026-01-24T01:37:00.120Z] "- - HTTP/1.1" 400 DPE 0 11 0 - "-" "-" "-" "-" "-"',
      ],
      expect: [
        {
          atSeconds: 1_769_218_620,
          client: '192.168.1.100',
          responseTimeSeconds: 0.03,
          responseBytes: 512,
          userAgent: 'curl/8',
          path: '/api/proxy',
        },
        { atSeconds: 1_769_218_620.12, status: 0, client: '' },
        'badRequest',
      ],
    },
    {
      title: 'the default of Istio',
      lines: [
        '[2026-01-24T01:37:00.000Z] "GET /b HTTP/1.1" 200 - via_upstream - "-" 0 5 12 11 "-" "curl" "id" "shop" "10.0.0.1:80" outbound|80||shop 10.0.0.2:1 10.0.0.3:80 10.0.0.4:2 - default',
        '[2026-01-24T01:37:00.000Z] "GET /a HTTP/1.1" 200 - via_upstream - "-" 0 5 12 11 "203.0.113.9" "curl" "id" "shop" "10.0.0.1:80" outbound|80||shop 10.0.0.2:1 10.0.0.3:80 10.0.0.4:2 - default',
      ],
      expect: [
        { client: '10.0.0.4', path: '/b', responseTimeSeconds: 0.012 },
        { client: '203.0.113.9', responseTimeSeconds: 0.012, responseBytes: 5, userAgent: 'curl' },
      ],
    },
  ],
});
