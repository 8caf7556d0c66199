import type { ReportDocument } from '../model/documents.ts';
import type { Comparison, RunRecord } from '../model/record.ts';
import { alertRule } from './alert-rule.ts';
import {
  headlineMetrics,
  metricRows,
  METRIC_HEADINGS,
  predictionRows,
  PREDICTION_HEADINGS,
} from './comparison-text.ts';
import { escapeMarkdown, printableData, shellWord } from './escape.ts';
import { isolationColumns } from './isolation-columns.ts';
import * as facts from './facts.ts';
import { toReportDocument } from './json.ts';
import {
  markdownFacts,
  markdownFence,
  markdownList,
  markdownSection,
  markdownTable,
} from './markdown-layout.ts';
import {
  decisionLine,
  markdownChecks,
  markdownFindings,
  markdownOptions,
  markdownSteps,
} from './markdown.ts';
import { reproduceFacts } from './reproduce.ts';
import { loadKind, loadText } from './step-columns.ts';

/** What a person adds to the runs: the fix in words, and the comparison that scores the predictions. */
export interface RecordDocumentOptions {
  readonly fix?: string;
  readonly comparison?: Comparison;
}

/**
 * The load-test record in markdown: what was tested and how, the result before, its cause, the fix, the result
 * after, the predictions scored, and what to keep running. The first run is the one before the fix, the last
 * the one after it; with one run the later sections say that they are open.
 */
export function renderRecordDocument(
  records: readonly RunRecord[],
  { fix, comparison }: RecordDocumentOptions = {},
): string {
  const first = records[0];
  if (first === undefined) return '# Load-test record\n\nNo run was given.\n';
  const last = records.length > 1 ? records.at(-1) : undefined;
  const before = printableData(toReportDocument(first));
  const after = last === undefined ? undefined : printableData(toReportDocument(last));
  const lines = [
    `# Load-test record: ${escapeMarkdown(before.service.url)}`,
    '',
    decisionLine(after ?? before),
    ...markdownSection('Target', targetLines(before, after)),
    ...markdownSection('Workload, script and shape', scriptLines(records)),
    ...markdownSection('Knee', markdownFacts(facts.capacityFacts(before))),
    ...markdownSection('Result before', resultLines(before)),
    ...markdownSection('Cause', causeLines(before)),
    ...markdownSection('Each route alone', isolationLines(before)),
    ...markdownSection('Options considered', markdownOptions(before)),
    ...markdownSection('Fix', fixLines(before, fix)),
    ...markdownSection('Result after', after === undefined ? ['Not measured yet.'] : resultLines(after)),
    ...markdownSection('Prediction scored', predictionLines(before, comparison)),
    ...markdownSection('Follow-up', followUpLines(first, before, after ?? before)),
    ...markdownSection('Limits', markdownList([...new Set([...before.limits, ...(after?.limits ?? [])])])),
  ];
  return `${lines.join('\n')}\n`;
}

/** What the decision above was judged by; where the run before had other targets, those too. */
function targetLines(before: ReportDocument, after: ReportDocument | undefined): readonly string[] {
  const targetsOf = ({ verdict }: ReportDocument): readonly string[] =>
    verdict.checks.map(({ target }) => target);
  const lines = (targets: readonly string[]): readonly string[] =>
    targets.length === 0 ? ['No targets were given.'] : markdownList(targets);
  const judged = targetsOf(after ?? before);
  const earlier = targetsOf(before);
  if (judged.join('\n') === earlier.join('\n')) return lines(judged);
  return [...lines(judged), '', 'The run before was judged by other targets:', '', ...lines(earlier)];
}

function isolationLines({ isolation }: ReportDocument): readonly string[] {
  if (isolation === undefined) return [];
  const columns = isolationColumns(isolation.routes);
  const rows = isolation.routes.map((_, i) => columns.map(({ cells }) => cells[i] ?? ''));
  return markdownTable(
    columns.map(({ heading }) => ({ heading })),
    rows,
  );
}

