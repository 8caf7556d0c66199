import { ShiploadError } from '../errors.ts';
import type { StepRow } from '../model/analysis.ts';
import type { Notice } from '../model/notice.ts';
import { countText, loadOf, loadText } from '../stats/wording.ts';
import type { ChosenColumns } from './table-choice.ts';
import type { Figures } from './table-figures.ts';
import type { TableCells } from './table-text.ts';

/** A step whose load has a `!` behind it, as in our own reports. */
export const MARKED_NOT_VALID: Notice = {
  code: 'step-marked-not-valid',
  severity: 'red-flag',
  message: 'the table marks this step with ! as not valid',
};

/** The lines of a table by rising load, those of one load in their order; `marked`: with a `!` behind the load. */
export function risingLoads(
  figures: readonly Figures[],
  { load }: ChosenColumns,
  { rows }: TableCells,
): readonly { readonly line: Figures; readonly marked: boolean }[] {
  return figures
    .map((line, i) => ({ line, marked: rows[i]![load.column]!.text.endsWith('!') }))
    .sort((a, b) => a.line[load.column]! - b.line[load.column]!);
}

/** Throws `table-invalid` where two columns hold the same percentile of the same route. */
export function refuseRepeats({ latencies }: ChosenColumns, { header }: TableCells, file: string): void {
  const percentiles = latencies.filter(({ statistic }) => statistic.startsWith('p'));
  const repeat = percentiles.find(({ route, statistic }, i) =>
    percentiles.some((other, j) => j < i && other.route === route && other.statistic === statistic),
  );
  if (repeat === undefined) return;
  const cell = header[repeat.column]!;
  throw new ShiploadError('table-invalid', `two columns hold ${repeat.statistic} of the same route`, {
    where: `${file}:${cell.line}:${cell.column}`,
    hint: 'name the routes in the header: `p95 /search (ms)`',
  });
}

/** What a reader should know of the rows: loads that stand twice, percentiles that were left out. */
export function rowNotices(
  rows: readonly StepRow[],
  { latencies }: ChosenColumns,
  cells: TableCells,
): Notice[] {
  const repeated = rows.filter((row, i) => i > 0 && loadOf(row)?.value === loadOf(rows[i - 1]!)?.value);
  const leftOut = cells.rows
    .flatMap((row) => latencies.map(({ column }) => row[column]!.text))
    .filter((text) => text.endsWith('?'));
  return [
    ...(repeated.length === 0 ? [] : [repeatedNotice(repeated)]),
    ...(leftOut.length === 0 ? [] : [leftOutNotice(leftOut.length)]),
  ];
}

const repeatedNotice = (repeated: readonly StepRow[]): Notice => ({
  code: 'loads-repeated',
  severity: 'info',
  message: `more than one row at ${[...new Set(repeated.map(loadText))].join(', ')}: each stays a step of its own`,
});

const leftOutNotice = (count: number): Notice => ({
  code: 'percentiles-left-out',
  severity: 'info',
  message: `${countText(count, 'percentile')} marked with ? (fewer than ten samples beyond): not read`,
});
