import type { ReportDocument } from '../model/documents.ts';
import type { ComparedMetric, Comparison, RunRecord, ScoredPrediction } from '../model/record.ts';
import { comparedSteps, slowestP95 } from './compared-steps.ts';
import { printableData } from './escape.ts';
import { toReportDocument } from './json.ts';
import * as q from './quantities.ts';
import type { TextStyle } from './reporter.ts';
import { PLAIN_TEXT } from './reporter.ts';
import { loadKind, loadOf } from './step-columns.ts';
import { characterChart } from './text-charts.ts';
import type { Paint } from './text-layout.ts';
import { createPaint, hanging, section, table } from './text-layout.ts';
import { noticeLines } from './text.ts';
import { DECISION_WORDS } from './words.ts';

/** What `shipload compare` prints: both step tables, p95 of both over load, metrics with verdicts, predictions scored. */
export function renderComparison(
  comparison: Comparison,
  before: RunRecord,
  after: RunRecord,
  style: TextStyle = PLAIN_TEXT,
): string {
  const compared = printableData(comparison);
  const [first, second] = [before, after].map((record) => printableData(toReportDocument(record)));
  const paint = createPaint(style.color);
  const { width } = style;
  const lines = [
    ...hanging('', sidesText(compared), width).map(paint.strong),
    '',
    ...table(comparedSteps(first!, second!), width, paint),
    ...(isRepeated(compared) ? hanging('', mediansText(compared), width) : []),
    ...section(
      `p95 over ${loadKind(first!.steps).noun}, slowest route`,
      chart(first!, second!, width),
      paint,
    ),
    ...section(
      'What changed, at the judged load',
      metricTable(headlineMetrics(compared.metrics, first!), width, paint),
      paint,
    ),
    ...section(
      'Did the knee move?',
      compared.kneeShift === undefined ? [] : hanging('  ', compared.kneeShift.text, width),
      paint,
    ),
    ...section('Predictions, scored', predictionTable(compared.predictions, width, paint), paint),
    ...section('What is doubtful', noticeLines(compared.notices, width, paint), paint),
    ...section(
      'Decision',
      hanging('  ', outcomeText(compared), width).map((line) => dressed(compared, line, paint)),
      paint,
    ),
  ];
  return `${lines.join('\n')}\n`;
}

/** Letters would be those of the sides of `run --against`, a and b. */
const BEFORE_MARK = 'o';
const AFTER_MARK = 'x';

export const isRepeated = ({ before, after }: Comparison): boolean =>
  Math.max(before.runCount, after.runCount) > 1;

/** What tables and charts of several runs show. */
export function mediansText({ before, after }: Comparison): string {
  const counts = [before.runCount, after.runCount].map((count) => q.counted(count, 'run')).join(' and ');
  return `Table and charts show the medians of ${counts}.`;
}

function sidesText({ before, after }: Comparison): string {
  const side = ({ label, runCount }: Comparison['before']): string =>
    `${label} (${q.counted(runCount, 'run')})`;
  return `${side(before)} compared with ${side(after)}`;
}

/** The decision before and after, and whether anything got worse. */
export function outcomeText({ before, after, regression }: Comparison): string {
  const change = `${DECISION_WORDS[before.decision].word} before, ${DECISION_WORDS[after.decision].word} after`;
  const isTested = Math.min(before.runCount, after.runCount) > 1;
  const calm = isTested
    ? 'no regression beyond the noise'
    : 'no check got worse; one run a side does not tell the noise between runs';
  return `${change}; ${regression ? 'REGRESSION: it got worse' : calm}`;
}

function dressed({ after, regression }: Comparison, line: string, paint: Paint): string {
  return paint.strong(paint.tone(regression ? 'bad' : DECISION_WORDS[after.decision].tone, line));
}

