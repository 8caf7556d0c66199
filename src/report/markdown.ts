import type { Finding, StepRow } from '../model/analysis.ts';
import type { CheckDocument, ReportDocument } from '../model/documents.ts';
import type { RunRecord } from '../model/record.ts';
import { confirmationLines } from './confirmation-lines.ts';
import { escapeMarkdown, printableData } from './escape.ts';
import * as facts from './facts.ts';
import { toReportDocument } from './json.ts';
import {
  markdownColumns,
  markdownFacts,
  markdownList,
  markdownSection,
  markdownTable,
} from './markdown-layout.ts';
import type { Reporter } from './reporter.ts';
import { reproduceFacts } from './reproduce.ts';
import { checkColumns, partColumns, partTexts } from './scenario-columns.ts';
import { shapeFacts } from './shape-facts.ts';
import { loadKind, stepColumns, stepNotes } from './step-columns.ts';
import { splitLines, useCells, useHeading, USE_HEADINGS } from './use-rows.ts';
import { DECISION_WORDS, OPTION_WORDS, RESULT_WORDS, SEVERITY_WORDS } from './words.ts';

/** The run for a pull request or a wiki: the decision first, then what it rests on. */
export function renderMarkdown(record: RunRecord): string {
  const document = printableData(toReportDocument(record));
  const lines = [
    `# Load test: ${escapeMarkdown(document.label)}`,
    '',
    decisionLine(document),
    ...markdownSection('Targets', markdownChecks(document.verdict.checks)),
    ...markdownSection('Steps', markdownSteps(document.steps)),
    ...markdownSection('Journeys', markdownJourneys(document)),
    ...markdownSection('What the load found', markdownFacts(shapeFacts(document))),
    ...markdownSection(facts.capacityHeading(document), markdownFacts(facts.capacityFacts(document))),
    ...markdownSection('Other methods', markdownFacts(facts.crossCheckFacts(document))),
    ...markdownSection('What holds it back', markdownFindings(document.findings)),
    ...markdownSection('Predicted by you, and measured', markdownGuesses(document)),
    ...markdownSection('Experiments', markdownList(confirmationLines(document))),
    ...markdownSection(useHeading(document), markdownUse(document)),
    ...markdownSection('The service’s own times', markdownList(splitLines(document))),
    ...markdownSection('Options considered', markdownOptions(document)),
    ...markdownSection('What is doubtful', markdownNotices(document)),
    ...markdownSection('Limits of this run', markdownList(document.limits)),
    ...markdownSection('To run it again', markdownFacts(reproduceFacts(document))),
  ];
  return `${lines.join('\n')}\n`;
}

/** The decision in bold with its reason. */
export function decisionLine({ verdict }: ReportDocument): string {
  return `**${DECISION_WORDS[verdict.decision].word}**: ${escapeMarkdown(verdict.reason)}`;
}

/** The step table; a route's name stands in front of its percentiles. */
export function markdownSteps(steps: readonly StepRow[]): readonly string[] {
  const columns = stepColumns(steps);
  const headings = columns.map(({ heading, group }) => ({
    heading: group === undefined ? heading : `${group} ${heading} ms`,
    right: true,
  }));
  const rows = steps.map((row) => columns.map(({ cell }) => cell(row)));
  return [...markdownTable(headings, rows), ...stepNotes(steps).flatMap((note) => ['', note])];
}

/** The checks as a table; nothing without targets. */
export function markdownChecks(checks: readonly CheckDocument[]): readonly string[] {
  if (checks.length === 0) return [];
  const rows = checks.map((check) => {
    const { target, observed, needed, result, reason } = facts.checkLine(check);
    return [target, observed, needed, RESULT_WORDS[result].word, reason];
  });
  const headings = ['target', 'observed', 'needed', 'result', 'reason'].map((heading) => ({ heading }));
  return markdownTable(headings, rows);
}

function markdownGuesses({ guesses = [] }: ReportDocument): readonly string[] {
  const headings = facts.GUESS_HEADINGS.map((heading) => ({ heading }));
  return guesses.length === 0 ? [] : markdownTable(headings, guesses.map(facts.guessCells));
}

/** Each finding with what speaks for and against it. */
export function markdownFindings(findings: readonly Finding[]): readonly string[] {
  return findings.flatMap(({ claim, ruleId, confidence, evidence, counterEvidence, nextExperiment }) => [
    `- **${escapeMarkdown(claim)}** (${escapeMarkdown(ruleId)}, confidence ${confidence})`,
    ...facts.shownEvidence(evidence).map(({ text }) => `  - for: ${escapeMarkdown(text)}`),
    ...facts.shownEvidence(counterEvidence).map(({ text }) => `  - against: ${escapeMarkdown(text)}`),
    ...(nextExperiment === undefined ? [] : [`  - next: ${escapeMarkdown(nextExperiment)}`]),
  ]);
}

function markdownJourneys({ scenario }: ReportDocument): readonly string[] {
  if (scenario === undefined) return [];
  const broken = markdownList(partTexts(scenario));
  return [
    ...markdownColumns(partColumns(scenario)),
    ...(broken.length === 0 ? [] : ['', ...broken]),
    ...(scenario.checks.length === 0 ? [] : ['', ...markdownColumns(checkColumns(scenario))]),
  ];
}

function markdownUse(document: ReportDocument): readonly string[] {
  const rows = useCells(document);
  return rows.length === 0
    ? []
    : markdownTable(
        USE_HEADINGS.map((heading) => ({ heading })),
        rows,
      );
}

/** The remedies with the effect predicted for each. */
export function markdownOptions({
  options,
  steps,
}: Pick<ReportDocument, 'options' | 'steps'>): readonly string[] {
  if (options.length === 0) return [];
  const headings = ['option', 'verdict', 'effect', 'predicted', 'reason'].map((heading) => ({ heading }));
  return markdownTable(
    headings,
    options.map((option) => [
      option.option,
      OPTION_WORDS[option.verdict].word,
      option.effect,
      facts.predictedText(option, loadKind(steps)),
      option.reason,
    ]),
  );
}

function markdownNotices(document: ReportDocument): readonly string[] {
  return facts
    .allNotices(document)
    .map(
      (notice) =>
        `- **${SEVERITY_WORDS[notice.severity].word}**: ${escapeMarkdown(facts.noticeText(notice))}`,
    );
}

export const markdownReporter: Reporter = {
  name: 'markdown',
  extension: 'md',
  describe: 'for a pull request or a wiki: the decision first, then what it rests on',
  render: (record) => renderMarkdown(record),
};
