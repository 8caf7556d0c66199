import { templateFormat } from '../template-format.ts';

/** HAProxy's `option httplog clf`: the milliseconds of the start stand in a column of their own. */
export const haproxyClf = templateFormat({
  name: 'haproxy-clf',
  shape:
    'client - - [30/Nov/2026:17:57:05 +0000] "GET /path HTTP/1.1" 200 158 "" "" port ms "frontend" "backend" "server" TR Tw Tc Tr Ta "----" …',
  looksLike:
    /" (?:\d{3}|-) \d+ "[^"]*" "[^"]*" \d+ \d{1,3} "[^"]*" "[^"]*" "[^"]*" -?\d+ -?\d+ -?\d+ -?\d+ \+?\d+ /,
  templates: [
    {
      fields: [
        { before: '', kind: 'client' },
        { before: ' - - [', kind: 'clfStamp' },
        { before: '] "', kind: 'request' },
        { before: '" ', kind: 'status' },
        { before: ' ', kind: 'responseBytes' },
        { before: ' "', kind: 'skippedText' },
        { before: '" "', kind: 'skippedText' },
        { before: '" ', kind: 'skipped' },
        { before: ' ', kind: 'stampMilliseconds' },
        { before: ' "', kind: 'skippedText' },
        { before: '" "', kind: 'skippedText' },
        { before: '" "', kind: 'skippedText' },
        { before: '" ', kind: 'skipped' },
        { before: ' ', kind: 'skipped' },
        { before: ' ', kind: 'skipped' },
        { before: ' ', kind: 'skipped' },
        { before: ' ', kind: 'durationMilliseconds' },
        { before: ' "', kind: 'skippedText' },
      ],
      after: '',
      escapes: 'hash',
      timestampMeaning: 'start',
      stampResolutionSeconds: 0.001,
    },
  ],
  samples: [
    {
      title: 'seconds and their milliseconds are put together',
      lines: [
        '127.0.0.1 - - [30/Nov/2026:17:57:20 +0000] "GET /slow?ms=2500 HTTP/1.1" 200 158 "" "" 33448 222 "fe" "be" "s1" 0 0 0 2503 2503 "----" 1 1 0 0 0 0 0 "" ""',
      ],
      expect: [
        { atSeconds: 1_796_061_440.222, responseTimeSeconds: 2.503, path: '/slow', responseBytes: 158 },
      ],
    },
  ],
});
