import type { Evidence, Finding } from '../model/analysis.ts';
import type { ReportDocument } from '../model/documents.ts';
import { escapeHtml } from './escape.ts';
import { shownEvidence } from './facts.ts';
import { htmlList } from './html-layout.ts';
import { loadKind, loadOf, loadText } from './step-columns.ts';

/** A finding with what speaks for and against it; evidence of a step points at the step in the charts. */
export function htmlFinding(finding: Finding, document: ReportDocument): string {
  return [
    `<div class="finding"><h3>${escapeHtml(finding.claim)}</h3>`,
    `<p class="kind">${escapeHtml(finding.ruleId)}, confidence ${finding.confidence}</p>`,
    evidenceList('for', finding.evidence, document),
    evidenceList('against', finding.counterEvidence, document),
    finding.nextExperiment === undefined
      ? ''
      : `<strong>next experiment</strong>${htmlList([finding.nextExperiment])}`,
    '</div>',
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function evidenceList(title: string, evidence: readonly Evidence[], document: ReportDocument): string {
  if (evidence.length === 0) return '';
  const items = shownEvidence(evidence).map((one) => `<li>${linkedText(one, document)}</li>`);
  return `<strong>${title}</strong><ul>${items.join('')}</ul>`;
}

/** The text with the load it ends in as the link to its point; one that names no load has the link behind it. */
function linkedText(
  { text, stepIndex }: Pick<Evidence, 'text' | 'stepIndex'>,
  { steps }: ReportDocument,
): string {
  const row = steps.find(({ index }) => index === stepIndex);
  if (row === undefined) return escapeHtml(text);
  const load = loadText(loadOf(row), loadKind(steps));
  const shown = escapeHtml(load);
  const link = `<a class="point" href="#at-${row.index}" title="Show ${shown} in the charts and the table">${shown} ↑</a>`;
  const before = text.endsWith(` ${load}`) ? text.slice(0, -load.length) : `${text} `;
  return `${escapeHtml(before)}${link}`;
}

/**
 * Where the links of the evidence lead: a place above the charts for each step that is cited, and the rule that
 * makes the step's points and its row stand out while it is the target. It needs no script.
 */
export function stepAnchors({ findings, steps }: ReportDocument): string {
  const cited = new Set(
    findings.flatMap(({ evidence, counterEvidence }) =>
      [...evidence, ...counterEvidence].flatMap(({ stepIndex }) => stepIndex ?? []),
    ),
  );
  const indexes = steps.map(({ index }) => index).filter((index) => cited.has(index));
  if (indexes.length === 0) return '';
  const dots = indexes.map((i) => `body:has(#at-${i}:target) .dot.step-${i}`).join(', ');
  const rows = indexes.map((i) => `body:has(#at-${i}:target) tr.step-${i}`).join(', ');
  const rules = `${dots} { r: 6px; stroke: var(--ink); stroke-width: 2px; }\n${rows} { background: var(--doubt-bg); }`;
  return `<style>${rules}</style>${indexes.map((i) => `<span id="at-${i}"></span>`).join('')}`;
}
