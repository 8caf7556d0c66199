import { jsonFormat } from '../named-json.ts';

/** Caddy's access log. It stamps the end; lines of its other loggers in the same file are no requests. */
export const caddy = jsonFormat({
  name: 'caddy',
  shape:
    '{"ts":1796061456.74,"logger":"http.log.access",…,"request":{"method":"GET","uri":"/path",…},"duration":0.003,"status":200}',
  marks: ['request', 'remote_ip', 'uri', 'duration'],
  fields: {
    ts: 'stamp',
    duration: 'seconds',
    status: 'status',
    size: 'size',
    'request.remote_ip': 'client',
    'request.client_ip': 'forwardedFor',
    user_id: 'user',
    'request.method': 'method',
    'request.uri': 'target',
    'request.headers.user-agent': 'userAgent',
    'request.headers.referer': 'referer',
  },
  timestampMeaning: 'end',
  stampResolutionSeconds: 1e-6,
  samples: [
    {
      title: 'the stamp less the duration is the start, and the client is whom Caddy believes it to be',
      lines: [
        '{"level":"info","ts":1796061456.7417977,"logger":"http.log.access.log0","msg":"handled request","request":{"remote_ip":"127.0.0.1","remote_port":"33948","proto":"HTTP/1.1","method":"GET","host":"127.0.0.1:28084","uri":"/slow?ms=2500&id=1","headers":{"User-Agent":["slow-agent"],"Accept":["*/*"],"X-Forwarded-For":["203.0.113.9, 10.0.0.1"]}},"user_id":"","duration":2.505423433,"size":25,"status":200,"resp_headers":{"Server":["Caddy"]}}',
        '{"level":"info","ts":"2026-11-30T17:57:36.770Z","request":{"remote_ip":"::1","client_ip":"203.0.113.8","method":"GET","uri":"/a","headers":{}},"user_id":"ann","duration":"1.5ms","size":0,"status":0}',
        '{"level":"debug","ts":1742400753.0547564,"logger":"http.handlers.reverse_proxy","msg":"selected upstream"}',
      ],
      expect: [
        {
          client: '127.0.0.1',
          atSeconds: 1_796_061_454.236374,
          responseTimeSeconds: 2.505423433,
          path: '/slow',
          query: 'ms=2500&id=1',
          status: 200,
          responseBytes: 25,
          userAgent: 'slow-agent',
        },
        {
          client: '203.0.113.8',
          user: 'ann',
          atSeconds: 1_796_061_456.7685,
          responseTimeSeconds: 0.0015,
          status: 0,
        },
        'unparsed',
      ],
    },
  ],
});
