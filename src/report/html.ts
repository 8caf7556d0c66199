import type { StepRow } from '../model/analysis.ts';
import type { CheckDocument, ReportDocument } from '../model/documents.ts';
import type { RunRecord } from '../model/record.ts';
import type { LineChart } from './charts/chart.ts';
import { chartFigure } from './charts/chart-figure.ts';
import { overviewChart, percentileChart, responseTimeChart } from './charts/load-charts.ts';
import { timeCharts } from './charts/time-charts.ts';
import { confirmationLines } from './confirmation-lines.ts';
import { renderCsv } from './csv.ts';
import { escapeHtml, printableData } from './escape.ts';
import * as facts from './facts.ts';
import { badge, banner, factList, htmlList, htmlPage, htmlSection } from './html-layout.ts';
import { htmlFinding, stepAnchors } from './html-findings.ts';
import { htmlColumns, htmlTable } from './html-table.ts';
import { toReportDocument } from './json.ts';
import * as q from './quantities.ts';
import type { Reporter } from './reporter.ts';
import { reproduceFacts } from './reproduce.ts';
import { checkColumns, partColumns, partTexts } from './scenario-columns.ts';
import { shapeFacts } from './shape-facts.ts';
import { hasParts, loadKind, loadOf, loadText, stepColumns, stepNotes } from './step-columns.ts';
import { splitLines, useCells, useHeading, USE_HEADINGS, USE_TONES } from './use-rows.ts';
import { stepBesideLog, WORKLOAD_HEADINGS, workloadRows } from './workload-rows.ts';
import { DECISION_WORDS, OPTION_WORDS, RESULT_WORDS, SEVERITY_WORDS } from './words.ts';

/** The run as one self-contained page: the decision, the checks, the curves, then everything they rest on. */
export function renderHtml(record: RunRecord): string {
  const document = printableData(toReportDocument(record));
  const { word, tone } = DECISION_WORDS[document.verdict.decision];
  return htmlPage(`Load test ${document.label}: ${word.toLowerCase()}`, [
    pageHeader(document),
    banner(tone, word, document.verdict.reason, mainCause(document)),
    tiles(document),
    htmlSection('Targets', htmlChecks(document.verdict.checks)),
    ...(hasParts(document.steps) ? [htmlSection('What the load found', factList(shapeFacts(document)))] : []),
    stepAnchors(document),
    htmlSection('Load and response', loadCharts(document).map(chartFigure).join('\n')),
    htmlSection('Steps', steps(record, document)),
    htmlSection('Journeys', htmlJourneys(document)),
    htmlSection('Over time', timeCharts(record.measurements).map(chartFigure).join('\n')),
    htmlSection('The workload beside the log', htmlWorkload(record, document)),
    ...(hasParts(document.steps) ? [] : [htmlSection('What the load found', factList(shapeFacts(document)))]),
    htmlSection(facts.capacityHeading(document), factList(facts.capacityFacts(document))),
    htmlSection('Other methods', factList(facts.crossCheckFacts(document))),
    htmlSection('Predicted by you, and measured', htmlGuesses(document)),
    htmlSection(
      'What holds it back',
      document.findings.map((finding) => htmlFinding(finding, document)).join('\n'),
    ),
    htmlSection('Experiments', htmlList(confirmationLines(document))),
    htmlSection(useHeading(document), htmlUse(document)),
    htmlSection('The service’s own times', htmlList(splitLines(document))),
    htmlSection('Options considered', htmlOptions(document)),
    htmlSection('What is doubtful', htmlNotices(document)),
    htmlSection('Limits of this run', htmlList(document.limits)),
    htmlSection('To run it again', factList(reproduceFacts(document))),
  ]);
}

function pageHeader(document: ReportDocument): string {
  const state = document.state === 'completed' ? '' : `, ${document.state}`;
  const line = `${facts.sourceText(document)}, ${facts.startedText(document)}${state}`;
  return `<header><h1>Load test: ${escapeHtml(document.label)}</h1><p>${escapeHtml(line)}</p></header>`;
}

/** The surest finding, for who reads no further; a mere hint names no cause. */
function mainCause({ findings, verdict }: ReportDocument): string {
  const [first] = findings;
  return verdict.decision === 'pass' || first === undefined || first.confidence === 'low'
    ? ''
    : `What holds it back: ${first.claim}`;
}

/** The four figures that a reader looks for first. */
function tiles(document: ReportDocument): string {
  const { knee, saturation, steps } = document;
  if (hasParts(steps)) return '';
  const kind = loadKind(steps);
  // One load shows no curve, and so nothing that could be missing in it.
  const hasCurve = new Set(steps.filter(({ valid }) => valid).map(loadOf)).size > 1;
  const seenAt = knee.seen ? knee.users : undefined;
  const kneeTile = seenAt === undefined ? (hasCurve ? 'not seen' : undefined) : loadText(seenAt, kind);
  const shown: readonly (readonly [string, string | undefined])[] = [
    ['bend', knee.bend && `${q.range(knee.bend, q.load)} ${kind.noun}`],
    ['knee N*', kneeTile],
    ['saturation', saturation && facts.saturationText(saturation, kind)],
    ['capacity', facts.when(knee.capacityPerSecond, (c) => facts.capacityText(c, knee))],
    ['plan for', facts.when(knee.planForPerSecond, (p) => facts.capacityText(p, knee))],
  ];
  const cells = shown.flatMap(([label, value]) =>
    value === undefined ? [] : [`<div><dt>${label}</dt><dd>${escapeHtml(value)}</dd></div>`],
  );
  if (cells.length === 0) return '';
  return `<dl class="tiles">${cells.join('')}</dl>`;
}

