import type { IsolatedRoute } from '../model/analysis.ts';
import * as q from './quantities.ts';
import type { TextColumn } from './text-layout.ts';

/** The table of routes that were run alone: what each costs, and its share of the requests and of the work. */
export function isolationColumns(routes: readonly IsolatedRoute[]): readonly TextColumn[] {
  return [
    { heading: 'route', cells: routes.map((one) => one.route), align: 'left' as const },
    { heading: 'users', cells: routes.map((one) => q.load(one.users)) },
    { heading: 'C', cells: routes.map((one) => q.countFigure(one.completionCount)) },
    { heading: 'X/s', cells: routes.map((one) => q.rateFigure(one.throughputPerSecond)) },
    { heading: 'p50', cells: routes.map((one) => q.duration(one.p50Seconds)) },
    { heading: 'p95', cells: routes.map((one) => q.duration(one.p95Seconds)) },
    { heading: 'err', cells: routes.map((one) => q.countFigure(one.errorCount)) },
    { heading: 'U', cells: routes.map((one) => q.utilization(one.utilizationRatio)) },
    { heading: 'demand D', cells: routes.map((one) => q.duration(one.serviceDemandSeconds)) },
    { heading: 'of requests', cells: routes.map((one) => q.percent(one.shareRatio)) },
    { heading: 'of the work', cells: routes.map((one) => q.percent(one.shareOfWorkRatio)) },
  ];
}
