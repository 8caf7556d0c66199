import type { PlannedRequest } from '../model/load.ts';
import type { Notice } from '../model/notice.ts';
import type { WorkloadModel } from '../model/workload.ts';

/** Methods that a log tells completely: they carry no body. */
export const BODYLESS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * The requests of a model that can be sent again, with their shares scaled to sum to 1. Left out, with a
 * notice that gives the share: methods that need a body (an access log has none), and classes of which no
 * request succeeded (there is nothing to send that would not fail).
 */
export function plannedRequests(workload: WorkloadModel): {
  readonly requests: readonly PlannedRequest[];
  readonly notices: readonly Notice[];
} {
  const withBody = workload.requestClasses.filter((c) => !BODYLESS.has(c.method));
  const failing = workload.requestClasses.filter(
    (c) => BODYLESS.has(c.method) && c.targets.targets.length === 0,
  );
  const sendable = workload.requestClasses.filter(
    (c) => BODYLESS.has(c.method) && c.targets.targets.length > 0,
  );
  const total = sendable.reduce((sum, c) => sum + c.shareRatio, 0);
  const requests = sendable.map((c) => ({
    id: c.id,
    method: c.method,
    route: c.route,
    shareRatio: c.shareRatio / total,
    targets: c.targets,
  }));
  return {
    requests,
    notices: [
      ...leftOut('bodies-unknown', 'need a body, which an access log does not hold', withBody),
      ...leftOut('only-failures', 'never succeeded in the log', failing),
    ],
  };
}

function leftOut(code: string, why: string, classes: WorkloadModel['requestClasses']): readonly Notice[] {
  if (classes.length === 0) return [];
  const share = classes.reduce((sum, c) => sum + c.shareRatio, 0);
  const named = classes.slice(0, 5).map((c) => c.id);
  const more = classes.length > named.length ? ` and ${classes.length - named.length} more` : '';
  return [
    {
      code,
      severity: 'warning',
      message: `${(share * 100).toFixed(1)} % of the requests are left out of the load: ${named.join(', ')}${more} ${why}.`,
      advice: 'The load is lighter or cheaper than the log by that share; read the result with that in mind.',
    },
  ];
}
