import { decimal } from '../csv-line.ts';
import type { SampleFormat } from '../result-format.ts';
import { answerSample } from '../sample.ts';

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
      const sample = answerSample(decimal(cells[7]), decimal(cells[0]), decimal(cells[6]));
      return typeof sample === 'string' ? sample : sink.sample(sample);
    },
  }),
};
