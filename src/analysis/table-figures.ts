import { ShiploadError } from '../errors.ts';
import type { Notice } from '../model/notice.ts';
import type { ChosenColumns, LatencyColumn } from './table-choice.ts';
import type { Cell } from './table-text.ts';

/** Figures of one row by column; missing where the cell is empty, `-` or `n/a`. */
export type Figures = readonly (number | undefined)[];

const EMPTY_CELL = /^(?:|-+|–|—|n\/?a|nan|null)$/i;
const FIGURE = /^[+-]?(?:\d[\d,]*(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?\s*(%)?$/i;
/** A utilisation above this must be percent: no resource is busy for 150 % of its time. */
const HIGHEST_RATIO = 1.5;
/** Little's law with room for printed digits and for percentiles taken as means. */
const LITTLE_ROOM = 1.2;
/** A closed loop without think time has X·R = N; from this share of it on, seconds are meant. */
const LITTLE_SHARE = 0.8;
/** No answer comes over a socket within 20 µs: figures that small are not milliseconds. */
const FASTEST_SECONDS = 20e-6;

/** Reads the cells of the chosen columns. Throws `table-invalid` with file:line:column at the first bad one. */
export function readFigures(
  { header, rows }: { readonly header: readonly Cell[]; readonly rows: readonly (readonly Cell[])[] },
  columns: ChosenColumns,
  file: string,
): Figures[] {
  const wanted = new Set([columns.load.column, ...columns.values.map((c) => c.column)]);
  for (const { column } of columns.latencies) wanted.add(column);
  const inPercent = new Set(columns.values.filter((c) => c.scale === 0.01).map((c) => c.column));
  const throughput = columns.values.find((c) => c.field === 'throughputPerSecond')!.column;
  return rows.map((row) => {
    if (row.length !== header.length) {
      throw invalid(`${row.length} cells under ${header.length} names`, row[0]!, file);
    }
    const figures = row.map((cell, i) =>
      wanted.has(i) ? figureOf(cell, header[i]!.text, inPercent.has(i), file) : undefined,
    );
    const load = figures[columns.load.column];
    if (load === undefined || load === 0)
      throw invalid('a load must be above 0', row[columns.load.column]!, file);
    if (figures[throughput] === undefined) throw invalid('a throughput is missing', row[throughput]!, file);
    return figures;
  });
}

function figureOf(cell: Cell, name: string, inPercent: boolean, file: string): number | undefined {
  if (EMPTY_CELL.test(cell.text)) return undefined;
  const match = FIGURE.exec(cell.text);
  if (match === null) throw invalid(`${name}: "${cell.text.slice(0, 40)}" is no number`, cell, file);
  const digits = cell.text.replaceAll(/[,%\s]/g, '');
  const value = Number(digits) * (match[1] === '%' && !inPercent ? 0.01 : 1);
  if (value < 0) throw invalid(`${name}: ${cell.text} is below 0`, cell, file);
  return value;
}

const invalid = (message: string, cell: Cell, file: string): ShiploadError =>
  new ShiploadError('table-invalid', message, { where: `${file}:${cell.line}:${cell.column}` });

/** A figure in SI units. Divides by whole numbers, so that 22 ms is 0.022 s to the last bit. */
export const inSi = (value: number, scale: number): number =>
  scale < 1 ? value / Math.round(1 / scale) : value * scale;

/** The columns of ratios that must be percent, as a whole column: those with a figure above 1.5. */
export function percentScale(figures: readonly Figures[], columns: ChosenColumns): ReadonlySet<number> {
  const ratios = columns.values.filter((column) => column.maybePercent).map((column) => column.column);
  return new Set(ratios.filter((column) => figures.some((row) => (row[column] ?? 0) > HIGHEST_RATIO)));
}

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
  const throughput = columns.values.find((c) => c.field === 'throughputPerSecond')!.column;
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
