import type { StepRow } from '../model/analysis.ts';
import type { RunRecord } from '../model/record.ts';
import { csvCell } from './escape.ts';
import type { Reporter } from './reporter.ts';
import { percentilesOf, routesOf } from './step-columns.ts';

type Cell = string | number | boolean | undefined;
type CsvColumn = readonly [heading: string, cell: (row: StepRow) => Cell];

/** The step table in SI units and full precision, one row per step; an unknown value is an empty cell. */
export function renderCsv(record: RunRecord): string {
  const { steps } = record.analysis;
  const columns: readonly CsvColumn[] = [
    ['run', () => record.manifest.label],
    ...STEP_COLUMNS,
    ...routesOf(steps).flatMap(routeColumns),
    ['notices', (row) => row.notices.map((notice) => notice.code).join(' ')],
  ];
  const lines = [
    columns.map(([heading]) => csvCell(heading)),
    ...steps.map((row) => columns.map(([, cell]) => csvCell(cell(row)))),
  ];
  return lines.map((cells) => `${cells.join(',')}\r\n`).join('');
}

const STEP_COLUMNS: readonly CsvColumn[] = [
  ['users', (row) => row.users],
  ['concurrency', (row) => row.concurrency],
  ['arrivalRatePerSecond', (row) => row.arrivalRatePerSecond],
  ['windowSeconds', (row) => row.windowSeconds],
  ['completionCount', (row) => row.completionCount],
  ['throughputPerSecond', (row) => row.throughputPerSecond],
  ['responseTimeSeconds', (row) => row.responseTimeSeconds],
  ['p50Seconds', (row) => row.overall.p50Seconds],
  ['p95Seconds', (row) => row.overall.p95Seconds],
  ['p99Seconds', (row) => row.overall.p99Seconds],
  ['maxSeconds', (row) => row.overall.maxSeconds],
  ['errorCount', (row) => (row.errorCountUnknown ? undefined : row.errorCount)],
  ['errorRatio', (row) => (row.errorRatioUnknown ? undefined : row.errorRatio)],
  ['thinkTimeSeconds', (row) => row.thinkTimeSeconds],
  ['busySeconds.cpu', (row) => row.busySeconds?.['cpu']],
  ['utilizationRatio.cpu', (row) => row.utilizationRatio['cpu']],
  ['serviceDemandSeconds.cpu', (row) => row.serviceDemandSeconds['cpu']],
  ['serverCount.cpu', (row) => row.serverCount['cpu']],
  ['littleResidualRatio', (row) => row.littleResidualRatio],
  ['machineCpuRatio', (row) => row.machineCpuRatio],
  ['loadPerCore', (row) => row.loadPerCore],
  ['generator.utilizationRatio', (row) => row.generator?.utilizationRatio],
  ['residentBytes', (row) => row.residentBytes],
  ['valid', (row) => row.valid],
];

function routeColumns(route: string): readonly CsvColumn[] {
  return (['p50Seconds', 'p95Seconds', 'p99Seconds'] as const).map((name) => [
    `${name} ${route}`,
    (row) => percentilesOf(row, route)?.[name],
  ]);
}

export const csvReporter: Reporter = {
  name: 'csv',
  extension: 'csv',
  describe: 'the step table in SI units, for a spreadsheet or another tool',
  render: renderCsv,
};
