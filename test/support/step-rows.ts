import { readFileSync } from 'node:fs';
import type { StepRow } from '../../src/model/analysis.ts';
import { fixture } from './paths.ts';

/** A step row with everything that a test does not care about. */
export function stepRow(fields: Partial<StepRow> = {}): StepRow {
  return {
    index: 0,
    throughputPerSecond: 100,
    errorCount: 0,
    errorRatio: 0,
    overall: {},
    byRoute: {},
    utilizationRatio: {},
    serviceDemandSeconds: {},
    serverCount: {},
    valid: true,
    notices: [],
    ...fields,
  };
}

interface PublishedRow {
  users: number;
  X: number;
  p50Book: number;
  p95Book: number;
  p50Search: number;
  p95Search: number;
  U: number;
  errors: number;
  machinePercent?: number;
  loadPerCore?: number;
  generatorU?: number;
  rssMb?: number;
}

export interface RouteNames {
  readonly fast: string;
  readonly slow: string;
}

/** The published step tables of the worked case, before and after the fix, as rows of an imported table. */
export function publishedRows(
  which: 'publishedBeforeFix' | 'publishedAfterFix',
  names: RouteNames = { fast: '/books/[id]', slow: '/search' },
): StepRow[] {
  const tables = JSON.parse(readFileSync(fixture('case', 'published-tables.json'), 'utf8')) as Record<
    string,
    PublishedRow[]
  >;
  return tables[which]!.map((row, index) => rowOf(row, index, names));
}

function rowOf(row: PublishedRow, index: number, names: RouteNames): StepRow {
  return stepRow({
    index,
    users: row.users,
    throughputPerSecond: row.X,
    errorCount: row.errors,
    byRoute: {
      [names.fast]: { p50Seconds: row.p50Book / 1e3, p95Seconds: row.p95Book / 1e3 },
      [names.slow]: { p50Seconds: row.p50Search / 1e3, p95Seconds: row.p95Search / 1e3 },
    },
    utilizationRatio: { cpu: row.U },
    serviceDemandSeconds: { cpu: row.U / row.X },
    serverCount: { cpu: 1 },
    ...(row.machinePercent === undefined ? {} : { machineCpuRatio: row.machinePercent / 100 }),
    ...(row.loadPerCore === undefined ? {} : { loadPerCore: row.loadPerCore }),
    ...(row.generatorU === undefined ? {} : { generator: { utilizationRatio: row.generatorU } }),
    ...(row.rssMb === undefined ? {} : { residentBytes: row.rssMb * 1e6 }),
  });
}
