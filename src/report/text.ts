import type { Finding, StepRow } from '../model/analysis.ts';
import type { ReportDocument } from '../model/documents.ts';
import type { Notice } from '../model/notice.ts';
import type { RunRecord } from '../model/record.ts';
import { printableData } from './escape.ts';
import { isolationColumns } from './isolation-columns.ts';
import * as facts from './facts.ts';
import { toReportDocument } from './json.ts';
import { confirmationLines } from './confirmation-lines.ts';
import { alignLeft } from './quantities.ts';
import type { Reporter, TextStyle } from './reporter.ts';
import { PLAIN_TEXT } from './reporter.ts';
import { reproduceFacts } from './reproduce.ts';
import { checkColumns, partColumns, partTexts } from './scenario-columns.ts';
import { shapeFacts } from './shape-facts.ts';
import { loadKind, stepColumns, stepNotes } from './step-columns.ts';
import type { Paint } from './text-layout.ts';
import { createPaint, hanging, labelled, section, table, wrap } from './text-layout.ts';
import { splitLines, useCells, useHeading, useText, USE_TONES } from './use-rows.ts';
import { DECISION_WORDS, OPTION_WORDS, RESULT_WORDS, SEVERITY_WORDS } from './words.ts';

/**
 * The run as a text for a terminal: step table, where the curve bends, findings, checks, the decision, limits.
 * The table is split into blocks where it is wider than `style.width`.
 */
export function renderText(record: RunRecord, style: TextStyle = PLAIN_TEXT): string {
  const document = printableData(toReportDocument(record));
  const paint = createPaint(style.color);
  const { width } = style;
  const lines = [
    ...title(document, paint, width),
    '',
    ...stepTable(document.steps, style),
    ...wrap(TABLE_NOTE, width).map(paint.dim),
    ...section('Journeys', journeyLines(document, width, paint), paint),
    ...section('What the load found', labelled(shapeFacts(document), width), paint),
    ...section(facts.capacityHeading(document), labelled(facts.capacityFacts(document), width), paint),
    ...section('Other methods', labelled(facts.crossCheckFacts(document), width), paint),
    ...section('Predicted by you, and measured', guessLines(document, width, paint), paint),
    ...section('What holds it back', findingLines(document.findings, width, paint), paint),
    ...section('Experiments', bullets(confirmationLines(document), width), paint),
    ...section(useHeading(document), useLines(document, width, paint), paint),
    ...section('The service’s own times', bullets(splitLines(document), width), paint),
    ...section('Each route alone', isolationLines(document, width, paint), paint),
    ...section('What is doubtful', noticeLines(facts.allNotices(document), width, paint), paint),
    ...section('Targets', checkLines(document, width, paint), paint),
    ...section('Decision', decisionLines(document, width, paint), paint),
    ...section('Options considered', optionLines(document, width, paint), paint),
    ...section('Limits of this run', bullets(document.limits, width), paint),
    ...section('To run it again', labelled(reproduceFacts(document), width), paint),
  ];
  return `${lines.join('\n')}\n`;
}

function isolationLines({ isolation }: ReportDocument, width: number, paint: Paint): readonly string[] {
  return isolation === undefined ? [] : table(isolationColumns(isolation.routes), width, paint);
}

function journeyLines({ scenario }: ReportDocument, width: number, paint: Paint): readonly string[] {
  if (scenario === undefined) return [];
  const checks = scenario.checks.length === 0 ? [] : ['', ...table(checkColumns(scenario), width, paint)];
  return [...table(partColumns(scenario), width, paint), ...bullets(partTexts(scenario), width), ...checks];
}

function guessLines({ guesses = [] }: ReportDocument, width: number, paint: Paint): readonly string[] {
  if (guesses.length === 0) return [];
  const rows = guesses.map(facts.guessCells);
  const columns = facts.GUESS_HEADINGS.map((heading, i) => ({
    heading,
    cells: rows.map((row) => row[i]!),
    align: i === 0 || i === 4 ? ('left' as const) : ('right' as const),
  }));
  return table(columns, width, paint);
}

const TABLE_NOTE = 'p50, p95, p99, max and every _ms column in milliseconds; U and D of the service’s CPU';

function title(document: ReportDocument, paint: Paint, width: number): readonly string[] {
  const state = document.state === 'completed' ? '' : ` (${document.state})`;
  return wrap(
    `${document.label}${state}: ${facts.sourceText(document)}, ${facts.startedText(document)}`,
    width,
  ).map(paint.strong);
}

