import type { StepRow } from '../model/analysis.ts';
import type { ReportDocument } from '../model/documents.ts';
import * as q from './quantities.ts';
import { errorCell, loadKind, loadOf, loadText, percentilesOf, routesOf } from './step-columns.ts';
import type { TextColumn } from './text-layout.ts';

/** The same quantity of two runs, load by load. */
type Compared = readonly [name: string, cell: (row: StepRow) => string];

/** Whether both runs count the same load: users and workers of one number are not the same load. */
export const areOfOneLoadKind = (before: ReportDocument, after: ReportDocument): boolean =>
  loadKind(before.steps).heading === loadKind(after.steps).heading;

/** What the marks of a compared step table mean; empty for a table without marks. */
export const comparedNotes = (before: ReportDocument, after: ReportDocument): readonly string[] =>
  [...before.steps, ...after.steps].every(({ valid }) => valid)
    ? []
    : ['! the step of this run is not valid, and is not compared'];

/**
 * The step tables of two runs joined by load: each quantity once, before beside after. A load that only one run
 * has keeps its row, with dashes on the other side; X of a step that is not valid has a mark.
 */
export function comparedSteps(before: ReportDocument, after: ReportDocument): readonly TextColumn[] {
  const sides = [before, after].map(({ label, steps }) => ({
    label,
    byLoad: new Map(steps.map((row) => [nameOf(loadOf(row), steps), row])),
  }));
  const isOneKind = areOfOneLoadKind(before, after);
  const loadNames = new Map(
    [before, after].flatMap(({ steps }) =>
      steps.map((row) => [nameOf(loadOf(row), steps), loadOf(row)] as const),
    ),
  );
  const loads = [...loadNames].sort(([, a], [, b]) => a - b).map(([name]) => name);
  const columns = comparedQuantities([...before.steps, ...after.steps]).flatMap(([group, cell]) =>
    sides.map(({ label, byLoad }) => ({
      group,
      heading: label,
      ...(group === 'X/s' && { mark: '!' }),
      cells: loads.map((at) => {
        const row = byLoad.get(at);
        return row === undefined ? q.MISSING : cell(row);
      }),
    })),
  );
  const load = isOneKind
    ? { heading: loadKind(before.steps).heading, cells: loads.map((name) => q.load(loadNames.get(name))) }
    : { heading: 'load', cells: loads };
  return [load, ...columns];
}

const nameOf = (load: number, steps: readonly StepRow[]): string => loadText(load, loadKind(steps));

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
    ['X/s', (row) => `${q.rateFigure(row.throughputPerSecond)}${row.valid ? '' : '!'}`],
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
