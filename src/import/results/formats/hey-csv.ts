import { decimal } from '../csv-line.ts';
import type { SampleFormat } from '../result-format.ts';
import { isSuccess } from '../sample.ts';

const HEADER = 'response-time,DNS+dialup,DNS,Request-write,Response-delay,Response-read,status-code,offset';

/** `hey -o csv`: one answer a line, times in seconds. */
export const heyCsv: SampleFormat = {
  kind: 'samples',
  name: 'hey-csv',
  tool: 'hey',
  describe: 'hey -o csv',
  missing: [
    'requests that got no answer (hey leaves them out of its CSV)',
    'the number of workers',
    'routes',
    'bytes per request',
  ],
  meaning: ['hey counts a response time from before the request, connecting in it, to the last byte.'],
  detect: ({ lines }) =>
    (lines[0] ?? '').trim() === HEADER ? 'the header of hey’s CSV (response-time,DNS+dialup,…)' : undefined,
  open: (sink) => ({
    line(text) {
      if (text.trim() === HEADER) return undefined;
      const cells = text.split(',');
      if (cells.length !== 8) return `${cells.length} cells, not 8`;
      const status = decimal(cells[6]);
      if (!(status >= 0)) return 'no status code';
      const isOk = isSuccess(status);
      return sink.sample({
        startSeconds: decimal(cells[7]),
        responseTimeSeconds: decimal(cells[0]),
        route: ALL_REQUESTS,
        outcome: isOk ? 'ok' : 'error',
        status,
        ...(!isOk && { errorCode: `http-${status}` }),
      });
    },
  }),
};

/** The one route of tools that do not name any. */
export const ALL_REQUESTS = 'all requests';
