import { ShiploadError } from '../errors.ts';

/** One line of a metrics page. */
export interface PrometheusSample {
  /** As printed: with `_total`, `_bucket`, `_sum` … */
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** May be NaN or ±Infinity: that is what the page says. */
  readonly value: number;
  /** Seconds since the Unix epoch, where the line carries a timestamp. */
  readonly timestampSeconds?: number;
}

export interface PrometheusPage {
  readonly samples: readonly PrometheusSample[];
  /** `counter`, `gauge`, `histogram` … by family name. */
  readonly types: ReadonlyMap<string, string>;
  readonly help: ReadonlyMap<string, string>;
}

/**
 * Reads a metrics page in the Prometheus text format 0.0.4 or OpenMetrics 1.0.
 *
 * Timestamps are milliseconds in the first and seconds in the second, which ends in `# EOF`. Exemplars (from
 * ` # ` on) are passed over. Throws `metrics-unreadable` with the line where one does not fit.
 * Source: Prometheus, "Exposition formats"; OpenMetrics 1.0, section "Text format".
 */
export function parsePrometheusText(text: string): PrometheusPage {
  const samples: PrometheusSample[] = [];
  const types = new Map<string, string>();
  const help = new Map<string, string>();
  const timestampUnitSeconds = /^# EOF\s*$/m.test(text) ? 1 : 0.001;
  text.split('\n').forEach((rawLine, index) => {
    const line = rawLine.trim();
    if (line === '') return;
    if (line.startsWith('#')) {
      const [, keyword, name, rest = ''] = /^#\s+(HELP|TYPE)\s+(\S+)\s*(.*)$/.exec(line) ?? [];
      if (keyword === 'TYPE') types.set(name!, rest);
      if (keyword === 'HELP') help.set(name!, unescape(rest));
      return;
    }
    samples.push(parseSample(line, index + 1, timestampUnitSeconds));
  });
  return { samples, types, help };
}

/** The sum of all samples of `name` that carry at least `labels`; undefined when there are none. */
export function sumOfSamples(
  page: PrometheusPage,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const wanted = Object.entries(labels);
  const found = page.samples.filter(
    (sample) => sample.name === name && wanted.every(([label, value]) => sample.labels[label] === value),
  );
  return found.length === 0 ? undefined : found.reduce((sum, sample) => sum + sample.value, 0);
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*/;
const LABEL = /\s*([a-zA-Z_][a-zA-Z0-9_]*)\s*=\s*"((?:[^"\\]|\\.)*)"\s*(,|(?=\}))/y;

function parseSample(line: string, lineNumber: number, timestampUnitSeconds: number): PrometheusSample {
  const name = NAME.exec(line)?.[0];
  if (name === undefined) throw unreadable(line, lineNumber, 'a metric name is expected');
  const { labels, end } = parseLabels(line, name.length, lineNumber);
  const [value, timestamp] = line.slice(end).split(/\s#\s/, 1)[0]!.trim().split(/\s+/);
  const number = parseNumber(value ?? '');
  if (number === undefined) throw unreadable(line, lineNumber, `'${value}' is not a number`);
  if (timestamp === undefined) return { name, labels, value: number };
  const time = parseNumber(timestamp);
  if (time === undefined) throw unreadable(line, lineNumber, `'${timestamp}' is not a timestamp`);
  return { name, labels, value: number, timestampSeconds: time * timestampUnitSeconds };
}

function parseLabels(
  line: string,
  start: number,
  lineNumber: number,
): { labels: Record<string, string>; end: number } {
  const labels: Record<string, string> = {};
  const open = line.slice(start).search(/\S/) + start;
  if (line[open] !== '{') return { labels, end: start };
  let at = open + 1;
  for (;;) {
    const close = /\s*\}/y;
    close.lastIndex = at;
    if (close.test(line)) return { labels, end: close.lastIndex };
    LABEL.lastIndex = at;
    const match = LABEL.exec(line);
    if (match === null) throw unreadable(line, lineNumber, 'the labels do not fit name="value", …');
    labels[match[1]!] = unescape(match[2]!);
    at = LABEL.lastIndex;
  }
}

const unescape = (text: string): string => text.replace(/\\(.)/g, (_, char) => (char === 'n' ? '\n' : char));

const INFINITIES: Readonly<Record<string, number>> = { inf: Infinity, '+inf': Infinity, '-inf': -Infinity };

function parseNumber(text: string): number | undefined {
  const lower = text.toLowerCase();
  if (lower === 'nan') return NaN;
  if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/.test(lower)) return Number(lower);
  return INFINITIES[lower];
}

function unreadable(line: string, lineNumber: number, reason: string): ShiploadError {
  return new ShiploadError(
    'metrics-unreadable',
    `the metrics page is not readable: ${reason}: ${line.slice(0, 120)}`,
    {
      where: `line ${lineNumber}`,
      hint: 'the page must be in the Prometheus text format or OpenMetrics',
    },
  );
}
