import type { CheckDocument, ReportDocument } from '../model/documents.ts';
import type { RunRecord } from '../model/record.ts';
import { escapeHtml, printableData } from './escape.ts';
import { checkLine } from './facts.ts';
import { toReportDocument } from './json.ts';
import type { Reporter } from './reporter.ts';
import { RESULT_WORDS } from './words.ts';

/**
 * The checks as JUnit XML, one test case a target, for the test tab of a build server. What is no pass fails, as the
 * exit code does: also no margin and inconclusive. A run that carries no verdict is an error of every case.
 */
export function renderJunit(record: RunRecord): string {
  const document = printableData(toReportDocument(record));
  const { verdict, label } = document;
  const cases = verdict.checks.map((check) => testCase(check, document));
  const isInvalid = verdict.decision === 'invalid';
  const missed = verdict.checks.filter(({ result }) => result !== 'pass').length;
  const counts = [
    `tests="${cases.length}"`,
    `failures="${isInvalid ? 0 : missed}"`,
    `errors="${isInvalid ? cases.length : 0}"`,
    `time="${measuredSeconds(document).toFixed(3)}"`,
  ].join(' ');
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="shipload" ${counts}>`,
    `<testsuite name="${escapeHtml(label)}" ${counts} timestamp="${escapeHtml(document.startedAt.replace(/\.\d+Z$/, ''))}">`,
    '<properties>',
    property('decision', verdict.decision),
    property('reason', verdict.reason),
    property('service', document.service.url),
    property('seed', String(document.plan.seed)),
    '</properties>',
    ...cases,
    '</testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

const property = (name: string, value: string): string =>
  `<property name="${name}" value="${escapeHtml(value)}"/>`;

function testCase(check: CheckDocument, { verdict, label }: ReportDocument): string {
  const { target, observed, needed, result, reason } = checkLine(check);
  const head = `<testcase classname="${escapeHtml(label)}" name="${escapeHtml(target)}"`;
  const detail = escapeHtml(`observed ${observed}, needed ${needed}: ${reason}`);
  if (verdict.decision === 'invalid')
    return `${head}><error type="invalid" message="${escapeHtml(verdict.reason)}">${detail}</error></testcase>`;
  if (result === 'pass') return `${head}><system-out>${detail}</system-out></testcase>`;
  const word = RESULT_WORDS[result].word;
  return `${head}><failure type="${word}" message="${escapeHtml(`${word}: ${reason}`)}">${detail}</failure></testcase>`;
}

const measuredSeconds = ({ steps }: ReportDocument): number =>
  steps.reduce((sum, row) => sum + (row.windowSeconds ?? 0), 0);

export const junitReporter: Reporter = {
  name: 'junit',
  extension: 'xml',
  describe: 'the targets as JUnit test cases, for a build server',
  render: renderJunit,
};