function chart(before: ReportDocument, after: ReportDocument, width: number): readonly string[] {
  const limits = before.verdict.checks.flatMap(({ goal }) =>
    goal.metric === 'p95' && goal.comparison === '<=' ? [goal.limit] : [],
  );
  const lines = characterChart(
    [
      { mark: BEFORE_MARK, points: slowestP95(before) },
      { mark: AFTER_MARK, points: slowestP95(after) },
    ],
    [...new Set(limits)],
    width,
  );
  if (lines.length === 0) return [];
  const legend = `${BEFORE_MARK} ${before.label}, ${AFTER_MARK} ${after.label}, * both${limits.length === 0 ? '' : ', --- target'}; logarithmic`;
  return [...lines, ...hanging(' '.repeat(12), legend, width)];
}

/**
 * The metrics that a reader decides by: at the loads that were judged, and those of the whole run. The JSON
 * document has them at every load.
 */
export function headlineMetrics<Metric extends { readonly load?: number }>(
  metrics: readonly Metric[],
  { verdict, peakLoad, steps }: ReportDocument,
): readonly Metric[] {
  const judged = verdict.checks.flatMap(({ goal }) => goal.load ?? []);
  const loads = new Set([...judged, ...(peakLoad === undefined ? [] : [peakLoad])]);
  const fallback = loads.size === 0 ? steps.at(-1) : undefined;
  if (fallback !== undefined) loads.add(loadOf(fallback));
  const headline = metrics.filter(({ load }) => load === undefined || loads.has(load));
  return headline.length > 0 ? headline : metrics;
}

/** The metrics' cells: name, before, after, ratio, interval of the ratio, noise of equal runs, verdict. */
export function metricRows(metrics: readonly ComparedMetric[]): readonly (readonly string[])[] {
  return metrics.map((metric) => [
    metric.name,
    q.quantity(metric.before, metric.unit),
    q.quantity(metric.after, metric.unit),
    q.times(metric.ratio),
    metric.interval === undefined ? q.MISSING : q.range(metric.interval, q.figure),
    metric.noiseFloorRatio === undefined ? q.MISSING : `±${q.percent(metric.noiseFloorRatio)}`,
    metric.verdict,
  ]);
}

export const METRIC_HEADINGS = [
  'metric',
  'before',
  'after',
  'ratio',
  'interval',
  'noise',
  'verdict',
] as const;

/** The predictions' cells: option, quantity, predicted, measured, how far off, kept or MISSED. */
export function predictionRows(predictions: readonly ScoredPrediction[]): readonly (readonly string[])[] {
  return predictions.map((one) => [
    one.option,
    one.quantity,
    q.quantity(one.predicted, one.unit),
    q.quantity(one.measured, one.unit),
    q.signedPercent(one.errorRatio),
    outcomeOf(one),
  ]);
}

/** `kept (±10 %)` or `MISSED (±10 %)`; a dash where no limit is set. */
const outcomeOf = ({ outcome, limitRatio }: ScoredPrediction): string =>
  outcome === undefined ? q.MISSING : `${outcome === 'kept' ? 'kept' : 'MISSED'} (±${q.percent(limitRatio)})`;

export const PREDICTION_HEADINGS = [
  'option',
  'quantity',
  'predicted',
  'measured',
  'off by',
  'outcome',
] as const;

function wordTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  left: readonly string[],
) {
  return headings.map((heading, i) => ({
    heading,
    cells: rows.map((row) => row[i]!),
    ...(left.includes(heading) ? { align: 'left' as const } : {}),
  }));
}

function metricTable(metrics: readonly ComparedMetric[], width: number, paint: Paint): readonly string[] {
  if (metrics.length === 0) return [];
  const columns = wordTable(METRIC_HEADINGS, metricRows(metrics), ['metric', 'verdict']);
  return table(columns, width, paint);
}

/** Scored predictions alone. */
export const renderPredictions = (
  predictions: readonly ScoredPrediction[],
  { width, color }: TextStyle = PLAIN_TEXT,
): string => `${predictionTable(predictions, width, createPaint(color)).join('\n')}\n`;

function predictionTable(
  predictions: readonly ScoredPrediction[],
  width: number,
  paint: Paint,
): readonly string[] {
  if (predictions.length === 0) return [];
  return table(
    wordTable(PREDICTION_HEADINGS, predictionRows(predictions), ['option', 'quantity', 'outcome']),
    width,
    paint,
  );
}
