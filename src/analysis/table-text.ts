/** A cell and where it stands: line and column count from 1. */
export interface Cell {
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

type Splitter = (line: string) => readonly { readonly text: string; readonly column: number }[];

/** Pieces of a line between separators, trimmed, with the column of their first character. */
function splitBy(separator: RegExp): Splitter {
  return (line) => {
    const pieces: { text: string; column: number }[] = [];
    let from = 0;
    const push = (to: number): void => {
      const raw = line.slice(from, to);
      const lead = raw.length - raw.trimStart().length;
      pieces.push({ text: raw.trim(), column: from + lead + 1 });
    };
    for (const match of line.matchAll(separator)) {
      push(match.index);
      from = match.index + match[0].length;
    }
    push(line.length);
    return pieces;
  };
}

/** Comma-separated with double quotes (RFC 4180), one record a line. */
function splitQuoted(separator: string): Splitter {
  const outside =
    separator === '\t'
      ? /\t(?=(?:[^"]*"[^"]*")*[^"]*$)/g
      : new RegExp(`${separator}(?=(?:[^"]*"[^"]*")*[^"]*$)`, 'g');
  return (line) =>
    splitBy(outside)(line).map(({ text, column }) => ({
      text: text.replace(/^"(.*)"$/, '$1').replaceAll('""', '"'),
      column,
    }));
}

const splitMarkdown: Splitter = (line) =>
  splitBy(/\|/g)(line).slice(line.trimStart().startsWith('|') ? 1 : 0, /\|\s*$/.test(line) ? -1 : undefined);

const splitSpaces =
  (separator: RegExp): Splitter =>
  (line) =>
    splitBy(separator)(line).filter((piece) => piece.text !== '');

const MARKDOWN_RULE = /^[\s|:-]*-[\s|:-]*$/;

/** In order: the first that cuts a header apart is taken. */
const SPLITTERS: readonly (readonly [mark: RegExp, splitter: Splitter])[] = [
  [/\|/, splitMarkdown],
  [/\t/, splitQuoted('\t')],
  [/;/, splitQuoted(';')],
  [/,/, splitQuoted(',')],
  [/\S {2,}\S/, splitSpaces(/ {2,}/g)],
  [/\S\s+\S/, splitSpaces(/\s+/g)],
];

/**
 * A text table as cells: comma, semicolon or tab separated, markdown, or aligned with spaces. The header is the
 * first line that `isHeader` recognises; the table ends at the next blank line. Comments (#) and markdown
 * rules are skipped. Undefined when no line is a header.
 */
export function readCells(
  text: string,
  isHeader: (names: readonly string[]) => boolean,
): { readonly header: readonly Cell[]; readonly rows: readonly (readonly Cell[])[] } | undefined {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const found = findHeader(lines, isHeader);
  if (found === undefined) return undefined;
  const { at, splitter } = found;
  const cellsAt = (index: number, split: Splitter): Cell[] =>
    split(lines[index]!).map((piece) => ({ ...piece, line: index + 1 }));
  const header = cellsAt(at, splitter);
  const rows: Cell[][] = [];
  for (let index = at + 1; index < lines.length; index += 1) {
    const line = lines[index]!;
    if (line.trim() === '' && rows.length > 0) break;
    if (line.trim() === '' || line.startsWith('#') || MARKDOWN_RULE.test(line)) continue;
    const cells = cellsAt(index, splitter);
    // Names may hold single spaces where numbers have none: a row of plain figures counts by its words.
    const words = cellsAt(index, splitSpaces(/\s+/g));
    rows.push(cells.length !== header.length && words.length === header.length ? words : cells);
  }
  return { header, rows };
}

function findHeader(
  lines: readonly string[],
  isHeader: (names: readonly string[]) => boolean,
): { readonly at: number; readonly splitter: Splitter } | undefined {
  for (const [at, line] of lines.entries()) {
    for (const [mark, splitter] of SPLITTERS) {
      if (mark.test(line) && isHeader(splitter(line).map((piece) => piece.text))) return { at, splitter };
    }
  }
  return undefined;
}
