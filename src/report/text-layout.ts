import { alignLeft, alignRight, displayWidth } from './quantities.ts';
import type { Tone } from './words.ts';

/** ANSI dress for a terminal, or none. */
export interface Paint {
  readonly strong: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly tone: (tone: Tone, text: string) => string;
}

const ESCAPE = '\u001b';
const TONE_CODES: Readonly<Record<Tone, number | undefined>> = {
  good: 32,
  bad: 31,
  doubt: 33,
  plain: undefined,
};

/** Colours only where asked for; otherwise text passes unchanged. */
export function createPaint(color: boolean): Paint {
  const dress = (code: number | undefined, text: string): string =>
    color && code !== undefined ? `${ESCAPE}[${code}m${text}${ESCAPE}[0m` : text;
  return {
    strong: (text) => dress(1, text),
    dim: (text) => dress(2, text),
    tone: (tone, text) => dress(TONE_CODES[tone], text),
  };
}

/** Breaks a paragraph into lines of at most `width` columns; a longer word has a line of its own. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || displayWidth(last) + 1 + displayWidth(word) > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

/** A wrapped paragraph behind a lead (a label, a bullet); later lines stand under the first. */
export function hanging(lead: string, text: string, width: number): readonly string[] {
  const indent = displayWidth(lead);
  return wrap(text, Math.max(24, width - indent)).map(
    (line, i) => (i === 0 ? lead : ' '.repeat(indent)) + line,
  );
}

/** Label and value lines with the values under each other. */
export function labelled(
  facts: readonly { readonly label: string; readonly value: string }[],
  width: number,
): readonly string[] {
  const labelWidth = Math.min(28, Math.max(0, ...facts.map(({ label }) => displayWidth(label))));
  return facts.flatMap(({ label, value }) => hanging(`  ${alignLeft(label, labelWidth)}  `, value, width));
}

/** A column of a text table: heading, cells, and the group (printed once above its columns). */
export interface TextColumn {
  readonly heading: string;
  readonly group?: string;
  readonly cells: readonly string[];
  readonly align?: 'left' | 'right';
  /** A mark at the end of a cell that hangs into the gap, so that figures stay under each other. */
  readonly mark?: string;
}

interface Block {
  readonly group?: string;
  readonly columns: readonly { readonly column: TextColumn; readonly width: number }[];
  readonly width: number;
}

const GAP = 2;

/** Columns of one group become one block, wide enough for the group's name. */
function blocksOf(columns: readonly TextColumn[]): readonly Block[] {
  const blocks: TextColumn[][] = [];
  for (const column of columns) {
    const last = blocks.at(-1);
    if (last !== undefined && column.group !== undefined && last[0]?.group === column.group)
      last.push(column);
    else blocks.push([column]);
  }
  return blocks.map(sized);
}

function sized(columns: readonly TextColumn[]): Block {
  const widths = columns.map((column) =>
    Math.max(...[column.heading, ...column.cells].map((text) => displayWidth(unmarked(column, text)))),
  );
  const inner = widths.reduce((sum, width) => sum + width, GAP * (widths.length - 1));
  const group = columns[0]?.group;
  const width = Math.max(inner, group === undefined ? 0 : displayWidth(group));
  const slack = width - inner;
  return {
    ...(group === undefined ? {} : { group }),
    columns: columns.map((column, i) => ({ column, width: widths[i]! + (i === 0 ? slack : 0) })),
    width,
  };
}

/**
 * A table that fits `width`: one block if it can, else plain columns first and groups after, packed into as
 * many blocks as needed, each with the first column again.
 */
export function table(columns: readonly TextColumn[], width: number, paint: Paint): readonly string[] {
  const [first, ...rest] = blocksOf(columns);
  if (first === undefined) return [];
  const total = rest.reduce((sum, block) => sum + GAP + block.width, first.width);
  if (total <= width) return printBlock([first, ...rest], paint);
  const plain = rest.filter((block) => block.group === undefined);
  const grouped = rest.filter((block) => block.group !== undefined);
  return [
    ...pack(first, plain, width),
    ...pack(first, grouped, width - (rest.some(hasMarks) ? 1 : 0)),
  ].flatMap((blocks, i) => [...(i === 0 ? [] : ['']), ...printBlock(blocks, paint)]);
}

function pack(first: Block, rest: readonly Block[], width: number): readonly (readonly Block[])[] {
  const rows: Block[][] = [];
  let room = 0;
  for (const block of rest) {
    if (rows.length === 0 || room < GAP + block.width) {
      rows.push([first]);
      room = width - first.width;
    }
    rows.at(-1)!.push(block);
    room -= GAP + block.width;
  }
  return rows;
}

function printBlock(blocks: readonly Block[], paint: Paint): readonly string[] {
  const line = (show: (column: TextColumn) => string): string =>
    blocks
      .flatMap(({ columns }) => columns)
      .map(({ column, width }) => alignLeft(aligned(column, show(column), width), width + GAP))
      .join('')
      .trimEnd();
  const hasGroups = blocks.some((block) => block.group !== undefined);
  const groups = blocks.map((block) => alignRight(block.group ?? '', block.width)).join(' '.repeat(GAP));
  const rowCount = blocks[0]?.columns[0]?.column.cells.length ?? 0;
  return [
    ...(hasGroups ? [paint.dim(groups.trimEnd())] : []),
    paint.dim(line((column) => column.heading)),
    ...Array.from({ length: rowCount }, (_, row) => line((column) => column.cells[row] ?? '')),
  ];
}

function aligned(column: TextColumn, text: string, width: number): string {
  if (column.align === 'left') return alignLeft(text, width);
  const figure = unmarked(column, text);
  return alignRight(figure, width) + text.slice(figure.length);
}

const unmarked = ({ mark }: TextColumn, text: string): string =>
  mark !== undefined && text.endsWith(mark) ? text.slice(0, -mark.length) : text;

const hasMarks = ({ columns }: Block): boolean => columns.some(({ column }) => column.mark !== undefined);

/** A titled section with a blank line before it; nothing where there are no lines. */
export function section(title: string, lines: readonly string[], paint: Paint): readonly string[] {
  return lines.length === 0 ? [] : ['', paint.strong(title), ...lines];
}
