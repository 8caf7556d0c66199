import { csvCells, decimal } from '../csv-line.ts';
import type { SampleFormat } from '../result-format.ts';
import { jtlSample, JTL_MEANING, JTL_MISSING, type JtlField } from './jtl-sample.ts';

const NAMES: Readonly<Record<Parameters<JtlField>[0], string>> = {
  time: 'timeStamp',
  elapsed: 'elapsed',
  label: 'label',
  code: 'responseCode',
  message: 'responseMessage',
  success: 'success',
  bytes: 'bytes',
  threads: 'allThreads',
};

const headerOf = (line: string): readonly string[] | undefined =>
  SEPARATORS.map((separator) => line.split(separator)).find(
    (cells) => cells.includes('timeStamp') && cells.includes('elapsed'),
  );
const SEPARATORS = [',', '\t', ';', '|'];

/** JMeter's results (`jmeter -n -l FILE`) as CSV, with its header (`jmeter.save.saveservice.print_field_names`). */
export const jtlCsv: SampleFormat = {
  kind: 'samples',
  name: 'jtl-csv',
  tool: 'JMeter',
  describe: 'jmeter -n -l FILE, as CSV with its header',
  missing: JTL_MISSING,
  meaning: JTL_MEANING,
  detect: ({ lines }) =>
    headerOf(lines[0] ?? '') === undefined
      ? undefined
      : 'the header of JMeter’s results (timeStamp,elapsed,…)',
  open(sink) {
    let separator = ',';
    const indexes = new Map<string, number>();
    return {
      line(text) {
        // Only a header can hold this name; the lines are many.
        const header = text.includes('timeStamp') ? headerOf(text) : undefined;
        if (header !== undefined) {
          separator = SEPARATORS.find((candidate) => text.split(candidate).length === header.length)!;
          indexes.clear();
          for (const [i, name] of header.entries()) indexes.set(name, i);
          return undefined;
        }
        if (indexes.size === 0) return 'no header of JMeter’s results before it';
        const cells = csvCells(text, separator);
        if (cells === undefined) return 'quotes without an end';
        if (cells.length < indexes.size) return `${cells.length} cells under ${indexes.size} names`;
        const field: JtlField = (name) => cells[indexes.get(NAMES[name]) ?? -1] ?? '';
        const atSeconds = timeOf(field('time'));
        if (Number.isNaN(atSeconds)) return `timeStamp is "${field('time').slice(0, 30)}"`;
        const sample = jtlSample(field, atSeconds);
        return typeof sample === 'string' ? sample : sink.sample(sample);
      },
    };
  },
};

/** Milliseconds since the epoch, or a date as `jmeter.save.saveservice.timestamp_format` may ask for, read as UTC. */
function timeOf(text: string): number {
  const value = decimal(text);
  if (!Number.isNaN(value)) return value / 1000;
  const match = /^(\d{4})[-/](\d\d)[-/](\d\d)[ T](\d\d:\d\d:\d\d)([.,]\d+)?$/.exec(text);
  if (match === null) return NaN;
  const [, year, month, day, time, fraction = ''] = match;
  return (
    Date.parse(`${year}-${month}-${day}T${time}Z`) / 1000 +
    (fraction === '' ? 0 : Number(`0.${fraction.slice(1)}`))
  );
}
