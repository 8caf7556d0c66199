import { epochSeconds } from '../clock-text.ts';
import { amountOf, asObject, parsedLine, textOf } from '../json-value.ts';
import type { SampleFormat } from '../result-format.ts';
import { VEGETA_MEANING, VEGETA_MISSING, vegetaSample } from './vegeta-sample.ts';

/** `vegeta encode -to json`: one result a line. */
export const vegetaJson: SampleFormat = {
  kind: 'samples',
  name: 'vegeta-json',
  tool: 'Vegeta',
  describe: 'vegeta encode -to json',
  missing: VEGETA_MISSING,
  meaning: VEGETA_MEANING,
  openLoop: true,
  detect: ({ lines }) =>
    (lines[0] ?? '').startsWith('{"attack":') && /"latency":/.test(lines[0]!)
      ? 'lines of Vegeta results ({"attack":…,"latency":…})'
      : undefined,
  open: (sink) => ({
    line(text) {
      const value = asObject(parsedLine(text));
      if (value === undefined) return 'not JSON';
      const nanoseconds = amountOf(value['latency']);
      const startSeconds = epochSeconds(textOf(value['timestamp']) ?? '');
      if (nanoseconds === undefined || Number.isNaN(startSeconds))
        return 'a Vegeta result without timestamp or latency';
      return sink.sample(
        vegetaSample({
          startSeconds,
          nanoseconds,
          status: amountOf(value['code']) ?? 0,
          error: textOf(value['error']) ?? '',
          bytes: amountOf(value['bytes_in']) ?? NaN,
          method: textOf(value['method']) ?? '',
          url: textOf(value['url']) ?? '',
        }),
      );
    },
  }),
};
