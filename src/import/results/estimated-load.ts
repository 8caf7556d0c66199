import type { ImportedLoad } from '../../model/imported.ts';
import type { Notice } from '../../model/notice.ts';
import { estimatedFromLittle, workersBehind } from './stretches.ts';

/** The load of a summary that tells none: N = X·R, the requests in flight on average (Little's law). */
export function loadByLittle(
  requestsPerSecond: number,
  meanSeconds: number,
): { readonly load: ImportedLoad; readonly notices: readonly Notice[] } {
  const mean = requestsPerSecond * meanSeconds;
  const value = workersBehind(mean);
  return {
    load: { kind: 'concurrency', value, source: 'estimated' },
    notices: [estimatedFromLittle(mean, value)],
  };
}
