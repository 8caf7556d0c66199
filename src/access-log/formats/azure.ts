import { jsonFormat } from '../named-json.ts';

/** Azure Application Gateway and Front Door: `timeTaken` is seconds, and the time is taken for the end. */
export const azure = jsonFormat({
  name: 'azure',
  shape:
    '{"time":"…Z","properties":{"clientIP":"…","httpMethod":"GET","requestUri":"/path","httpStatus":200,"timeTaken":0.028}}',
  marks: ['properties', 'httpMethod', 'requestUri'],
  fields: {
    time: 'stamp',
    timestamp: 'stamp',
    'properties.timeTaken': 'seconds',
    'properties.httpStatus': 'status',
    'properties.httpStatusCode': 'status',
    'properties.sentBytes': 'size',
    'properties.clientIP': 'client',
    'properties.httpMethod': 'method',
    'properties.requestUri': 'target',
    'properties.userAgent': 'userAgent',
  },
  timestampMeaning: 'end',
  stampResolutionSeconds: 1,
  samples: [
    {
      title: 'a duration that is a text, an address with its port',
      lines: [
        '{"time":"2026-11-30T17:56:37Z","category":"ApplicationGatewayAccessLog","properties":{"clientIP":"203.0.113.5:50123","httpMethod":"GET","requestUri":"/a","userAgent":"curl/8","httpStatus":200,"sentBytes":20,"timeTaken":"0.250"}}',
      ],
      expect: [{ atSeconds: 1_796_061_396.75, client: '203.0.113.5', responseTimeSeconds: 0.25, path: '/a' }],
    },
  ],
});
