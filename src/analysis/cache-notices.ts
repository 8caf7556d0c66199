import type { StepRow } from '../model/analysis.ts';
import type { Notice } from '../model/notice.ts';
import { loadText, percentText } from '../stats/wording.ts';

/** A fall of the hit ratio, in points, that is worth a word: each lost hit costs the full demand again. */
const FALL = 0.05;

/** The alert for a cache whose hit ratio falls with the load: what was measured below no longer holds above. */
export function cacheNotices(rows: readonly StepRow[]): Notice[] {
  let best: StepRow | undefined;
  for (const row of rows) {
    const ratio = row.cacheHitRatio;
    if (ratio === undefined) continue;
    const before = best?.cacheHitRatio ?? -1;
    if (best !== undefined && ratio < before - FALL) {
      return [
        {
          code: 'cache-hit-ratio-fell',
          severity: 'warning',
          message: `the cache answered ${percentText(before)} of what it was asked at ${loadText(best)}, and ${percentText(ratio)} at ${loadText(row)}`,
          advice:
            'the cache is too small for this load, or entries expire: size it, and alert on its hit ratio',
          where: loadText(row),
        },
      ];
    }
    if (ratio > before) best = row;
  }
  return [];
}