/** The checks as a table. */
export function htmlChecks(checks: readonly CheckDocument[]): string {
  const rows = checks.map((check) => {
    const { target, observed, needed, result, reason } = facts.checkLine(check);
    return [
      escapeHtml(target),
      escapeHtml(observed),
      escapeHtml(needed),
      badge(RESULT_WORDS[result]),
      escapeHtml(reason),
    ];
  });
  const columns = [
    { heading: 'target', left: true },
    { heading: 'observed' },
    { heading: 'needed' },
    { heading: 'result', left: true },
    { heading: 'why', left: true },
  ];
  return htmlTable(columns, rows, 'Needed is what passing with the margin takes.');
}

function loadCharts(document: ReportDocument): readonly LineChart[] {
  // Over load a spike would run to and fro, and a soak stand on one point: what they show is over time.
  if (hasParts(document.steps)) return [];
  return [overviewChart(document), responseTimeChart(document), percentileChart(document)].filter(
    ({ series }) => series.some(({ points }) => points.length > 0),
  );
}

/** The step table, and the same figures in full precision to take along. */
function steps(record: RunRecord, document: ReportDocument): string {
  const table = htmlSteps(
    document.steps,
    'One row per step over its steady part; p50, p95, p99 and max in ms.',
  );
  if (table === '') return '';
  const csv = renderCsv(record).replaceAll('\r', '');
  return [
    table,
    '<details><summary>The steps as CSV, SI units in full precision</summary>',
    '<button type="button" class="copy" data-from="steps-csv" hidden>Copy the CSV</button>',
    `<pre id="steps-csv" tabindex="0" role="region" aria-label="The steps as CSV">${escapeLines(csv)}</pre>`,
    '</details>',
  ].join('\n');
}

const escapeLines = (text: string): string => text.split('\n').map(escapeHtml).join('\n');

function htmlWorkload(record: RunRecord, document: ReportDocument): string {
  const row = stepBesideLog(document);
  if (row === undefined) return '';
  return htmlTable(
    WORKLOAD_HEADINGS.map((heading, i) => ({ heading, left: i === 0 })),
    workloadRows(record, document).map((cells) => cells.map(escapeHtml)),
    `The run at ${loadText(loadOf(row), loadKind(document.steps))}, the step nearest to the load of the log.`,
  );
}

/** The step table with a hint on every heading. */
export function htmlSteps(steps: readonly StepRow[], caption: string): string {
  const columns = stepColumns(steps);
  return htmlTable(
    columns.map(({ heading, group, explanation }) => ({
      heading,
      hint: explanation,
      ...(group === undefined ? {} : { group }),
    })),
    steps.map((row) => columns.map(({ cell }) => escapeHtml(cell(row)))),
    [caption, ...stepNotes(steps).map((note) => `${note}.`)].join(' '),
    { isSortable: true, rowClasses: steps.map(({ index }) => `step-${index}`) },
  );
}

function htmlJourneys({ scenario }: ReportDocument): string {
  if (scenario === undefined) return '';
  return [
    htmlColumns(
      partColumns(scenario),
      'Over the measured windows of all steps; durations are of those that came to their end, pauses included.',
    ),
    htmlList(partTexts(scenario)),
    htmlColumns(checkColumns(scenario), 'A check that fails counts its request as failed.'),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function htmlGuesses({ guesses = [] }: ReportDocument): string {
  if (guesses.length === 0) return '';
  const columns = facts.GUESS_HEADINGS.map((heading, i) => ({ heading, left: i === 0 || i === 4 }));
  return htmlTable(
    columns,
    guesses.map((guess) => facts.guessCells(guess).map(escapeHtml)),
    'Written down before the run.',
  );
}

function htmlUse(document: ReportDocument): string {
  const rows = useCells(document).map((cells, i) => {
    const { verdict } = document.useTable!.rows[i]!;
    const badged = badge({ word: verdict, tone: USE_TONES[verdict] });
    return cells.map((cell, column) => (USE_HEADINGS[column] === 'verdict' ? badged : escapeHtml(cell)));
  });
  return htmlTable(
    USE_HEADINGS.map((heading) => ({ heading, left: true })),
    rows,
    'Utilisation, saturation and errors at the highest valid load.',
  );
}

function htmlOptions({ options, steps }: ReportDocument): string {
  const kind = loadKind(steps);
  const rows = options.map((option) => [
    badge(OPTION_WORDS[option.verdict]),
    escapeHtml(option.option),
    escapeHtml(option.effect),
    escapeHtml(facts.predictedText(option, kind)),
    escapeHtml(option.reason),
  ]);
  const headings = ['verdict', 'option', 'effect', 'predicted', 'reason'];
  return htmlTable(
    headings.map((heading) => ({ heading, left: true })),
    rows,
    'Predicted before any change was made.',
  );
}

function htmlNotices(document: ReportDocument): string {
  const items = facts.allNotices(document).map((notice) => {
    const text = escapeHtml(facts.noticeText(notice));
    return `<li>${badge(SEVERITY_WORDS[notice.severity])} ${text}</li>`;
  });
  return items.length === 0 ? '' : `<ul>${items.join('')}</ul>`;
}

export const htmlReporter: Reporter = {
  name: 'html',
  extension: 'html',
  describe: 'one page to send around: opens offline, light and dark, printable',
  render: (record) => renderHtml(record),
};
