import { ShiploadError } from '../errors.ts';
import type { Notice } from '../model/notice.ts';
import type { ChosenColumns, ValueColumn } from './table-choice.ts';
import type { Figures } from './table-figures.ts';
import type { TableCells } from './table-text.ts';

/** A utilisation of one resource above this is percent or cores: no resource is busy for 150 % of its time. */
const HIGHEST_RATIO = 1.5;
/** Bare figures above this are percent: few services are given more cores without a word about them. */
const MOST_BARE_CORES = 10;
/** Counters of busy time and the clock disagree by this much at most. */
const CORE_ROOM = 1.05;

const CORES_HINT =
  'say how many cores the service has (--cores), or write the percent of all cores with a % sign';

/** How ratios are read: column → what its figures are divided by; missing: as the column's name says. */
export interface RatioScale {
  readonly divisors: ReadonlyMap<number, number>;
  readonly notices: readonly Notice[];
}

interface RatioContext {
  readonly cells: TableCells;
  readonly figures: readonly Figures[];
  /** Columns with a percent sign in a cell; their figures are ratios already. */
  readonly inPercent: ReadonlySet<number>;
  readonly serverCount?: number;
  readonly file: string;
}

/** Which columns have a percent sign in a cell. */
export function percentColumns({ rows }: TableCells): ReadonlySet<number> {
  return new Set(
    rows.flatMap((row) => row.flatMap(({ text }, column) => (text.endsWith('%') ? [column] : []))),
  );
}

/**
 * Ratio, percent or busy cores, for whole columns. A utilisation of the service up to 1.5 is a ratio; above it is
 * busy cores (U = cores/m) where m is known and covers it, else percent where it is above 10. Other ratios are
 * percent above 1.5, shares of errors above 1. Throws `table-invalid` for what may be cores or percent, and for
 * a share of errors above 100 %.
 */
export function ratioScale(columns: ChosenColumns, context: RatioContext): RatioScale {
  const divisors = new Map<number, number>();
  const notices: Notice[] = [];
  for (const value of columns.values) {
    const highest = Math.max(0, ...context.figures.map((row) => row[value.column] ?? 0));
    const unit = value.scale === 0.01 ? 100 : 1;
    const isBare = value.maybePercent && !context.inPercent.has(value.column);
    if (value.field === 'errorRatio') {
      const percent = isBare && highest > 1 ? 100 : unit;
      if (highest / percent > 1) throw refused(value, context, 'of the requests is more than all');
      divisors.set(value.column, percent);
    } else if (value.field === 'cpu' && highest / unit > HIGHEST_RATIO) {
      const read = readCpu(value, { ...context, highest, unit, isBare });
      divisors.set(value.column, read.divisor);
      notices.push(...read.notices);
    } else if (isBare && highest > HIGHEST_RATIO) divisors.set(value.column, 100);
  }
  return { divisors, notices };
}

/** A utilisation of the service with a figure above 1.5. */
function readCpu(
  value: ValueColumn,
  context: RatioContext & { readonly highest: number; readonly unit: number; readonly isBare: boolean },
): { readonly divisor: number; readonly notices: readonly Notice[] } {
  const { highest, unit, isBare, serverCount, cells } = context;
  const name = cells.header[value.column]!.text;
  const asCores = (divisor: number): boolean =>
    serverCount !== undefined && highest / divisor <= CORE_ROOM * serverCount;
  if (asCores(unit)) {
    const notice = decided(`${name} goes up to ${highest} with ${serverCount} cores: read as busy cores`);
    return { divisor: unit * serverCount!, notices: [notice] };
  }
  if (!isBare || highest <= MOST_BARE_CORES) throw refused(value, context, 'may be busy cores or percent');
  if (highest / 100 <= HIGHEST_RATIO)
    return { divisor: 100, notices: [decided(`${name} goes up to ${highest}: read as percent`)] };
  if (!asCores(100)) throw refused(value, context, 'is more than all cores can be busy');
  const notice = decided(
    `${name} goes up to ${highest} with ${serverCount} cores: read as percent of one core`,
  );
  return { divisor: 100 * serverCount!, notices: [notice] };
}

const decided = (message: string): Notice => ({
  code: 'utilization-unit-decided',
  severity: 'info',
  message,
  advice: 'write ratios from 0 to 1, or a percent sign and the share of all cores, to be sure',
});

function refused(
  { field, column }: ValueColumn,
  { cells, figures, file }: RatioContext,
  why: string,
): ShiploadError {
  const highest = Math.max(...figures.map((row) => row[column] ?? 0));
  const at = figures.findIndex((row) => row[column] === highest);
  const cell = cells.rows[at]![column]!;
  return new ShiploadError('table-invalid', `${cells.header[column]!.text}: ${cell.text} ${why}`, {
    where: `${file}:${cell.line}:${cell.column}`,
    ...(field === 'cpu' && { hint: CORES_HINT }),
  });
}
