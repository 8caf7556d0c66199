import { ShiploadError } from '../errors.ts';
import type { Notice } from '../model/notice.ts';
import type { ChosenColumns, LatencyColumn } from './table-choice.ts';
import type { Cell } from './table-cells.ts';
import { commaMeaning, numberOf } from './table-commas.ts';
import type { CommaMeaning } from './table-commas.ts';
import type { TableCells } from './table-text.ts';

/** Figures of one row by column; missing where the cell is empty, `-` or `n/a`. */
export type Figures = readonly (number | undefined)[];

const EMPTY_CELL = /^(?:|-+|–|—|n\/?a|nan|null)$/i;
/** Little's law with room for printed digits and for percentiles taken as means. */
const LITTLE_ROOM = 1.2;
/** A closed loop without think time has X·R = N; from this share of it on, seconds are meant. */
const LITTLE_SHARE = 0.8;
/** No answer comes over a socket within 20 µs: figures that small are not milliseconds. */
const FASTEST_SECONDS = 20e-6;

/**
 * Reads the cells of the chosen columns. A percentile with a `?` (too few samples beyond it) is left out, a `!`
 * behind a load is taken off. Throws `table-invalid` with file:line:column at the first bad cell.
 */
export function readFigures(
  cells: TableCells,
  columns: ChosenColumns,
  file: string,
): { readonly figures: readonly Figures[]; readonly notices: readonly Notice[] } {
  const latencies = new Set(columns.latencies.map(({ column }) => column));
  const wanted = new Set([columns.load.column, ...columns.values.map(({ column }) => column), ...latencies]);
  const inPercent = new Set(columns.values.filter((c) => c.scale === 0.01).map((c) => c.column));
  const short = cells.rows.find((row) => row.length !== cells.header.length);
  if (short !== undefined)
    throw invalid(`${short.length} cells under ${cells.header.length} names`, short[0]!, file);
  const { commas, notices } = commaMeaning(cells, wanted, columns.load.column, file);
  const read = (cell: Cell, column: number): number | undefined => {
    if (!wanted.has(column) || EMPTY_CELL.test(cell.text)) return undefined;
    if (latencies.has(column) && cell.text.endsWith('?')) return undefined;
    const text = column === columns.load.column ? cell.text.replace(/!$/, '') : cell.text;
    return figureOf({ ...cell, text }, cells.header[column]!.text, inPercent.has(column), commas, file);
  };
  const figures = cells.rows.map((row) => checkedRow(row.map(read), row, columns, file));
  return { figures, notices };
}

function checkedRow(figures: Figures, row: readonly Cell[], columns: ChosenColumns, file: string): Figures {
  const load = columns.load.column;
  const throughput = throughputColumn(columns);
  if ((figures[load] ?? 0) === 0) throw invalid('a load must be above 0', row[load]!, file);
  if (figures[throughput] === undefined) throw invalid('a throughput is missing', row[throughput]!, file);
  return figures;
}

const throughputColumn = ({ values }: ChosenColumns): number =>
  values.find(({ field }) => field === 'throughputPerSecond')!.column;

function figureOf(
  cell: Cell,
  name: string,
  inPercent: boolean,
  commas: CommaMeaning,
  file: string,
): number | undefined {
  const digits = cell.text.replace(/\s*%$/, '');
  const figure = numberOf(digits, commas);
  if (figure === undefined) throw invalid(`${name}: "${cell.text.slice(0, 40)}" is no number`, cell, file);
  if (figure < 0) throw invalid(`${name}: ${cell.text} is below 0`, cell, file);
  return figure * (digits !== cell.text && !inPercent ? 0.01 : 1);
}

const invalid = (message: string, cell: Cell, file: string): ShiploadError =>
  new ShiploadError('table-invalid', message, { where: `${file}:${cell.line}:${cell.column}` });

/** A figure in SI units. Divides by whole numbers, so that 22 ms is 0.022 s to the last bit. */
export const inSi = (value: number, scale: number): number =>
  scale < 1 ? value / Math.round(1 / scale) : value * scale;

/**
 * The unit of response times whose names tell none. Little's law decides: X·R ≤ N must hold, so figures that
 * break it as seconds are milliseconds; figures that make up at least 80 % of N as seconds are seconds. Where it
 * decides nothing they are milliseconds, unless that would be faster than any socket.
 */
export function latencyScale(
  figures: readonly Figures[],
  columns: ChosenColumns,
): { readonly secondsPerUnit: number; readonly notices: readonly Notice[] } {
  const bare = columns.latencies.filter((c) => c.scale === undefined && c.statistic !== 'max');
  if (bare.length === 0) return { secondsPerUnit: 1e-3, notices: [] };
  const reason = readsAsSeconds(figures, columns, bare);
  return {
    secondsPerUnit: reason.seconds ? 1 : 1e-3,
    notices: [
      {
        code: 'latency-unit-decided',
        severity: 'info',
        message: `response times without a unit are read as ${reason.seconds ? 'seconds' : 'milliseconds'}: ${reason.why}`,
        advice: 'write the unit into the column name (p95_ms, p95Seconds) to be sure',
      },
    ],
  };
}

function readsAsSeconds(
  figures: readonly Figures[],
  columns: ChosenColumns,
  bare: readonly LatencyColumn[],
): { readonly seconds: boolean; readonly why: string } {
  const throughput = throughputColumn(columns);
  const central = bare.filter((c) => c.statistic === 'p50' || c.statistic === 'mean');
  // The share of the load that X·R would make up if the figures were seconds.
  const shares = figures.flatMap((row) => {
    const values = (central.length > 0 ? central : bare).flatMap((c) => row[c.column] ?? []);
    const load = row[columns.load.column]!;
    return values.length === 0 ? [] : [(row[throughput]! * Math.min(...values)) / load];
  });
  if (columns.load.field !== 'arrivalRatePerSecond') {
    if (shares.some((share) => share > LITTLE_ROOM))
      return { seconds: false, why: 'as seconds X·R would exceed N' };
    const near = shares.filter((share) => share >= LITTLE_SHARE).length;
    if (near * 2 > shares.length) return { seconds: true, why: 'as seconds X·R makes up N' };
  }
  const highest = Math.max(...figures.flatMap((row) => bare.flatMap((c) => row[c.column] ?? [])));
  const tooFast = highest > 0 && highest * 1e-3 < FASTEST_SECONDS;
  return { seconds: tooFast, why: tooFast ? 'as milliseconds they would be too short' : 'the usual unit' };
}
