import { decimal } from '../csv-line.ts';
import type { SampleFormat } from '../result-format.ts';
import { ALL_REQUESTS } from '../sample.ts';

const HEADER = 'starttime\tseconds\tctime\tdtime\tttime\twait';

/** `ab -g FILE`: one request a line, sorted by its time, which is in whole milliseconds. */
export const abGnuplot: SampleFormat = {
  kind: 'samples',
  name: 'ab-gnuplot',
  tool: 'ab',
  describe: 'ab -g FILE',
  missing: ['which requests failed', 'the number of connections', 'routes', 'bytes per request'],
  meaning: [
    'ab counts a response time from the begin of the connection to the last byte, in whole milliseconds.',
  ],
  clockSeconds: 1,
  errorsUnknown: true,
  detect: ({ lines }) =>
    (lines[0] ?? '').trim() === HEADER
      ? 'the header of ab’s gnuplot file (starttime, seconds, …)'
      : undefined,
  open: (sink) => ({
    line(text) {
      if (text.trim() === HEADER) return undefined;
      const cells = text.split('\t');
      if (cells.length !== 6) return `${cells.length} cells, not 6`;
      return sink.sample({
        startSeconds: decimal(cells[1]),
        responseTimeSeconds: decimal(cells[4]) / 1000,
        route: ALL_REQUESTS,
        outcome: 'ok',
      });
    },
  }),
};
