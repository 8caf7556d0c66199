import type { Notice } from '../../model/notice.ts';
import { jsonFormat } from '../named-json.ts';

const ONE_USER: Notice = {
  code: 'log-of-one-user',
  severity: 'warning',
  message: 'an HTTP Archive is what one browser did: it shows what a page loads, not the mix of all users',
};

/** An HTTP Archive, its entries taken a line each: the start is stamped, times are milliseconds. */
export const har = jsonFormat({
  name: 'har',
  shape: '{"log":{"entries":[{"startedDateTime":"…Z","time":30.5,"request":{…},"response":{…}}]}}',
  marks: ['startedDateTime', 'method', 'url'],
  fields: {
    startedDateTime: 'stamp',
    time: 'milliseconds',
    method: 'method',
    url: 'target',
    status: 'status',
    bodySize: 'size',
    userAgent: 'userAgent',
  },
  timestampMeaning: 'start',
  stampResolutionSeconds: 0.001,
  notices: [ONE_USER],
  samples: [
    {
      title: 'an archive',
      lines: [
        '{"startedDateTime":"2026-11-30T17:56:37.216Z","time":30.5,"method":"GET","url":"https://shop.example/a?b=c#d","status":200,"bodySize":-1,"userAgent":"Mozilla/5.0"}',
      ],
      expect: [
        {
          atSeconds: 1_796_061_397.216,
          responseTimeSeconds: 0.0305,
          path: '/a',
          query: 'b=c',
          status: 200,
          userAgent: 'Mozilla/5.0',
        },
      ],
      absent: ['responseBytes'],
    },
  ],
});
