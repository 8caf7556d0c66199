import { ShiploadError } from '../errors.ts';
import type { Target } from '../model/verdict.ts';
import { nearestName } from '../stats/nearest-name.ts';

/**
 * Refuses a target about a route that is not among `knownRoutes` (`/search` or `GET /search`), naming the one
 * that was probably meant. A method before the route of a target is allowed where the list has none. Throws
 * `target-unknown-route`.
 */
export function checkTargetRoutes(targets: readonly Target[], knownRoutes: readonly string[]): void {
  for (const target of targets) {
    if (target.route !== undefined && resolveRoute(target.route, knownRoutes) === undefined) {
      throw unknownRoute(target, target.route, knownRoutes);
    }
  }
}

/** The entry of `knownRoutes` that a target's route means: the same text, or the same but for the method. */
export function resolveRoute(route: string, knownRoutes: readonly string[]): string | undefined {
  if (knownRoutes.includes(route)) return route;
  const withoutMethod = (text: string): string => text.replace(/^[A-Z]+ /u, '');
  if (route !== withoutMethod(route)) return knownRoutes.find((known) => known === withoutMethod(route));
  return knownRoutes.find((known) => withoutMethod(known) === route);
}

function unknownRoute(target: Target, route: string, knownRoutes: readonly string[]): ShiploadError {
  const nearest = nearestName(route, knownRoutes);
  const known = knownRoutes.length === 0 ? 'none' : knownRoutes.join(', ');
  return new ShiploadError(
    'target-unknown-route',
    `target "${target.text}": no route ${route} in this load`,
    {
      hint: nearest === undefined ? `routes: ${known}` : `did you mean ${nearest}? Routes: ${known}`,
      where: route,
    },
  );
}
