import type { CounterSeries } from '../model/measurement.ts';

/**
 * Counters as a table: one row a sample, one column a quantity, named source.quantity with its unit. A quantity
 * that was not read at a moment is an empty cell.
 */
export function countersCsv(series: readonly CounterSeries[]): string {
  const rows = new Map<number, (number | undefined)[]>();
  for (const [column, { points }] of series.entries()) {
    for (const [atSeconds, value] of points) {
      const row = rows.get(atSeconds) ?? [];
      row[column] = value;
      rows.set(atSeconds, row);
    }
  }
  const header = [
    'at_seconds',
    ...series.map(({ source, quantity, unit }) => `${source}.${quantity} (${unit})`),
  ];
  const lines = [...rows]
    .sort((a, b) => a[0] - b[0])
    .map(([atSeconds, row]) =>
      [atSeconds.toFixed(3), ...series.map((_, column) => row[column] ?? '')].join(','),
    );
  return `${[header.join(','), ...lines].join('\n')}\n`;
}
