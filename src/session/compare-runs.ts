import type { Prediction } from '../model/prediction.ts';
import type { Comparison, NoiseFloor, RunRecord } from '../model/record.ts';
import { compareRecords } from '../record/compare-records.ts';
import { medianRecord } from '../record/median-record.ts';
import { withSharedServerCount } from './shared-server-count.ts';

/** Two sides of runs compared, and each side as the one record that tables and charts show. */
export interface ComparedRuns {
  readonly comparison: Comparison;
  readonly before: RunRecord;
  readonly after: RunRecord;
}

/** Compares all runs under one m. Throws what `compareRecords` throws. */
export function compareRuns(
  before: readonly RunRecord[],
  after: readonly RunRecord[],
  noiseFloor?: NoiseFloor,
  whatIfs: readonly Prediction[] = [],
): ComparedRuns {
  const shared = withSharedServerCount([...before, ...after]);
  const sides = [shared.slice(0, before.length), shared.slice(before.length)] as const;
  const comparison = compareRecords(...sides, noiseFloor, whatIfs);
  return { comparison, before: medianRecord(sides[0]), after: medianRecord(sides[1]) };
}
