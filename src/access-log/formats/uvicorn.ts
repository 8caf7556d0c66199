import type { FieldKind } from '../fields.ts';
import { templateFormat } from '../template-format.ts';

const AFTER_CLIENT = [
  { before: ' - "', kind: 'request' },
  { before: '" ', kind: 'status' },
  { before: ' ', kind: 'skippedText' },
] as const satisfies readonly { before: string; kind: FieldKind }[];

/** Written when the answer begins; the time is that of a collector, or of a logger that was given one. */
const STAMPED = {
  after: '',
  escapes: 'none',
  timestampMeaning: 'end',
  stampResolutionSeconds: 1e-3,
} as const;

/**
 * uvicorn's own lines: no time, so they say what was asked for and by whom, not when; unless a time stands before
 * them, as a collector (see `wrappers.ts`) or a formatter of Python's logging puts it there.
 */
export const uvicorn = templateFormat({
  name: 'uvicorn',
  shape: 'INFO:     127.0.0.1:46160 - "GET /path HTTP/1.1" 200 OK',
  looksLike: /^(?:\d{4}-\d\d-\d\d[ T]\S+ )?INFO: +\S+ - "/,
  asides:
    /^(?:\d{4}-\d\d-\d\d[ T]\S+ )?(?:(?:INFO|WARNING|ERROR|DEBUG|CRITICAL): |Traceback| |[\w.]+(?:Error|Exception)\b)/,
  templates: [
    {
      fields: [{ before: 'INFO:     ', kind: 'client' }, ...AFTER_CLIENT],
      after: '',
      escapes: 'none',
      timestampMeaning: 'none',
      stampResolutionSeconds: 1,
    },
    {
      ...STAMPED,
      fields: [{ before: '', kind: 'isoStamp' }, { before: ' INFO:     ', kind: 'client' }, ...AFTER_CLIENT],
    },
    {
      // `%(asctime)s` of Python's logging: the thousandths stand behind a comma.
      ...STAMPED,
      fields: [
        { before: '', kind: 'isoStamp' },
        { before: ',', kind: 'skippedText' },
        { before: ' INFO:     ', kind: 'client' },
        ...AFTER_CLIENT,
      ],
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
    {
      title: 'a time before the line',
      lines: [
        '2026-11-30T10:00:00.250Z INFO:     10.0.0.1:0 - "GET /a HTTP/1.1" 200 OK',
        '2026-11-30T10:00:00.250Z INFO:     Started server process [21982]',
      ],
      expect: [
        {
          client: '10.0.0.1',
          path: '/a',
          status: 200,
          atSeconds: Date.UTC(2026, 10, 30, 10) / 1e3 + 0.25,
        },
        'aside',
      ],
      absent: ['responseTimeSeconds'],
    },
    {
      title: 'the time of a Python logger',
      lines: ['2026-11-30 10:00:00,250 INFO:     10.0.0.1:0 - "GET /a HTTP/1.1" 200 OK'],
      expect: [{ client: '10.0.0.1', path: '/a', status: 200, atSeconds: Date.UTC(2026, 10, 30, 10) / 1e3 }],
      absent: ['responseTimeSeconds'],
    },
  ],
});
