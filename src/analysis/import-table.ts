import type { RoutePercentiles, StepRow } from '../model/analysis.ts';
import type { Notice } from '../model/notice.ts';
import { ShiploadError } from '../errors.ts';
import { serviceDemand, usersByLittle } from '../stats/queueing/operational-laws.ts';
import { present } from './present.ts';
import { chooseColumns } from './table-choice.ts';
import type { ChosenColumns } from './table-choice.ts';
import { isStepHeader } from './table-columns.ts';
import { readCells } from './table-text.ts';
import { inSi, latencyScale, percentScale, readFigures } from './table-figures.ts';
import type { Figures } from './table-figures.ts';
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
 * unless Little's law says seconds. Utilisations may be ratios or percent. Throws `table-invalid` with
 * file:line:column.
 */
export function importTable(text: string, options: ImportOptions): ImportedTable {
  const cells = readCells(text, isStepHeader);
  if (cells === undefined) {
    throw new ShiploadError('table-invalid', 'no line names a load and a throughput', {
      where: options.file,
      hint: 'a header such as `users,X,p95_ms,U,errors`; loads: N, users, c, workers, rate; throughput: X, rps, X/s',
    });
  }
  const { columns, notices } = chooseColumns(cells.header, options);
  const figures = readFigures(cells, columns, options.file);
  if (figures.length === 0) {
    throw new ShiploadError('table-invalid', 'the table has a header and no rows', {
      where: `${options.file}:${cells.header[0]!.line}:1`,
    });
  }
  const scale = latencyScale(figures, columns);
  const percent = percentScale(figures, columns);
  const rows = figures.map((row, index) =>
    stepRow(index, readRow(row, columns, scale.secondsPerUnit, percent), options.serverCount ?? 1),
  );
  return { rows, notices: [...notices, ...scale.notices, ...errorNotices(rows, columns)] };
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
  percent: ReadonlySet<number>,
): ReadRow {
  const values: ReadRow['values'] = {};
  for (const { field, column, scale } of columns.values) {
    const value = row[column];
    if (value !== undefined) values[field] = inSi(value, percent.has(column) ? 0.01 : scale);
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
  return { load: { [columns.load.field]: row[columns.load.column]! }, values, overall, byRoute };
}

function stepRow(index: number, row: ReadRow, serverCount: number): StepRow {
  const { load, values, overall, byRoute } = row;
  const { windowSeconds, thinkTimeSeconds, generator, machine, busySeconds } = values;
  const throughputPerSecond = values.throughputPerSecond!;
  const responseTimeSeconds = overall.meanSeconds;
  const counted = windowSeconds === undefined ? undefined : Math.round(throughputPerSecond * windowSeconds);
  const completionCount = values.completionCount ?? counted;
  const littleResidualRatio = residualOf(load, throughputPerSecond, responseTimeSeconds, thinkTimeSeconds);
  const errors = errorsOf(values);
  const notices = examineStep({
    errorRatio: errors.errorRatio,
    ...present({ generatorRatio: generator }),
    // Without a count of completions the printed digits alone may break the law.
    ...(completionCount !== undefined &&
      present({ users: load.users ?? load.concurrency, completionCount, littleResidualRatio })),
  });
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

/** Errors as a count and a share; a count alone gives a share where the requests are known. */
function errorsOf(values: ReadRow['values']): { readonly errorCount: number; readonly errorRatio: number } {
  const { throughputPerSecond = 0, windowSeconds = NaN, errorCount = 0 } = values;
  const successes = values.completionCount ?? throughputPerSecond * windowSeconds;
  if (values.errorRatio !== undefined) {
    const ratio = values.errorRatio;
    const count = Number.isFinite(successes) ? Math.round((ratio / (1 - ratio)) * successes) : 0;
    return { errorCount: values.errorCount ?? count, errorRatio: ratio };
  }
  const share = errorCount / (errorCount + successes);
  return { errorCount, errorRatio: Number.isFinite(share) ? share : 0 };
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

function errorNotices(rows: readonly StepRow[], columns: ChosenColumns): Notice[] {
  const fields = new Set(columns.values.map((value) => value.field));
  const knowable = ['errorRatio', 'windowSeconds', 'completionCount'].some((f) => fields.has(f as never));
  if (knowable || rows.every((row) => row.errorCount === 0)) return [];
  return [
    {
      code: 'error-share-unknown',
      severity: 'warning',
      message: 'errors are counted, and nothing says of how many requests: their share is not judged',
      advice: 'add a column T_s (seconds measured a step) or errorRatio',
    },
  ];
}
