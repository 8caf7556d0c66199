import { jsonFormat } from '../named-json.ts';

/** Envoy's and Istio's JSON access log with the documented keys: the start is stamped, durations are milliseconds. */
export const envoyJson = jsonFormat({
  name: 'envoy-json',
  shape: '{"start_time":"…Z","method":"GET","path":"/path","response_code":200,"duration":30,…}',
  marks: ['start_time', 'response_code'],
  fields: {
    start_time: 'stamp',
    duration: 'milliseconds',
    response_code: 'status',
    bytes_sent: 'size',
    downstream_remote_address: 'client',
    method: 'method',
    path: 'target',
    'x-envoy-origin-path': 'target',
    user_agent: 'userAgent',
    'user-agent': 'userAgent',
    x_forwarded_for: 'forwardedFor',
    'x-forwarded-for': 'forwardedFor',
  },
  timestampMeaning: 'start',
  stampResolutionSeconds: 0.001,
  samples: [
    {
      title: 'the forwarded address before the downstream one, and no duration for a client that left',
      lines: [
        '{"start_time":"2026-01-24T01:37:00.000Z","method":"GET","path":"/api/proxy","protocol":"HTTP/1.1","response_code":200,"bytes_sent":512,"duration":30,"x_forwarded_for":"192.0.2.7, 10.42.0.1","downstream_remote_address":"10.42.0.1:39490"}',
        '{"start_time":"2026-01-24T01:37:00.000Z","method":"GET","path":"/b","response_code":0,"duration":null,"x_forwarded_for":null,"downstream_remote_address":"10.42.0.1:39490"}',
      ],
      expect: [
        { atSeconds: 1_769_218_620, client: '192.0.2.7', responseTimeSeconds: 0.03, responseBytes: 512 },
        { client: '10.42.0.1', status: 0 },
      ],
    },
  ],
});
