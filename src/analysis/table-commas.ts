import { ShiploadError } from '../errors.ts';
import type { Notice } from '../model/notice.ts';
import type { Cell } from './table-cells.ts';
import type { TableCells } from './table-text.ts';

/** What a comma within a figure is, in a whole table. */
export type CommaMeaning = 'thousands' | 'decimal';

const COMMA_GROUPS = String.raw`[1-9]\d{0,2}(?:,\d{3})+`;
const POINT_GROUPS = String.raw`[1-9]\d{0,2}(?:\.\d{3})+`;
/** 1,234: one group of three, which either convention could write. */
const EITHER = /^[1-9]\d{0,2},\d{3}$/;
const WITH_COMMA_GROUPS = new RegExp(String.raw`^(?:${COMMA_GROUPS}\.\d+|[1-9]\d{0,2}(?:,\d{3}){2,})$`);
const WITH_POINT = /^\d*\.\d+(?:e[+-]?\d+)?$/i;
const ONLY_POINT_GROUPS = new RegExp(`^${POINT_GROUPS}$`);
const WITH_DECIMAL_COMMA = new RegExp(String.raw`^(?:\d*|${POINT_GROUPS}),\d+$`);
const EXPONENT = String.raw`(?:e[+-]?\d+)?`;
const FIGURE: Readonly<Record<CommaMeaning, RegExp>> = {
  thousands: new RegExp(String.raw`^[+-]?(?:(?:${COMMA_GROUPS}|\d+)(?:\.\d+)?|\.\d+)${EXPONENT}$`, 'i'),
  decimal: new RegExp(String.raw`^[+-]?(?:(?:${POINT_GROUPS}|\d+)(?:,\d+)?|,\d+)${EXPONENT}$`, 'i'),
};

/** The figure of a cell without sign, percent sign and mark. */
const bare = ({ text }: Cell): string => text.replace(/^[+-]/, '').replace(/[\s%!?]+$/, '');

const showsDecimalComma = (text: string): boolean => WITH_DECIMAL_COMMA.test(text) && !EITHER.test(text);
const showsDecimalPoint = (text: string): boolean =>
  WITH_COMMA_GROUPS.test(text) || (WITH_POINT.test(text) && !ONLY_POINT_GROUPS.test(text));

/** A figure as a number under a meaning of its commas; undefined for what is no number. */
export function numberOf(text: string, commas: CommaMeaning): number | undefined {
  if (!FIGURE[commas].test(text)) return undefined;
  const [group, point] = commas === 'decimal' ? ['.', ','] : [',', '.'];
  return Number(text.replaceAll(group, '').replace(point, '.'));
}

/**
 * What commas are in the columns that are read. `12,2` has a decimal comma, `1,234.5`, `1,234,567` and `12.5` a
 * decimal point. Where all commas could be either (`1,234`) they part thousands if the cells are parted by commas
 * too, if loads hold them, or if their column has bare figures from 100 to 999 beside them. Throws `table-invalid`
 * for a table that shows both, or neither.
 */
export function commaMeaning(
  cells: TableCells,
  wanted: ReadonlySet<number>,
  loadColumn: number,
  file: string,
): { readonly commas: CommaMeaning; readonly notices: readonly Notice[] } {
  const read = cells.rows.flatMap((row) => row.filter((_, column) => wanted.has(column)));
  const decimal = read.find((cell) => showsDecimalComma(bare(cell)));
  const point = read.find((cell) => showsDecimalPoint(bare(cell)));
  const either = read.find((cell) => EITHER.test(bare(cell)));
  if (decimal !== undefined && point !== undefined) {
    throw unclear(decimal, `"${decimal.text}" has a decimal comma and "${point.text}" a decimal point`, file);
  }
  if (decimal !== undefined) return { commas: 'decimal', notices: [decimalNotice(decimal)] };
  const shown = point !== undefined || either === undefined || cells.commasPart;
  if (!shown && !commasPartThousands(cells, wanted, loadColumn)) {
    throw unclear(either, `"${either.text}" may be a decimal or have a comma after its thousands`, file);
  }
  return { commas: 'thousands', notices: [] };
}

function commasPartThousands(cells: TableCells, wanted: ReadonlySet<number>, loadColumn: number): boolean {
  return [...wanted].some((column) => {
    const texts = cells.rows.flatMap((row) => (row[column] === undefined ? [] : [bare(row[column])]));
    if (!texts.some((text) => EITHER.test(text))) return false;
    return column === loadColumn || texts.some((text) => /^[1-9]\d\d$/.test(text));
  });
}

const decimalNotice = ({ text }: Cell): Notice => ({
  code: 'decimal-comma',
  severity: 'info',
  message: `commas are read as decimal commas, as in "${text}"`,
  advice: 'write decimal points to be sure',
});

const unclear = (cell: Cell, message: string, file: string): ShiploadError =>
  new ShiploadError('table-invalid', message, {
    where: `${file}:${cell.line}:${cell.column}`,
    hint: 'write decimal points, and no commas between thousands',
  });
