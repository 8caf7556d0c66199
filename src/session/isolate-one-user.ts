import type { Isolation } from '../model/analysis.ts';
import type { LoadPlan } from '../model/load.ts';
import { isolateLoad } from './isolate-load.ts';
import { loadOnce } from './load-once.ts';
import { openService, type ServiceRequest } from './open-service.ts';

/**
 * Opens a service, sends each route of the plan alone with one user, and ends it again: the demands, with nobody who
 * waits for anybody. With `busyUsers` each route is sent by so many as well, for the demands of a service that is busy.
 * Undefined when the service went. Throws what `openService` and `isolateRoutes` throw.
 */
export async function isolateOneUser(
  toOpen: ServiceRequest,
  plan: LoadPlan,
  stepSeconds: number,
  busyUsers?: number,
): Promise<Isolation | undefined> {
  const service = await openService(toOpen);
  try {
    return await isolateLoad(plan, {
      users: 1,
      stepSeconds,
      ...(busyUsers !== undefined && { busyUsers }),
      run: (alone, listener) => loadOnce(alone, service, { listener }),
    });
  } finally {
    await service.stop();
  }
}
