import type { Notice } from '../../model/notice.ts';
import { templateFormat } from '../template-format.ts';

const NO_ZONE: Notice = {
  code: 'log-without-zone',
  severity: 'warning',
  message: 'uWSGI stamps local time and does not say which zone; it is read as UTC',
};

/** uWSGI's request log: the start in local time, durations in milliseconds or microseconds as it pleases. */
export const uwsgi = templateFormat({
  name: 'uwsgi',
  shape:
    '[pid: 1|app: 0|req: 1/1] client () {32 vars in 400 bytes} [Sun Mar 13 22:49:12 2016] GET /path => generated 12 bytes in 129 msecs (HTTP/1.1 200) …',
  looksLike: /^\[pid: \d+\|/,
  templates: [
    {
      fields: [
        { before: '[', kind: 'skippedText' },
        { before: '] ', kind: 'client' },
        { before: ' (', kind: 'skippedText' },
        { before: '} [', kind: 'asctimeStamp' },
        { before: '] ', kind: 'method' },
        { before: ' ', kind: 'target' },
        { before: ' => generated ', kind: 'responseBytes' },
        { before: ' bytes in ', kind: 'durationText' },
        { before: ' (', kind: 'skipped' },
        { before: ' ', kind: 'status' },
        { before: ') ', kind: 'skippedText' },
      ],
      after: '',
      escapes: 'none',
      timestampMeaning: 'start',
      stampResolutionSeconds: 1,
      notices: [NO_ZONE],
    },
  ],
  samples: [
    {
      title: 'two units in one file',
      lines: [
        '[pid: 2|app: 0|req: 1/1] 192.0.2.1 () {32 vars in 400 bytes} [Sun Mar 13 22:49:12 2016] GET /a?b=c => generated 12 bytes in 129 msecs (HTTP/1.1 200) 2 headers in 79 bytes (1 switches on core 0)',
        '[pid: 2|app: 0|req: 2/2] 192.0.2.1 () {32 vars in 400 bytes} [Sun Mar  6 22:49:12 2016] POST /endpoint2 => generated 215 bytes in 68 micros (HTTP/1.1 200) 2 headers in 79 bytes (1 switches on core 0)',
      ],
      expect: [
        {
          atSeconds: 1_457_909_352,
          client: '192.0.2.1',
          responseTimeSeconds: 0.129,
          path: '/a',
          responseBytes: 12,
        },
        { atSeconds: 1_457_304_552, method: 'POST', responseTimeSeconds: 0.000068 },
      ],
    },
  ],
});
