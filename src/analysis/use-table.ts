import type { Finding, StepRow, UseRow, UseTable } from '../model/analysis.ts';
import type { StepMeasurement } from '../model/measurement.ts';
import { loadOf } from '../stats/wording.ts';
import { measurementOfStep } from './counter-window.ts';
import { connectionsRow, diskRow, memoryRow, networkRow } from './use-machine-rows.ts';
import { cpuRow, lockRow, poolRow, threadRow } from './use-service-rows.ts';

/** What a row of the table is worked out from. */
export interface UseInput {
  readonly row: StepRow;
  /** Missing in an imported table: then only its own columns are known. */
  readonly measurement?: StepMeasurement;
  readonly findings: readonly Finding[];
}

const ROWS: readonly ((input: UseInput) => UseRow)[] = [
  cpuRow,
  threadRow,
  poolRow,
  lockRow,
  diskRow,
  networkRow,
  connectionsRow,
  memoryRow,
];

/**
 * Utilisation, saturation and errors of each resource at the valid step of the highest load, where limits show. A
 * finding that names a resource without counters (a pool, a lock) stands in its row. Undefined without a valid step, and
 * where nothing at all is known of any resource.
 * Source: Gregg, Systems Performance, section 2.5.9 (the USE method).
 */
export function useTable(
  rows: readonly StepRow[],
  measurements: readonly StepMeasurement[],
  findings: readonly Finding[],
): UseTable | undefined {
  const row = rows
    .filter(({ valid }) => valid)
    .reduce<StepRow | undefined>((top, one) => (loadValue(one) > loadValue(top) ? one : top), undefined);
  if (row === undefined) return undefined;
  const measurement = measurementOfStep(measurements, row.index);
  const input = { row, findings, ...(measurement !== undefined && { measurement }) };
  const table = ROWS.map((rowOf) => rowOf(input));
  if (table.every(({ verdict }) => verdict === 'unknown')) return undefined;
  return { stepIndex: row.index, rows: table };
}

const loadValue = (row: StepRow | undefined): number => (row && loadOf(row)?.value) ?? -Infinity;