/** The facts of the first run, and the command of each run, so that both can be repeated. */
function scriptLines(records: readonly RunRecord[]): readonly string[] {
  const documents = records.map((record) => printableData(toReportDocument(record)));
  const shared = reproduceFacts(documents[0]!).filter(({ label }) => label !== 'command');
  const commands = documents.map((document) => document.command.map(shellWord).join(' '));
  return [...markdownFacts(shared), '', ...markdownFence('sh', commands)];
}

function resultLines(document: ReportDocument): readonly string[] {
  return [
    decisionLine(document),
    '',
    ...markdownChecks(document.verdict.checks),
    '',
    ...markdownSteps(document.steps),
  ];
}

function causeLines({ findings }: ReportDocument): readonly string[] {
  return findings.length === 0 ? ['No rule found a cause.'] : markdownFindings(findings);
}

function fixLines({ options }: ReportDocument, fix: string | undefined): readonly string[] {
  const chosen = options.find(({ verdict }) => verdict === 'chosen');
  if (fix !== undefined) return [escapeMarkdown(fix)];
  return [
    chosen === undefined ? 'None recorded.' : `Chosen, not yet confirmed: ${escapeMarkdown(chosen.option)}.`,
  ];
}

function predictionLines(document: ReportDocument, comparison: Comparison | undefined): readonly string[] {
  if (comparison !== undefined && comparison.predictions.length + comparison.metrics.length > 0) {
    const { metrics, predictions } = printableData(comparison);
    const asTable = (headings: readonly string[], rows: readonly (readonly string[])[]): readonly string[] =>
      rows.length === 0
        ? []
        : [
            '',
            ...markdownTable(
              headings.map((heading) => ({ heading })),
              rows,
            ),
          ];
    return [
      ...asTable(PREDICTION_HEADINGS, predictionRows(predictions)),
      ...asTable(METRIC_HEADINGS, metricRows(headlineMetrics(metrics, document))),
    ].slice(1);
  }
  const chosen = document.options.find(({ verdict }) => verdict === 'chosen');
  return [
    chosen === undefined
      ? 'No prediction was made.'
      : `${escapeMarkdown(facts.predictedText(chosen, loadKind(document.steps)))}; not scored yet.`,
  ];
}

function followUpLines(
  record: RunRecord,
  document: ReportDocument,
  latest: ReportDocument,
): readonly string[] {
  const rule = alertRule(record);
  const kind = loadKind(document.steps);
  const peak = document.peakLoad ?? document.steps.at(-1)?.users;
  const at = peak === undefined ? 'the peak step' : `the peak step (${loadText(peak, kind)})`;
  return [
    ...(latest.imported === undefined ? smokeLines(latest, at) : []),
    `In production, this alert (adapt the metric names). ${escapeMarkdown(rule.reason)}`,
    '',
    ...markdownFence('yaml', rule.yaml),
  ];
}

/** How to ask for the peak step again; of another tool's run that tool would be asked. */
const smokeLines = (latest: ReportDocument, at: string): readonly string[] => [
  `For every build, ${escapeMarkdown(at)} as a smoke test; it exits 1 when a target is missed:`,
  '',
  ...markdownFence('sh', [smokeCommand(latest)]),
  '',
];

/** The run's own command with `--smoke`; a run whose command is not known gets one from its url and targets. */
function smokeCommand(document: ReportDocument): string {
  const at = document.command.indexOf('run');
  const given = withoutOutput(at < 0 ? [] : document.command.slice(at + 1));
  const rest = given.length > 0 ? given : [document.service.url, ...targetOptions(document)];
  return ['shipload', 'run', '--smoke', ...rest].map(shellWord).join(' ');
}

/** The folder and the label of the old run are not those of a build. */
function withoutOutput(words: readonly string[]): readonly string[] {
  const isOutput = (word: string | undefined): boolean => word === '-o' || word === '--label';
  return words.filter(
    (word, i) => !isOutput(word) && !isOutput(words[i - 1]) && !/^--(label=|smoke$)/.test(word),
  );
}

function targetOptions({ verdict }: ReportDocument): readonly string[] {
  return verdict.checks.flatMap(({ target }) => ['--target', target]);
}
