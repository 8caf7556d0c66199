import { jsonFormat } from '../named-json.ts';

/** Traefik's access log as JSON: the start is stamped, durations are nanoseconds. */
export const traefikJson = jsonFormat({
  name: 'traefik-json',
  shape:
    '{"ClientHost":"…","Duration":215563,"RequestMethod":"GET","RequestPath":"/path","StartUTC":"…Z","DownstreamStatus":200}',
  marks: ['RequestMethod', 'RequestPath', 'StartUTC'],
  fields: {
    StartUTC: 'stamp',
    Duration: 'nanoseconds',
    DownstreamStatus: 'status',
    DownstreamContentSize: 'size',
    ClientHost: 'client',
    ClientUsername: 'user',
    RequestMethod: 'method',
    RequestPath: 'target',
    'request_User-Agent': 'userAgent',
    request_Referer: 'referer',
    'request_X-Forwarded-For': 'forwardedFor',
  },
  timestampMeaning: 'start',
  stampResolutionSeconds: 1e-9,
  samples: [
    {
      title: 'nanoseconds, and a nested service that is skipped',
      lines: [
        '{"ClientAddr":"172.17.0.1:39490","ClientHost":"172.17.0.1","ClientUsername":"ann","DownstreamContentSize":356,"DownstreamStatus":207,"Duration":8184335,"OriginDuration":7349966,"RequestMethod":"PROPFIND","RequestPath":"/a?b=c","ServiceURL":{"Scheme":"http","User":null,"Path":"}"},"StartUTC":"2024-12-29T11:42:47.503803974Z","request_User-Agent":"Nikto","time":"2024-12-29T11:42:47Z"}',
      ],
      expect: [
        {
          atSeconds: 1_735_472_567.503804,
          client: '172.17.0.1',
          user: 'ann',
          method: 'PROPFIND',
          path: '/a',
          status: 207,
          responseTimeSeconds: 0.008184335,
          userAgent: 'Nikto',
        },
      ],
    },
  ],
});
