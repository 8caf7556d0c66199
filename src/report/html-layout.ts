import type { LineChart } from './charts/line-chart.ts';
import { renderLineChart } from './charts/line-chart.ts';
import { escapeHtml } from './escape.ts';
import type { Fact } from './facts.ts';
import { STYLE_SHEET } from './html-style.ts';
import type { Tone, Word } from './words.ts';

/** A whole page around its parts: one file, no script, nothing fetched. */
export function htmlPage(title: string, parts: readonly string[]): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    `<title>${escapeHtml(title)}</title>`,
    `<style>${STYLE_SHEET}</style>`,
    '</head>',
    '<body>',
    '<main>',
    ...parts.filter((part) => part !== ''),
    '</main>',
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

/** The same page with links above it, for those who read it in a browser among others. */
export function withNavigation(page: string, navigation: string): string {
  return page.replace('<main>', () => `${navigation}\n<main>`);
}

/** A titled section; nothing where it has no content. */
export function htmlSection(title: string, content: string): string {
  return content === '' ? '' : `<section>\n<h2>${escapeHtml(title)}</h2>\n${content}\n</section>`;
}

/** A word in the colour of its tone; the word itself carries the meaning. */
export function badge({ word, tone }: Word): string {
  return `<span class="badge ${tone}">${escapeHtml(word)}</span>`;
}

/** The headline of a page: the decision with its reason. */
export function banner(tone: Tone, word: string, reason: string): string {
  return `<div class="banner ${tone}"><p class="decision">${escapeHtml(word)}</p><p>${escapeHtml(reason)}</p></div>`;
}

/** Label and value pairs. */
export function factList(facts: readonly Fact[]): string {
  if (facts.length === 0) return '';
  const rows = facts.map(({ label, value }) => `<dt>${escapeHtml(label)}</dt><dd>${escapeHtml(value)}</dd>`);
  return `<dl>\n${rows.join('\n')}\n</dl>`;
}

/** Texts as a list. */
export function htmlList(texts: readonly string[]): string {
  return texts.length === 0 ? '' : `<ul>${texts.map((text) => `<li>${escapeHtml(text)}</li>`).join('')}</ul>`;
}

/** A column of a table: its heading, the group above it, and a hint on hover. */
export interface HtmlColumn {
  readonly heading: string;
  readonly group?: string;
  readonly hint?: string;
  /** Words, not figures. */
  readonly left?: boolean;
}

/** A table; `rows` are cells of HTML, so that a cell can be a badge: escape foreign text before. */
export function htmlTable(
  columns: readonly HtmlColumn[],
  rows: readonly (readonly string[])[],
  caption: string,
): string {
  if (rows.length === 0) return '';
  const side = ({ left }: HtmlColumn): string => (left === true ? ' class="left"' : '');
  const hint = (column: HtmlColumn): string =>
    column.hint === undefined ? '' : ` title="${escapeHtml(column.hint)}"`;
  const heads = columns.map(
    (column) => `<th scope="col"${side(column)}${hint(column)}>${escapeHtml(column.heading)}</th>`,
  );
  const body = rows.map(
    (cells) => `<tr>${cells.map((cell, i) => `<td${side(columns[i]!)}>${cell}</td>`).join('')}</tr>`,
  );
  return [
    // A region that scrolls sideways must be reachable by the keyboard.
    `<div class="scroll" tabindex="0" role="region" aria-label="${escapeHtml(caption)}"><table>`,
    `<caption>${escapeHtml(caption)}</caption>`,
    '<thead>',
    groupRow(columns),
    `<tr>${heads.join('')}</tr>`,
    '</thead>',
    `<tbody>${body.join('\n')}</tbody>`,
    '</table></div>',
  ]
    .filter((line) => line !== '')
    .join('\n');
}

function groupRow(columns: readonly HtmlColumn[]): string {
  if (columns.every(({ group }) => group === undefined)) return '';
  const spans: { group: string | undefined; size: number }[] = [];
  for (const { group } of columns) {
    const last = spans.at(-1);
    if (last !== undefined && last.group === group) last.size += 1;
    else spans.push({ group, size: 1 });
  }
  const cells = spans.map(({ group, size }) =>
    group === undefined
      ? `<td colspan="${size}"></td>`
      : `<th scope="colgroup" colspan="${size}" class="group"><span title="${escapeHtml(group)}">${escapeHtml(group)}</span></th>`,
  );
  return `<tr>${cells.join('')}</tr>`;
}

/** A chart in a figure; its data are in a table of the page. */
export function chartFigure(chart: LineChart): string {
  return `<figure>\n<figcaption>${escapeHtml(chart.title)}</figcaption>\n${renderLineChart(chart)}\n</figure>`;
}
