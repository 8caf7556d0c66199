import { escapeMarkdown } from './escape.ts';
import type { Fact } from './facts.ts';
import type { TextColumn } from './text-layout.ts';

/** A GitHub-flavoured table; cells are foreign text and are escaped here. `right` columns hold figures. */
export function markdownTable(
  columns: readonly { readonly heading: string; readonly right?: boolean }[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const line = (cells: readonly string[]): string => `| ${cells.map(escapeMarkdown).join(' | ')} |`;
  return [
    line(columns.map(({ heading }) => heading)),
    `| ${columns.map(({ right }) => (right ? '---:' : '---')).join(' | ')} |`,
    ...rows.map(line),
  ];
}

/** A table whose columns are those of the text report. */
export function markdownColumns(columns: readonly TextColumn[]): readonly string[] {
  const rowCount = columns[0]?.cells.length ?? 0;
  return markdownTable(
    columns.map(({ heading, align }) => ({ heading, right: align !== 'left' })),
    Array.from({ length: rowCount }, (_, row) => columns.map(({ cells }) => cells[row]!)),
  );
}

/** Facts as a list with bold labels. */
export function markdownFacts(facts: readonly Fact[]): readonly string[] {
  return facts.map(({ label, value }) => `- **${escapeMarkdown(label)}**: ${escapeMarkdown(value)}`);
}

/** Texts as a list. */
export function markdownList(texts: readonly string[]): readonly string[] {
  return texts.map((text) => `- ${escapeMarkdown(text)}`);
}

/** A heading with its lines and blank lines around; nothing where there are no lines. */
export function markdownSection(heading: string, lines: readonly string[], level = 2): readonly string[] {
  return lines.length === 0 ? [] : ['', `${'#'.repeat(level)} ${heading}`, '', ...lines];
}

/** A fenced block; the fence is longer than any run of backticks in the text. */
export function markdownFence(language: string, lines: readonly string[]): readonly string[] {
  const longest = Math.max(2, ...lines.flatMap((line) => (line.match(/`+/g) ?? []).map((run) => run.length)));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}${language}`, ...lines, fence];
}