/** The step table of a run, split into blocks where it is too wide. */
export function stepTable(steps: readonly StepRow[], style: TextStyle): readonly string[] {
  const columns = stepColumns(steps).map(({ heading, group, cell }) => ({
    heading,
    ...(group === undefined ? {} : { group }),
    cells: steps.map(cell),
    mark: '?',
  }));
  const paint = createPaint(style.color);
  return [...table(columns, style.width, paint), ...stepNotes(steps).map(paint.dim)];
}

/** Bullet points, wrapped. */
export function bullets(texts: readonly string[], width: number): readonly string[] {
  return texts.flatMap((text) => hanging('  - ', text, width));
}

function findingLines(findings: readonly Finding[], width: number, paint: Paint): readonly string[] {
  return findings.flatMap((finding) => [
    ...hanging('  ', `${finding.claim} [${finding.ruleId}, confidence ${finding.confidence}]`, width).map(
      paint.strong,
    ),
    ...facts.shownEvidence(finding.evidence).flatMap((e) => hanging('    for      ', e.text, width)),
    ...facts.shownEvidence(finding.counterEvidence).flatMap((e) => hanging('    against  ', e.text, width)),
    ...(finding.nextExperiment === undefined ? [] : hanging('    next     ', finding.nextExperiment, width)),
  ]);
}

function useLines(document: ReportDocument, width: number, paint: Paint): readonly string[] {
  return useCells(document).flatMap((cells, i) => {
    const { verdict } = document.useTable!.rows[i]!;
    const lines = hanging(`  ${alignLeft(verdict, 8)}  `, useText(cells), width);
    return painted(lines, verdict, (word) => paint.tone(USE_TONES[verdict], word));
  });
}

/** Notices with their severity in colour, the text under each other. */
export function noticeLines(notices: readonly Notice[], width: number, paint: Paint): readonly string[] {
  return notices.flatMap((notice) => {
    const { word, tone } = SEVERITY_WORDS[notice.severity];
    return painted(hanging(`  ${alignLeft(word, 8)}  `, facts.noticeText(notice), width), word, (text) =>
      paint.tone(tone, text),
    );
  });
}

function checkLines(document: ReportDocument, width: number, paint: Paint): readonly string[] {
  const lines = document.verdict.checks.map(facts.checkLine);
  const columns = [
    { heading: 'target', cells: lines.map((line) => line.target), align: 'left' as const },
    { heading: 'observed', cells: lines.map((line) => line.observed) },
    { heading: 'needed', cells: lines.map((line) => line.needed) },
    { heading: 'result', cells: lines.map((line) => RESULT_WORDS[line.result].word), align: 'left' as const },
    { heading: 'reason', cells: lines.map((line) => line.reason), align: 'left' as const },
  ];
  if (lines.length === 0) return [];
  const rows = table(columns, width - 2, paint);
  if (rows.length === lines.length + 1)
    return rows.map((row, i) => `  ${i === 0 ? row : colorResult(row, lines[i - 1]!, paint)}`);
  return lines.flatMap((line) => {
    const { word, tone } = RESULT_WORDS[line.result];
    const text = `${line.target}: observed ${line.observed}, needed ${line.needed}; ${line.reason}`;
    return painted(hanging(`  ${alignLeft(word, 12)}  `, text, width), word, (w) => paint.tone(tone, w));
  });
}

function colorResult(row: string, line: facts.CheckLine, paint: Paint): string {
  const { word, tone } = RESULT_WORDS[line.result];
  const tail = row.lastIndexOf(`  ${word}`);
  return `${row.slice(0, tail + 2)}${paint.tone(tone, word)}${row.slice(tail + 2 + word.length)}`;
}

function decisionLines({ verdict }: ReportDocument, width: number, paint: Paint): readonly string[] {
  const { word, tone } = DECISION_WORDS[verdict.decision];
  return hanging('  ', `${word}: ${verdict.reason}`, width).map((line) =>
    paint.strong(paint.tone(tone, line)),
  );
}

function optionLines({ options, steps }: ReportDocument, width: number, paint: Paint): readonly string[] {
  const kind = loadKind(steps);
  return options.flatMap((option) => {
    const { word, tone } = OPTION_WORDS[option.verdict];
    const text = `${option.option}: ${option.effect}; ${facts.predictedText(option, kind)}; ${option.reason}`;
    return painted(hanging(`  ${alignLeft(word, 8)}  `, text, width), word, (w) => paint.tone(tone, w));
  });
}

/** Colours the first occurrence of a word in the first line, where it stands as the lead. */
function painted(lines: readonly string[], word: string, paint: (word: string) => string): readonly string[] {
  return lines.map((line, i) => (i === 0 ? line.replace(word, () => paint(word)) : line));
}

export const textReporter: Reporter = {
  name: 'text',
  extension: 'txt',
  describe: 'for a terminal: the step table, the checks and the decision',
  render: renderText,
};
