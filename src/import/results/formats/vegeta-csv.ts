import { csvCells, decimal } from '../csv-line.ts';
import type { SampleFormat } from '../result-format.ts';
import { VEGETA_MEANING, VEGETA_MISSING, vegetaSample } from './vegeta-sample.ts';

/** Timestamp in nanoseconds, code, latency in nanoseconds, bytes out and in. There is no header. */
const LINE = /^\d{18,19},\d{1,3},\d+,\d+,\d+,/;

/** `vegeta encode -to csv`: one result a line. */
export const vegetaCsv: SampleFormat = {
  kind: 'samples',
  name: 'vegeta-csv',
  tool: 'Vegeta',
  describe: 'vegeta encode -to csv',
  missing: VEGETA_MISSING,
  meaning: VEGETA_MEANING,
  openLoop: true,
  detect: ({ lines }) =>
    LINE.test(lines[0] ?? '')
      ? 'lines of Vegeta’s CSV (timestamp, code and latency in nanoseconds)'
      : undefined,
  open: (sink) => ({
    line(text) {
      const cells = LINE.test(text) ? csvCells(text) : undefined;
      if (cells === undefined) return 'no line of Vegeta’s CSV';
      // The timestamp has more digits than a double: seconds and nanoseconds are read apart.
      const stamp = cells[0]!;
      return sink.sample(
        vegetaSample({
          startSeconds: Number(stamp.slice(0, -9)) + Number(stamp.slice(-9)) / 1e9,
          nanoseconds: decimal(cells[2]),
          status: decimal(cells[1]),
          error: cells[5] ?? '',
          bytes: decimal(cells[4]),
          method: cells[9] ?? '',
          url: cells[10] ?? '',
        }),
      );
    },
  }),
};
