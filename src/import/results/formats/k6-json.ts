import { epochSeconds } from '../clock-text.ts';
import { asObject, fieldOf, numberOf, parsedLine, textOf } from '../json-value.ts';
import type { SampleFormat } from '../result-format.ts';
import { k6Sample, K6_MEANING, K6_MISSING } from './k6-sample.ts';

const WANTED = /"metric":"(?:http_req_duration|vus|dropped_iterations)"/;
const ANY_POINT = /^\s*\{.*"type"\s*:\s*"(?:Point|Metric)"/;

/** `k6 run --out json=FILE`: a line for every value of every metric. */
export const k6Json: SampleFormat = {
  kind: 'samples',
  name: 'k6-json',
  tool: 'k6',
  describe: 'k6 run --out json=FILE',
  missing: K6_MISSING,
  meaning: K6_MEANING,
  detect: ({ lines }) =>
    lines.slice(0, 3).some((line) => ANY_POINT.test(line) && /"metric"\s*:/.test(line))
      ? 'lines of k6 metrics ({"metric":…,"type":"Point",…})'
      : undefined,
  open: (sink) => ({
    line(text) {
      // Nine of ten lines are of metrics that no request needs; they need not be parsed to know that.
      if (!WANTED.test(text)) return ANY_POINT.test(text) ? undefined : 'no k6 metric';
      const point = parsedLine(text);
      if (point === undefined) return 'not JSON';
      if (fieldOf(point, 'type') !== 'Point') return undefined;
      const data = asObject(fieldOf(point, 'data'));
      const value = numberOf(data?.['value']);
      const atSeconds = epochSeconds(textOf(data?.['time']) ?? '');
      if (value === undefined || Number.isNaN(atSeconds)) return 'a k6 metric without time or value';
      const metric = fieldOf(point, 'metric');
      if (metric === 'vus') sink.users(atSeconds, value);
      else if (metric === 'dropped_iterations') sink.count('dropped_iterations', value);
      else {
        const tags = data?.['tags'];
        return sink.sample(k6Sample(atSeconds, value, (name) => textOf(fieldOf(tags, name)) ?? ''));
      }
      return undefined;
    },
  }),
};
