import type { Notice } from '../../model/notice.ts';
import { templateFormat } from '../template-format.ts';
import type { Template, TemplateField } from '../template.ts';

const TO_HEADERS: Notice = {
  code: 'log-duration-to-headers',
  severity: 'warning',
  message: 'morgan’s response-time ends when the headers are sent, not when the response is',
  advice: 'Log :total-time and :date[iso], and give that string with --format.',
};

const layout = (fields: readonly TemplateField[], after: string): Template => ({
  fields,
  after,
  escapes: 'none',
  timestampMeaning: 'none',
  stampResolutionSeconds: 1,
  notices: [TO_HEADERS],
});

const ESC = '\u001b[';

/** Express's morgan in its layouts `tiny`, `short` and `dev`: no time, so they say what was asked for, not when. */
export const morgan = templateFormat({
  name: 'morgan',
  shape: 'GET /path 200 5 - 2503.618 ms, with the client before it (short), or coloured (dev)',
  looksLike: /^(?:[^\x20-\x7e]\[0m|\S+ \S+ )?[A-Z]+ \S+ .*(?:-|[\d.]+) ms(?: - \S+)?\s*$/,
  templates: [
    layout(
      [
        { before: '', kind: 'method' },
        { before: ' ', kind: 'target' },
        { before: ' ', kind: 'status' },
        { before: ' ', kind: 'responseBytes' },
        { before: ' - ', kind: 'durationMilliseconds' },
      ],
      ' ms',
    ),
    layout(
      [
        { before: '', kind: 'client' },
        { before: ' ', kind: 'skipped' },
        { before: ' ', kind: 'method' },
        { before: ' ', kind: 'target' },
        { before: ' HTTP/', kind: 'skipped' },
        { before: ' ', kind: 'status' },
        { before: ' ', kind: 'responseBytes' },
        { before: ' - ', kind: 'durationMilliseconds' },
      ],
      ' ms',
    ),
    layout(
      [
        { before: `${ESC}0m`, kind: 'method' },
        { before: ' ', kind: 'target' },
        { before: ` ${ESC}`, kind: 'skipped' },
        { before: 'm', kind: 'status' },
        { before: `${ESC}0m `, kind: 'durationMilliseconds' },
        { before: ' ms - ', kind: 'responseBytes' },
      ],
      `${ESC}0m`,
    ),
  ],
  samples: [
    {
      title: 'tiny',
      lines: ['GET /slow?ms=2500&id=1 200 5 - 2503.618 ms', 'GET /abort - - - - ms'],
      expect: [{ path: '/slow', status: 200, responseTimeSeconds: 2.503618 }, { status: 0 }],
    },
    {
      title: 'short',
      lines: ['127.0.0.1 - GET /fast?ms=0 HTTP/1.1 200 5 - 0.512 ms'],
      expect: [{ client: '127.0.0.1', path: '/fast', responseTimeSeconds: 0.000512, responseBytes: 5 }],
    },
    {
      title: 'dev',
      lines: [
        `${ESC}0mGET /fast?ms=0 ${ESC}32m200${ESC}0m 0.512 ms - 5${ESC}0m`,
        `${ESC}0mGET /abort ${ESC}0m-${ESC}0m - ms - -${ESC}0m`,
      ],
      expect: [
        { path: '/fast', status: 200, responseTimeSeconds: 0.000512 },
        { path: '/abort', status: 0 },
      ],
    },
  ],
});
