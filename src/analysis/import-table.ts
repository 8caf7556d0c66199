import type { RoutePercentiles, StepRow } from '../model/analysis.ts';
import type { Notice } from '../model/notice.ts';
import { ShiploadError } from '../errors.ts';
import { serviceDemand, usersByLittle } from '../stats/queueing/operational-laws.ts';
import { present } from './present.ts';
import { chooseColumns } from './table-choice.ts';
import type { ChosenColumns } from './table-choice.ts';
import { isStepHeader } from './table-columns.ts';
import { readCells } from './table-text.ts';
import { errorNotices, errorsOf, withErrorShares, withoutFailures } from './table-errors.ts';
import { inSi, latencyScale, readFigures } from './table-figures.ts';
import type { Figures } from './table-figures.ts';
import { percentColumns, ratioScale } from './table-ratios.ts';
import { MARKED_NOT_VALID, refuseRepeats, risingLoads, rowNotices } from './table-rows.ts';
import { brokenInTable } from './table-little.ts';
import { examineStep } from './validity.ts';

export interface ImportOptions {
  /** File name for messages. */
  readonly file: string;
  /** Which of several throughput columns: `readHeavy` for `readHeavyX`. The first by default. */
  readonly series?: string;
  /** m: cores the service can use; 1 where a table gives a utilisation and no count. */
  readonly serverCount?: number;
}

export interface ImportedTable {
  readonly rows: readonly StepRow[];
  /** How the columns were read, where that was a decision. */
  readonly notices: readonly Notice[];
}

/**
 * Reads the step table of any tool: a header that names a load (N, users, workers, c, rate …) and a throughput
 * (X, rps …), then a line a step. Units come from the names; a response time without one is in milliseconds,
 * unless Little's law says seconds. Utilisations may be ratios, percent or busy cores, decimals may have commas.
 * Rows come back by rising load. Throws `table-invalid` with file:line:column.
 */
export function importTable(text: string, options: ImportOptions): ImportedTable {
  const cells = readCells(text, isStepHeader);
  if (cells === undefined) {
    throw new ShiploadError('table-invalid', 'no line names a load and a throughput', {
      where: options.file,
      hint: 'a header such as `users,X,p95_ms,U,errors`; loads: N, users, c, workers, rate; throughput: X, rps, X/s',
    });
  }
  const chosen = chooseColumns(cells.header, options);
  const inPercent = percentColumns(cells);
  const columns = withErrorShares(chosen.columns, inPercent);
  refuseRepeats(columns, cells, options.file);
  const { figures, notices } = readFigures(cells, columns, options.file);
  if (figures.length === 0) {
    throw new ShiploadError('table-invalid', 'the table has a header and no rows', {
      where: `${options.file}:${cells.header[0]!.line}:1`,
    });
  }
  const latencies = latencyScale(figures, columns);
  const ratios = ratioScale(columns, { cells, figures, inPercent, ...options });
  const rows = risingLoads(figures, columns, cells).map(({ line, marked }, index) =>
    stepRow(
      index,
      readRow(line, columns, latencies.secondsPerUnit, ratios.divisors),
      marked,
      options.serverCount ?? 1,
    ),
  );
  return {
    rows,
    notices: [
      ...chosen.notices,
      ...notices,
      ...latencies.notices,
      ...ratios.notices,
      ...errorNotices(rows, columns),
      ...rowNotices(rows, columns, cells),
    ],
  };
}

/** One line of the table in SI units. */
interface ReadRow {
  readonly load: Pick<StepRow, 'users' | 'concurrency' | 'arrivalRatePerSecond'>;
  readonly values: Partial<Record<ChosenColumns['values'][number]['field'], number>>;
  readonly overall: RoutePercentiles;
  readonly byRoute: Record<string, RoutePercentiles>;
}

