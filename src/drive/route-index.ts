import type { LoadPlan } from '../model/load.ts';
import type { DriveHost } from './drive-host.ts';
import type { Recorder } from './recorder.ts';

/** A scenario computes what it asks for; more names than this are counted under one. */
const MOST_ROUTES = 200;

/** Classes of requests by method and route; those that the plan does not name are added as they show. */
export function routeIndexOf(
  plan: LoadPlan,
  recorder: Recorder,
  onAdded: DriveHost['onRouteAdded'],
): (method: string, route: string) => number {
  // By method, then route: asked for at every request, where two look-ups cost less than an id put together.
  const known = new Map<string, Map<string, number>>();
  const ids = new Map(plan.requests.map(({ id }, i) => [id, i]));
  return (method, route) => {
    let byRoute = known.get(method);
    if (byRoute === undefined) known.set(method, (byRoute = new Map()));
    let index = byRoute.get(route);
    if (index !== undefined) return index;
    const id = `${method} ${route}`;
    index = ids.get(id) ?? (ids.size >= MOST_ROUTES ? otherRoutes() : addRoute({ id, route }));
    if (byRoute.size < MOST_ROUTES) byRoute.set(route, index);
    return index;
  };

  function otherRoutes(): number {
    return ids.get(OTHER_ROUTES.id) ?? addRoute(OTHER_ROUTES);
  }

  function addRoute(route: { readonly id: string; readonly route: string }): number {
    const index = recorder.addRoute(route);
    ids.set(route.id, index);
    onAdded?.(route.route);
    return index;
  }
}

const OTHER_ROUTES = { id: '(other routes)', route: '(other routes)' };
