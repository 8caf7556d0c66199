/** A cell and where it stands: line and column count from 1. */
export interface Cell {
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

/** Cuts a line into cells; columns count from 1. */
export type Splitter = (line: string) => readonly { readonly text: string; readonly column: number }[];

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
export function splitQuoted(separator: string): Splitter {
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

/** The cells of a markdown row, with or without outer bars. */
export const splitMarkdown: Splitter = (line) =>
  splitBy(/\|/g)(line).slice(line.trimStart().startsWith('|') ? 1 : 0, /\|\s*$/.test(line) ? -1 : undefined);

/** Cuts at white space that `separator` matches; nothing between two is no cell. */
const splitSpaces =
  (separator: RegExp): Splitter =>
  (line) =>
    splitBy(separator)(line).filter((piece) => piece.text !== '');

/** Columns under each other, at least two spaces apart: a name may hold one. */
export const splitAligned = splitSpaces(/ {2,}/g);

/** Words. */
export const splitWords = splitSpaces(/\s+/g);
