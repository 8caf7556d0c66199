import { epochSeconds } from '../clock-text.ts';
import { columnsOf, csvCells, decimal } from '../csv-line.ts';
import type { SampleFormat } from '../result-format.ts';
import { k6Sample, K6_MEANING, K6_MISSING } from './k6-sample.ts';

const isHeader = (line: string): boolean => line.startsWith('metric_name,timestamp,metric_value,');

/** `k6 run --out csv=FILE`: the same as lines of CSV. Times are whole seconds unless K6_CSV_TIME_FORMAT says otherwise. */
export const k6Csv: SampleFormat = {
  kind: 'samples',
  name: 'k6-csv',
  tool: 'k6',
  describe: 'k6 run --out csv=FILE',
  missing: K6_MISSING,
  meaning: K6_MEANING,
  clockSeconds: 1,
  detect: ({ lines }) =>
    isHeader(lines[0] ?? '') ? 'the header of k6’s CSV (metric_name,timestamp,metric_value,…)' : undefined,
  open(sink) {
    let header: readonly string[] | undefined;
    const indexes = new Map<string, number>();
    return {
      line(text) {
        if (header === undefined || isHeader(text)) {
          header = csvCells(text) ?? [];
          indexes.clear();
          for (const [i, name] of header.entries()) indexes.set(name, i);
          const { metric_name: metric } = columnsOf(header, ['metric_name']);
          return metric === undefined ? 'no header of k6’s CSV' : undefined;
        }
        if (!/^(?:http_req_duration|vus|dropped_iterations),/.test(text)) {
          return /^[\w:]+,/.test(text) ? undefined : 'no k6 metric';
        }
        const cells = csvCells(text);
        if (cells === undefined) return 'quotes without an end';
        const atSeconds = timeOf(cells[1] ?? '');
        const value = decimal(cells[2]);
        if (Number.isNaN(atSeconds) || Number.isNaN(value)) return 'a k6 metric without time or value';
        if (cells[0] === 'vus') sink.users(atSeconds, value);
        else if (cells[0] === 'dropped_iterations') sink.count('dropped_iterations', value);
        else return sink.sample(k6Sample(atSeconds, value, (name) => cells[indexes.get(name) ?? -1] ?? ''));
        return undefined;
      },
    };
  },
};

/** Seconds, milli-, micro- or nanoseconds since the epoch, told apart by their size, or RFC 3339. */
function timeOf(text: string): number {
  const value = decimal(text);
  if (Number.isNaN(value)) return epochSeconds(text);
  if (value > 1e17) return value / 1e9;
  if (value > 1e14) return value / 1e6;
  return value > 1e11 ? value / 1e3 : value;
}
