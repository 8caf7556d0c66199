import { readAlignedBlocks, readBlock } from './table-blocks.ts';
import { splitAligned, splitMarkdown, splitQuoted, splitWords } from './table-cells.ts';
import type { Cell, Splitter } from './table-cells.ts';

const COMMA = /,/;

/** In order: the first that cuts a header apart is taken. */
const SPLITTERS: readonly (readonly [mark: RegExp, splitter: Splitter])[] = [
  [/\|/, splitMarkdown],
  [/\t/, splitQuoted('\t')],
  [/;/, splitQuoted(';')],
  [COMMA, splitQuoted(',')],
  [/\S {2,}\S/, splitAligned],
  [/\S\s+\S/, splitWords],
];

/** A table as cells: the names of its columns, and a line of cells a row. */
export interface TableCells {
  readonly header: readonly Cell[];
  readonly rows: readonly (readonly Cell[])[];
  /** Whether a comma parts cells, so that one within a cell must have been quoted. */
  readonly commasPart: boolean;
}

/**
 * A text table as cells: comma, semicolon or tab separated, markdown, or aligned with spaces. The header is the
 * first line that `isHeader` recognises; the table ends at the next blank line or at a remark that no row
 * follows. Comments (#) and markdown rules are skipped. An aligned table goes on in the blocks after it that
 * repeat its first column, and takes the names of routes from the line above. Undefined when no line is a header.
 */
export function readCells(
  text: string,
  isHeader: (names: readonly string[]) => boolean,
): TableCells | undefined {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const found = findHeader(lines, isHeader);
  if (found === undefined) return undefined;
  const { at, splitter, commasPart } = found;
  if (splitter !== splitAligned) return { ...readBlock(lines, at, splitter), commasPart };
  return { ...readAlignedBlocks(lines, at), commasPart };
}

function findHeader(
  lines: readonly string[],
  isHeader: (names: readonly string[]) => boolean,
): { readonly at: number; readonly splitter: Splitter; readonly commasPart: boolean } | undefined {
  for (const [at, line] of lines.entries()) {
    for (const [mark, splitter] of SPLITTERS) {
      if (mark.test(line) && isHeader(splitter(line).map((piece) => piece.text)))
        return { at, splitter, commasPart: mark === COMMA };
    }
  }
  return undefined;
}
