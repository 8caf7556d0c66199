import { jsonFormat } from '../named-json.ts';

/** Cloudflare Logpush: start and end are stamped, in whichever of three ways the job was set to. */
export const cloudflare = jsonFormat({
  name: 'cloudflare',
  shape:
    '{"ClientIP":"…","ClientRequestMethod":"GET","ClientRequestURI":"/path","EdgeStartTimestamp":…,"EdgeEndTimestamp":…}',
  marks: ['ClientRequestMethod', 'ClientRequestURI', 'EdgeStartTimestamp'],
  fields: {
    EdgeStartTimestamp: 'stamp',
    EdgeEndTimestamp: 'end',
    EdgeResponseStatus: 'status',
    EdgeResponseBytes: 'size',
    ClientIP: 'client',
    ClientRequestMethod: 'method',
    ClientRequestURI: 'target',
    ClientRequestUserAgent: 'userAgent',
    ClientRequestReferer: 'referer',
  },
  timestampMeaning: 'start',
  stampResolutionSeconds: 1e-9,
  samples: [
    {
      title: 'nanoseconds beyond 2^53, seconds, and RFC 3339',
      lines: [
        '{"ClientIP":"89.163.242.206","ClientRequestMethod":"GET","ClientRequestURI":"/?a=b","ClientRequestUserAgent":"Mozilla/5.0","EdgeEndTimestamp":1712790000123000000,"EdgeResponseBytes":12480,"EdgeResponseStatus":200,"EdgeStartTimestamp":1712790000100000000}',
        '{"ClientIP":"89.163.242.206","ClientRequestMethod":"GET","ClientRequestURI":"/b","EdgeEndTimestamp":1712790002,"EdgeResponseStatus":200,"EdgeStartTimestamp":1712790000}',
        '{"ClientIP":"2001:db8::1","ClientRequestMethod":"GET","ClientRequestURI":"/c","EdgeEndTimestamp":"2024-04-10T23:00:01.5Z","EdgeResponseStatus":200,"EdgeStartTimestamp":"2024-04-10T23:00:00Z"}',
      ],
      expect: [
        { atSeconds: 1_712_790_000.1, responseTimeSeconds: 0.023, status: 200, query: 'a=b' },
        { atSeconds: 1_712_790_000, responseTimeSeconds: 2 },
        { atSeconds: 1_712_790_000, responseTimeSeconds: 1.5, client: '2001:db8::1' },
      ],
    },
  ],
});
