import type { ReportDocument } from '../model/documents.ts';
import type { ComparedMetric, Comparison, RunRecord, ScoredPrediction } from '../model/record.ts';
import { metricWords } from '../stats/metric-words.ts';
import { areOfOneLoadKind, comparedNotes, comparedSteps, slowestP95 } from './compared-steps.ts';
import { printableData } from './escape.ts';
import { toReportDocument } from './json.ts';
import * as q from './quantities.ts';
import type { TextStyle } from './reporter.ts';
import { PLAIN_TEXT } from './reporter.ts';
import { loadKind } from './step-columns.ts';
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
    ...comparedNotes(first!, second!),
    ...(isRepeated(compared) ? hanging('', mediansText(compared), width) : []),
    ...section(
      `p95 over ${loadKind(first!.steps).noun}, slowest route`,
      chart(first!, second!, width),
      paint,
    ),
    ...section(
      metricsHeading(compared.metrics, first!),
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

/** The decision before and after, and what is known of whether anything got worse. */
export function outcomeText(comparison: Comparison): string {
  const { before, after } = comparison;
  const change = `${DECISION_WORDS[before.decision].word} before, ${DECISION_WORDS[after.decision].word} after`;
  return `${change}; ${worseOrNot(comparison)}`;
}

function worseOrNot({ before, after, regression, metrics }: Comparison): string {
  if (regression) return 'REGRESSION: it got worse';
  if (metrics.length === 0) return 'the two sides have nothing in common that could be compared';
  if (after.decision === 'invalid') return 'a run after is not valid: whether it got worse cannot be told';
  if (metrics.some(({ verdict }) => verdict !== 'indicative')) return 'no regression beyond the noise';
  const isJudged = before.decision !== 'not-judged' && after.decision !== 'not-judged';
  const runs = Math.max(before.runCount, after.runCount) === 1 ? 'one run a side does' : 'so few runs do';
  return `${isJudged ? 'no check got worse' : 'no check was compared'}; ${runs} not tell the noise between runs`;
}

function dressed({ after, regression }: Comparison, line: string, paint: Paint): string {
  return paint.strong(paint.tone(regression ? 'bad' : DECISION_WORDS[after.decision].tone, line));
}

function chart(before: ReportDocument, after: ReportDocument, width: number): readonly string[] {
  if (!areOfOneLoadKind(before, after)) return [];
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

/** The loads that a reader decides by: those judged, and the peak. */
function headlineLoads({ verdict, peakLoad }: ReportDocument): readonly number[] {
  const judged = verdict.checks.flatMap(({ goal }) => goal.load ?? []);
  return [...judged, ...(peakLoad === undefined ? [] : [peakLoad])];
}

/** `What changed, at the judged load`; where nothing was judged, at the peak or the highest load that is compared. */
export function metricsHeading(
  metrics: readonly { readonly load?: number }[],
  document: ReportDocument,
): string {
  const wanted = new Set(headlineLoads(document));
  if (!metrics.some(({ load }) => load !== undefined && wanted.has(load)))
    return 'What changed, at the highest common load';
  return `What changed, at the ${document.verdict.checks.length > 0 ? 'judged' : 'peak'} load`;
}

/**
 * The metrics that a reader decides by: at the loads that were judged, or the highest that has any, and those of the
 * whole run. The JSON document has them at every load.
 */
export function headlineMetrics<Metric extends { readonly load?: number }>(
  metrics: readonly Metric[],
  document: ReportDocument,
): readonly Metric[] {
  const wanted = new Set(headlineLoads(document));
  const known = metrics.flatMap(({ load }) => load ?? []);
  const highest = known.reduce((max, load) => Math.max(max, load), -Infinity);
  const loads = known.some((load) => wanted.has(load)) ? wanted : new Set([highest]);
  return metrics.filter(({ load }) => load === undefined || loads.has(load));
}

/** The metrics' cells: name, before, after, ratio, interval of the ratio, noise of equal runs, verdict. */
export function metricRows(metrics: readonly ComparedMetric[]): readonly (readonly string[])[] {
  return metrics.map((metric) => [
    metricWords(metric.name),
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
    metricWords(one.quantity),
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
