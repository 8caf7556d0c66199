import { ShiploadError } from '../errors.ts';
import type { Target } from '../model/verdict.ts';

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
  const nearest = nearestOf(route, knownRoutes);
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

/** The closest text, if no more than half of it would have to change. */
function nearestOf(text: string, candidates: readonly string[]): string | undefined {
  const scored = candidates.map((candidate) => ({ candidate, distance: editDistance(text, candidate) }));
  const best = scored.sort((a, b) => a.distance - b.distance)[0];
  return best !== undefined && best.distance <= best.candidate.length / 2 ? best.candidate : undefined;
}

/** Levenshtein distance: the fewest insertions, deletions and substitutions from a to b. */
function editDistance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = above[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(substitution, above[j]! + 1, row[j - 1]! + 1));
    }
    above = row;
  }
  return above[b.length]!;
}
