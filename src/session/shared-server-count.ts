import { findServerCount } from '../analysis/server-count.ts';
import type { RunRecord } from '../model/record.ts';
import { concludeRun } from '../pipeline.ts';
import { GIVEN_SERVER_COUNT, SHARED_SERVER_COUNT } from '../record/server-count-source.ts';

/**
 * Runs that are compared, with one m where each found its own: the largest that any of them shows. A run in which one
 * thread did nearly all the work does not show that the service cannot use a second core, as one that used it does.
 * The runs stay as they are where m was given, where affinity and quota allow them different numbers of cores (then
 * the service is a different one), and where a record without measurements cannot be concluded again.
 */
export function withSharedServerCount(records: readonly RunRecord[]): readonly RunRecord[] {
  const counts = records.flatMap(({ manifest }) => manifest.service.serverCount ?? []);
  const largest = Math.max(...counts);
  if (counts.length < records.length || counts.every((count) => count === largest)) return records;
  const allowed = new Set(records.map(({ measurements }) => findServerCount(measurements)?.allowedCount));
  const isGiven = records.some(({ manifest }) => manifest.service.serverCountSource === GIVEN_SERVER_COUNT);
  if (isGiven || allowed.size > 1 || allowed.has(undefined)) return records;
  return records.map((record) =>
    concludeRun({
      ...record,
      manifest: {
        ...record.manifest,
        service: {
          ...record.manifest.service,
          serverCount: largest,
          serverCountSource: SHARED_SERVER_COUNT,
        },
      },
    }),
  );
}
