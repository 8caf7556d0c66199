import { escapeHtml } from './escape.ts';
import type { TextColumn } from './text-layout.ts';

/** A column of a table: its heading, the group above it, and a hint on hover. */
export interface HtmlColumn {
  readonly heading: string;
  readonly group?: string;
  readonly hint?: string;
  /** Words, not figures. */
  readonly left?: boolean;
}

/** What a table can be besides its cells. */
export interface TableDress {
  /** The page's script makes its headings buttons. */
  readonly isSortable?: true;
  /** A class for each row. */
  readonly rowClasses?: readonly string[];
}

/** A table; `rows` are cells of HTML, so that a cell can be a badge: escape foreign text before. */
export function htmlTable(
  columns: readonly HtmlColumn[],
  rows: readonly (readonly string[])[],
  caption: string,
  { isSortable, rowClasses }: TableDress = {},
): string {
  if (rows.length === 0) return '';
  const side = ({ left }: HtmlColumn): string => (left === true ? ' class="left"' : '');
  const hint = (column: HtmlColumn): string =>
    column.hint === undefined ? '' : ` title="${escapeHtml(column.hint)}"`;
  const heads = columns.map(
    (column) => `<th scope="col"${side(column)}${hint(column)}>${escapeHtml(column.heading)}</th>`,
  );
  const body = rows.map((cells, row) => {
    const shown = cells.map((cell, i) => `<td${side(columns[i]!)}>${cell}</td>`);
    const of = rowClasses?.[row];
    return `<tr${of === undefined ? '' : ` class="${of}"`}>${shown.join('')}</tr>`;
  });
  return [
    // A region that scrolls sideways must be reachable by the keyboard.
    `<div class="scroll" tabindex="0" role="region" aria-label="${escapeHtml(caption)}"><table${isSortable === true ? ' class="sortable"' : ''}>`,
    `<caption><span>${escapeHtml(caption)}</span></caption>`,
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

/** A table whose columns are those of the text report. */
export function htmlColumns(columns: readonly TextColumn[], caption: string): string {
  const rowCount = columns[0]?.cells.length ?? 0;
  return htmlTable(
    columns.map(({ heading, align }) => ({ heading, left: align === 'left' })),
    Array.from({ length: rowCount }, (_, row) => columns.map(({ cells }) => escapeHtml(cells[row]!))),
    caption,
  );
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