function readRow(
  row: Figures,
  columns: ChosenColumns,
  secondsPerUnit: number,
  divisors: ReadonlyMap<number, number>,
): ReadRow {
  const values: ReadRow['values'] = {};
  for (const { field, column, scale } of columns.values) {
    const value = row[column];
    if (value === undefined) continue;
    const divisor = divisors.get(column);
    values[field] = divisor === undefined ? inSi(value, scale) : value / divisor;
  }
  const byRoute: Record<string, RoutePercentiles> = {};
  let overall: RoutePercentiles = {};
  for (const { route, statistic, column, scale } of columns.latencies) {
    const value = row[column];
    if (value === undefined) continue;
    const entry = { [`${statistic}Seconds`]: inSi(value, scale ?? secondsPerUnit) };
    if (route === '') overall = { ...overall, ...entry };
    else byRoute[route] = { ...byRoute[route], ...entry };
  }
  return {
    load: { [columns.load.field]: row[columns.load.column]! },
    values: withoutFailures(values),
    overall,
    byRoute,
  };
}

function stepRow(index: number, row: ReadRow, marked: boolean, serverCount: number): StepRow {
  const { load, values, overall, byRoute } = row;
  const { windowSeconds, thinkTimeSeconds, generator, machine, busySeconds } = values;
  const throughputPerSecond = values.throughputPerSecond!;
  const responseTimeSeconds = overall.meanSeconds;
  const counted = windowSeconds === undefined ? undefined : Math.round(throughputPerSecond * windowSeconds);
  const completionCount = values.completionCount ?? counted;
  const littleResidualRatio = residualOf(load, throughputPerSecond, responseTimeSeconds, thinkTimeSeconds);
  const errors = errorsOf(values);
  const examined = examineStep({
    ...present({
      errorRatio: errors.errorRatioUnknown ? undefined : errors.errorRatio,
      generatorRatio: generator,
    }),
    // Without a count of completions the printed digits alone may break the law: see below.
    ...(completionCount !== undefined &&
      present({ users: load.users ?? load.concurrency, completionCount, littleResidualRatio })),
  });
  const law = { ...load, throughputPerSecond, ...present({ responseTimeSeconds, thinkTimeSeconds }) };
  const broken =
    completionCount === undefined || littleResidualRatio === undefined ? brokenInTable(law) : undefined;
  const notices = [...(marked ? [MARKED_NOT_VALID] : []), ...examined, ...(broken ? [broken] : [])];
  return {
    index,
    ...load,
    throughputPerSecond,
    ...errors,
    overall,
    byRoute,
    ...cpuColumns(values, serverCount),
    ...present({
      windowSeconds,
      completionCount,
      responseTimeSeconds,
      thinkTimeSeconds,
      littleResidualRatio,
      busySeconds: busySeconds === undefined ? undefined : { cpu: busySeconds },
      meanInFlight: values.meanInFlight,
      machineCpuRatio: machine,
      loadPerCore: values.loadPerCore,
      residentBytes: values.residentBytes,
      generator: generator === undefined ? undefined : { utilizationRatio: generator },
    }),
    valid: notices.every((notice) => notice.severity !== 'red-flag'),
    notices,
  };
}

/** U, D and m: D from its own column, else U·m/X. */
function cpuColumns(
  { cpu, machine, generator, demand, throughputPerSecond = NaN }: ReadRow['values'],
  serverCount: number,
): Pick<StepRow, 'utilizationRatio' | 'serviceDemandSeconds' | 'serverCount'> {
  const byLaw = cpu === undefined ? NaN : serviceDemand(cpu, serverCount, throughputPerSecond);
  const cpuDemand = demand ?? byLaw;
  const known = Number.isFinite(cpuDemand);
  return {
    utilizationRatio: present({ cpu, machineCpu: machine, generator }),
    serviceDemandSeconds: known ? { cpu: cpuDemand } : {},
    serverCount: known || cpu !== undefined ? { cpu: serverCount } : {},
  };
}

function residualOf(
  load: ReadRow['load'],
  throughput: number,
  response: number | undefined,
  think: number | undefined,
): number | undefined {
  const users = load.users ?? load.concurrency;
  const thinkTime = load.concurrency === undefined ? think : (think ?? 0);
  if (users === undefined || response === undefined || thinkTime === undefined) return undefined;
  return usersByLittle(throughput, response, thinkTime) / users - 1;
}
