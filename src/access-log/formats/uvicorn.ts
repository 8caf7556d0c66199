import { templateFormat } from '../template-format.ts';

/** uvicorn's own lines: no time, so they say what was asked for and by whom, not when. */
export const uvicorn = templateFormat({
  name: 'uvicorn',
  shape: 'INFO:     127.0.0.1:46160 - "GET /path HTTP/1.1" 200 OK',
  looksLike: /^INFO: +\S+ - "/,
  asides: /^(?:INFO|WARNING|ERROR|DEBUG|CRITICAL): |^Traceback|^ |^[\w.]+(?:Error|Exception)\b/,
  templates: [
    {
      fields: [
        { before: 'INFO:     ', kind: 'client' },
        { before: ' - "', kind: 'request' },
        { before: '" ', kind: 'status' },
        { before: ' ', kind: 'skippedText' },
      ],
      after: '',
      escapes: 'none',
      timestampMeaning: 'none',
      stampResolutionSeconds: 1,
    },
  ],
  samples: [
    {
      title: 'requests among other lines of the server',
      lines: [
        'INFO:     Started server process [21982]',
        'INFO:     10.0.0.1:0 - "GET /slow?ms=2500&id=1 HTTP/1.1" 200 OK',
        'WARNING:  Invalid HTTP request received.',
        'Traceback (most recent call last):',
      ],
      expect: ['aside', { client: '10.0.0.1', path: '/slow', status: 200 }, 'aside', 'aside'],
      absent: ['responseTimeSeconds'],
    },
  ],
});
