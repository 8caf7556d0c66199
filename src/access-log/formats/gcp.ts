import { jsonFormat } from '../named-json.ts';

/** Google Cloud's load balancer, one log entry a line. Its time is when the request came in. */
export const gcp = jsonFormat({
  name: 'gcp',
  shape:
    '{"httpRequest":{"requestMethod":"GET","requestUrl":"https://host/path","status":200,"latency":"0.058927s"},"timestamp":"…Z"}',
  marks: ['httpRequest', 'requestUrl'],
  fields: {
    timestamp: 'stamp',
    'httpRequest.latency': 'seconds',
    'httpRequest.status': 'status',
    'httpRequest.responseSize': 'size',
    'httpRequest.remoteIp': 'client',
    'httpRequest.requestMethod': 'method',
    'httpRequest.requestUrl': 'target',
    'httpRequest.userAgent': 'userAgent',
    'httpRequest.referer': 'referer',
  },
  timestampMeaning: 'start',
  stampResolutionSeconds: 1e-6,
  samples: [
    {
      title: 'a latency with its unit, an absolute address',
      lines: [
        '{"httpRequest":{"latency":"0.058927s","remoteIp":"203.0.113.5","requestMethod":"GET","requestSize":"364","requestUrl":"https://shop.example/cart?id=7","responseSize":"2048","status":200,"userAgent":"curl/8"},"insertId":"x","timestamp":"2026-11-30T17:56:37.216Z"}',
      ],
      expect: [
        {
          atSeconds: 1_796_061_397.216,
          client: '203.0.113.5',
          path: '/cart',
          query: 'id=7',
          responseTimeSeconds: 0.058927,
          responseBytes: 2048,
          userAgent: 'curl/8',
        },
      ],
    },
  ],
});
