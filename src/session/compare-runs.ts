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
  const shared = withSharedServerCount([...before, ...distinct(after, before)]);
  const sides = [shared.slice(0, before.length), shared.slice(before.length)] as const;
  const comparison = compareRecords(...sides, noiseFloor, whatIfs);
  return { comparison, before: medianRecord(sides[0]), after: medianRecord(sides[1]) };
}

/** Two sides of one label could not be told apart in a table. */
function distinct(after: readonly RunRecord[], before: readonly RunRecord[]): readonly RunRecord[] {
  const taken = new Set(before.map(({ manifest }) => manifest.label));
  return after.map((record) => {
    const { manifest } = record;
    if (!taken.has(manifest.label)) return record;
    return { ...record, manifest: { ...manifest, label: `${manifest.label} (after)` } };
  });
}
