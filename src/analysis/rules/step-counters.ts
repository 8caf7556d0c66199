import type { StepRow } from '../../model/analysis.ts';
import type { StepMeasurement } from '../../model/measurement.ts';
import { counterOf, measurementOfStep, rateOf } from '../counter-window.ts';
import type { DiagnosisInput } from './rule.ts';

/** The measurement behind a row; undefined for an imported table. */
export const measurementOf = (row: StepRow, input: DiagnosisInput): StepMeasurement | undefined =>
  measurementOfStep(input.measurements, row.index);

/** Growth per second of a cumulative counter over a step; undefined where it was not read. */
export function counterRate(
  row: StepRow,
  input: DiagnosisInput,
  source: string,
  quantity: string,
): number | undefined {
  const measurement = measurementOf(row, input);
  return measurement === undefined ? undefined : rateOf(counterOf(measurement, source, quantity));
}

/** Cores' worth of CPU that the process was ready to use and did not get: others had the cores. */
export const cpuWaitRatio = (row: StepRow, input: DiagnosisInput): number =>
  counterRate(row, input, 'process', 'runQueueWaitSeconds') ?? 0;

/** The steps in the order of their load. */
export const byLoad = ({ rows }: Pick<DiagnosisInput, 'rows'>): StepRow[] =>
  [...rows].sort((a, b) => loadValue(a) - loadValue(b));

/** The valid steps in the order of their load. */
export const risingRows = (input: Pick<DiagnosisInput, 'rows'>): StepRow[] =>
  byLoad(input).filter(({ valid }) => valid);

export const loadValue = (row: StepRow): number =>
  row.users ?? row.concurrency ?? row.arrivalRatePerSecond ?? 0;
