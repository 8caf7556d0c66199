import type { MetricSpread, NoiseFloor, RunRecord } from '../model/record.ts';
import { metricWords } from '../stats/metric-words.ts';
import { headlineMetrics } from './comparison-text.ts';
import { printable } from './escape.ts';
import { toReportDocument } from './json.ts';
import * as q from './quantities.ts';
import type { TextStyle } from './reporter.ts';
import { PLAIN_TEXT } from './reporter.ts';
import { createPaint, hanging, section, table } from './text-layout.ts';
import { DECISION_WORDS } from './words.ts';

/** Several runs of one plan: the decision of each, and how far their figures at the judged load lie apart. */
export function renderRepeats(
  records: readonly RunRecord[],
  spreads: readonly MetricSpread[],
  folder: string,
  floor: NoiseFloor | undefined,
  style: TextStyle = PLAIN_TEXT,
): string {
  const paint = createPaint(style.color);
  const decisions = records.map(({ verdict }) => DECISION_WORDS[verdict.decision].word).join(', ');
  const rows = headlineMetrics(spreads, toReportDocument(records[0]!)).map((metric) => [
    printable(metricWords(metric.name)),
    q.quantity(metric.median, metric.unit),
    q.quantity(metric.low, metric.unit),
    q.quantity(metric.high, metric.unit),
    floorText(floor?.ratios[metric.name]),
  ]);
  const headings = ['metric', 'median', 'lowest', 'highest', 'noise'];
  const columns = headings.map((heading, i) => ({
    heading,
    cells: rows.map((row) => row[i]!),
    ...(i === 0 ? { align: 'left' as const } : {}),
  }));
  const noise =
    floor === undefined
      ? 'No noise floor is known for this plan on this machine.'
      : `Noise: 95 % of the pairs of ${q.counted(floor.runCount, 'equal run')} differ by no more. A comparison of this plan on this machine counts no smaller difference as a change.`;
  const lines = [
    paint.strong(`${q.counted(records.length, 'run')} in ${printable(folder)}/`),
    `Decisions: ${decisions}`,
    ...section('At the judged load', table(columns, style.width, paint), paint),
    '',
    ...hanging('', noise, style.width),
  ];
  return `${lines.join('\n')}\n`;
}

const floorText = (ratio: number | undefined): string =>
  ratio === undefined ? q.MISSING : `±${q.percent(ratio)}`;
