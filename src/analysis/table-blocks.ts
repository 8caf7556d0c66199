import type { Cell, Splitter } from './table-cells.ts';
import { splitAligned, splitWords } from './table-cells.ts';

/** A header and the rows under it. */
export interface Block {
  readonly header: readonly Cell[];
  readonly rows: readonly (readonly Cell[])[];
  /** Index of the line that ended it. */
  readonly end: number;
}

const MARKDOWN_RULE = /^[\s|:-]*-[\s|:-]*$/;
const FIGURE_START = /^[+-]?[.,]?\d/;

const isFigure = ({ text }: Cell): boolean => FIGURE_START.test(text);

const cellsAt = (lines: readonly string[], index: number, split: Splitter): Cell[] =>
  split(lines[index] ?? '').map((piece) => ({ ...piece, line: index + 1 }));

/** Reads the rows under the header at line `at`, up to a blank line or a remark that no row follows. */
export function readBlock(lines: readonly string[], at: number, splitter: Splitter): Block {
  const header = cellsAt(lines, at, splitter);
  const rows: Cell[][] = [];
  let remark: Cell[] | undefined;
  let index = at + 1;
  for (; index < lines.length; index += 1) {
    const line = lines[index]!;
    if (line.trim() === '' && rows.length > 0) break;
    if (line.trim() === '' || line.startsWith('#') || MARKDOWN_RULE.test(line)) continue;
    const cells = rowAt(lines, index, splitter, header.length);
    if (rows.length > 0 && cells.length !== header.length && !cells.some(isFigure)) {
      remark ??= cells;
      continue;
    }
    // A remark between rows is a row gone wrong: it is kept, and refused with its place.
    if (remark !== undefined) rows.push(remark);
    remark = undefined;
    rows.push(cells);
  }
  return { header, rows, end: index };
}

/** Names may hold single spaces where numbers have none: a row of plain figures counts by its words. */
function rowAt(lines: readonly string[], index: number, splitter: Splitter, width: number): Cell[] {
  const cells = cellsAt(lines, index, splitter);
  const words = cellsAt(lines, index, splitWords);
  return cells.length !== width && words.length === width && words.some(isFigure) ? words : cells;
}

/** An aligned table with the blocks after it that repeat its first column: a table too wide for its page. */
export function readAlignedBlocks(lines: readonly string[], at: number): Omit<Block, 'end'> {
  const first = readBlock(lines, at, splitAligned);
  let header = nameGroups(first.header, lines[at - 1]);
  let { rows } = first;
  for (
    let next = nextBlock(lines, first);
    next !== undefined;
    next = nextBlock(lines, { ...first, end: next.end })
  ) {
    header = [...header, ...nameGroups(next.header, lines[next.header[0]!.line - 2]).slice(1)];
    const added = next.rows;
    rows = rows.map((row, i) => [...row, ...added[i]!.slice(1)]);
  }
  return { header, rows };
}

/** The block after a blank line, perhaps under a line of groups, if its first column is that of `first`. */
function nextBlock(lines: readonly string[], first: Block): Block | undefined {
  const sameColumn = (index: number): Block | undefined => {
    if (cellsAt(lines, index, splitAligned)[0]?.text !== first.header[0]!.text) return undefined;
    const block = readBlock(lines, index, splitAligned);
    const same =
      block.rows.length === first.rows.length &&
      block.rows.every((row, i) => row[0]!.text === first.rows[i]![0]!.text);
    return same ? block : undefined;
  };
  return sameColumn(first.end + 1) ?? sameColumn(first.end + 2);
}

/**
 * Names of groups (routes) stand above the last column of their group: each name goes to the percentiles that
 * end there, back to where one repeats.
 */
function nameGroups(header: readonly Cell[], above: string | undefined): readonly Cell[] {
  const named = [...header];
  if (above === undefined || !/^\s{2,}\S/.test(above)) return header;
  for (const group of splitAligned(above)) {
    const end = group.column + group.text.length;
    let at = header.findIndex((cell) => cell.column + cell.text.length === end);
    const taken = new Set<string>();
    while (at >= 0 && /^p\d+$/.test(header[at]!.text) && !taken.has(header[at]!.text)) {
      const cell = header[at]!;
      taken.add(cell.text);
      named[at] = { ...cell, text: `${cell.text} ${group.text}` };
      at -= 1;
    }
  }
  return named;
}
