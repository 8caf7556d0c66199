import { ShiploadError } from '../errors.ts';
import type { Distribution } from '../model/distribution.ts';
import type { PlannedRequest } from '../model/load.ts';
import type { Notice } from '../model/notice.ts';
import type { WorkloadModel } from '../model/workload.ts';
import { plannedRequests } from './planned-requests.ts';

/** What a load rests on: the requests, and what is known of the users behind them. */
export interface LoadBasis {
  readonly requests: readonly PlannedRequest[];
  readonly notices: readonly Notice[];
  /** M of the log. */
  readonly activeUsers?: number;
  readonly thinkTime?: Distribution;
  /** Users pause as their scenario says, so that they are users without a think time of the plan. */
  readonly pausesItself?: boolean;
  /** Mean response time of the log. */
  readonly responseTimeSeconds?: number;
}

/** The requests of a log's model that can be sent again, its users and their think time. */
export function basisOfWorkload(workload: WorkloadModel): LoadBasis {
  const thinkTime = workload.requestThinkTimeSeconds ?? workload.thinkTimeSeconds?.distribution;
  const responseTimeSeconds = workload.responseTimeSeconds?.mean;
  return {
    ...plannedRequests(workload),
    ...(workload.activeUsers !== undefined && { activeUsers: workload.activeUsers }),
    ...(thinkTime !== undefined && { thinkTime }),
    ...(responseTimeSeconds !== undefined && { responseTimeSeconds }),
  };
}

/** Throws `workload-nothing-to-send`, with all that was left out and why, where a basis has no requests. */
export function requireRequests({ requests, notices }: LoadBasis): void {
  if (requests.length > 0) return;
  throw new ShiploadError(
    'workload-nothing-to-send',
    'no class of requests in the workload can be sent again',
    {
      hint:
        notices.length === 0
          ? 'The workload has no request classes.'
          : notices.map(({ message }) => message).join(' '),
    },
  );
}

/** The one request of a URL: its path and query, always the same. */
export function basisOfUrl(
  url: Pick<URL, 'pathname' | 'search'>,
  { method, body }: { readonly method: string; readonly body?: string },
): LoadBasis {
  const target = url.pathname + url.search;
  return {
    notices: [],
    requests: [
      {
        id: `${method} ${url.pathname}`,
        method,
        route: url.pathname,
        shareRatio: 1,
        targets: { draw: 'uniform', targets: [target], distinctCount: 1 },
        ...(body !== undefined && { body }),
      },
    ],
  };
}
