import type { StepRow } from '../model/analysis.ts';
import type { ReportDocument } from '../model/documents.ts';
import * as q from './quantities.ts';
import { errorCell, loadKind, loadOf, percentilesOf, routesOf } from './step-columns.ts';
import type { TextColumn } from './text-layout.ts';

/** The same quantity of two runs, load by load. */
type Compared = readonly [name: string, cell: (row: StepRow) => string];

/**
 * The step tables of two runs joined by load: each quantity once, before beside after. A load that only one run
 * has keeps its row, with dashes on the other side.
 */
export function comparedSteps(before: ReportDocument, after: ReportDocument): readonly TextColumn[] {
  const sides = [before, after].map(({ label, steps }) => ({
    label,
    byLoad: new Map(steps.map((row) => [loadOf(row), row])),
  }));
  const loads = [...new Set(sides.flatMap(({ byLoad }) => [...byLoad.keys()]))].sort((a, b) => a - b);
  const columns = comparedQuantities([...before.steps, ...after.steps]).flatMap(([group, cell]) =>
    sides.map(({ label, byLoad }) => ({
      group,
      heading: label,
      cells: loads.map((at) => {
        const row = byLoad.get(at);
        return row === undefined ? q.MISSING : cell(row);
      }),
    })),
  );
  return [{ heading: loadKind(before.steps).heading, cells: loads.map((at) => q.load(at)) }, ...columns];
}

function comparedQuantities(steps: readonly StepRow[]): readonly Compared[] {
  const routes = routesOf(steps);
  const p95: readonly Compared[] =
    routes.length === 0
      ? [
          ['p50 ms', (row) => q.milliseconds(row.overall.p50Seconds)],
          ['p99 ms', (row) => q.milliseconds(row.overall.p99Seconds)],
        ]
      : routes.map((route) => [
          `p95 ms ${route}`,
          (row) => q.milliseconds(percentilesOf(row, route)?.p95Seconds),
        ]);
  return [
    ['X/s', (row) => q.rateFigure(row.throughputPerSecond)],
    ...p95,
    ['err', errorCell],
    ['U', (row) => q.utilization(row.utilizationRatio['cpu'])],
    ['D_ms', (row) => q.milliseconds(row.serviceDemandSeconds['cpu'])],
  ];
}

/** p95 of the slowest route at each load: the curve that decides. */
export function slowestP95({ steps }: ReportDocument): readonly (readonly [load: number, seconds: number])[] {
  return steps.flatMap((row) => {
    const routes = Object.values(row.byRoute);
    const known = (routes.length === 0 ? [row.overall] : routes).flatMap((timing) => timing.p95Seconds ?? []);
    return known.length === 0 ? [] : [[loadOf(row), Math.max(...known)] as const];
  });
}
