import { decimal } from '../csv-line.ts';
import type { SampleFormat } from '../result-format.ts';
import { answerSample } from '../sample.ts';

const HEADER = /^request-start,DNS,DNS\+dialup,Response-delay,request-duration,bytes,status$/;

/** `oha --output-format csv`: one answer a line, times in seconds since the start. */
export const ohaCsv: SampleFormat = {
  kind: 'samples',
  name: 'oha-csv',
  tool: 'oha',
  describe: 'oha --output-format csv',
  missing: [
    'requests that got no answer (oha leaves them out of its CSV)',
    'the number of workers',
    'routes',
  ],
  meaning: [
    'oha counts a response time from before the request, connecting in it, to the last byte; with --latency-correction from when it was due.',
  ],
  detect: ({ lines }) =>
    HEADER.test((lines[0] ?? '').trim()) ? 'the header of oha’s CSV (request-start,DNS,…)' : undefined,
  open: (sink) => ({
    line(text) {
      if (HEADER.test(text.trim())) return undefined;
      const cells = text.split(',');
      if (cells.length !== 7) return `${cells.length} cells, not 7`;
      const sample = answerSample(decimal(cells[0]), decimal(cells[4]), decimal(cells[6]), decimal(cells[5]));
      return typeof sample === 'string' ? sample : sink.sample(sample);
    },
  }),
};
