import { resourceWords } from '../stats/metric-words.ts';
import type { CrossCheck, Knee, Saturation, StepRow } from '../model/analysis.ts';
import type { CurveModel } from './curve-model.ts';
import { plateauIndexes, plateauOf } from './curve-shape.ts';

/** From here on the busiest resource is near 1 and its demand tells the capacity. */
const NEAR_ONE = 0.85;
/** 95 % of a normal distribution, and what a plateau measured within two N* lacks to the asymptote. */
const TWO_SIDED = 1.96;
const SYSTEMATIC = 0.03;
/** The crossing that X itself tells. */
export const BY_PLATEAU = '(R₀+Z)·X_plateau';
/** Resources of the service itself; the machine and the generator are not its own. */
const SERVICE_RESOURCES = ['cpu', 'busiestThread'] as const;

/** The busiest resource of the service over all steps. */
export interface BusiestResource {
  readonly resource: string;
  readonly utilizationRatio: number;
  /** m/D at that step: the throughput at which the resource would be busy all the time. */
  readonly throughputLimitPerSecond: number;
}

/** The service's resource with the highest utilisation in any valid step; missing where none was measured. */
export function busiestResource(rows: readonly StepRow[]): BusiestResource | undefined {
  let busiest: BusiestResource | undefined;
  for (const row of rows) {
    for (const resource of SERVICE_RESOURCES) {
      const utilizationRatio = row.utilizationRatio[resource];
      if (!row.valid || utilizationRatio === undefined || !(utilizationRatio > 0)) continue;
      if (utilizationRatio <= (busiest?.utilizationRatio ?? 0)) continue;
      const demand = row.serviceDemandSeconds[resource];
      const servers = row.serverCount[resource] ?? 1;
      const throughputLimitPerSecond =
        demand !== undefined && demand > 0 ? servers / demand : row.throughputPerSecond / utilizationRatio;
      busiest = { resource, utilizationRatio, throughputLimitPerSecond };
    }
  }
  return busiest;
}

/** Where the asymptotes cross: by the plateau, (R₀ + Z)·X_plateau, and by the demand, (R₀ + Z)·m/D. */
export function asymptoteCrossings(model: CurveModel, rows: readonly StepRow[], knee: Knee): CrossCheck[] {
  const busiest = busiestResource(rows);
  const nearOne = busiest !== undefined && busiest.utilizationRatio >= NEAR_ONE;
  const crossings: CrossCheck[] = [];
  const plateau = plateauOf(model.points);
  const isBounded = knee.upperBound !== undefined && knee.rise === undefined;
  const isPlateau = knee.seen || isBounded || (nearOne && knee.bend !== undefined);
  crossings.push({
    method: BY_PLATEAU,
    ...(isPlateau && { users: plateau / model.lightSlopePerSecond }),
    note: isPlateau ? plateauNote(plateau, knee) : 'no plateau in the data',
  });
  if (busiest === undefined) return crossings;
  const { resource, utilizationRatio, throughputLimitPerSecond } = busiest;
  const use = `${resourceWords(resource)} at ${Math.round(utilizationRatio * 100)} %`;
  crossings.push({
    method: '(R₀+Z)·m/D',
    ...(nearOne && { users: throughputLimitPerSecond / model.lightSlopePerSecond }),
    note: nearOne ? use : `${use} at most: its demand does not bound the sweep`,
  });
  return crossings;
}

function plateauNote(plateau: number, { rise }: Knee): string {
  const text = `X_plateau ${Number(plateau.toPrecision(4))}/s`;
  return rise === undefined ? text : `${text}: a lower bound, X still rose at ${rise.toLoad}`;
}

/**
 * Saturation N*: the mean of the crossings of the asymptotes that the data carry; the interval spans them and their
 * errors. Given once a knee is seen or a resource of the service is at 85 % or more. R₀ + Z is the cycle time
 * of the lowest steps, N/X (Denning & Buzen 1978; (D + Z)/Dmax with the light-load response in the place of D).
 * From X alone while that still rises it is a lower bound; of a sweep that may start above the knee an upper one, and
 * nothing where both are true.
 */
export function findSaturation(
  crossings: readonly CrossCheck[],
  { rise, upperBound }: Knee,
  model: CurveModel,
): Saturation | undefined {
  const answers = crossings.filter((c) => c.users !== undefined);
  if (answers.length === 0) return undefined;
  const users = answers.map((c) => c.users!);
  const isLowerBound = rise !== undefined && answers.every((c) => c.method === BY_PLATEAU);
  const isUpperBound = upperBound !== undefined;
  if (isLowerBound && isUpperBound) return undefined;
  const error = TWO_SIDED * crossingError(model) + SYSTEMATIC;
  return {
    users: users.reduce((sum, n) => sum + n, 0) / users.length,
    interval: [Math.min(...users) * Math.max(0, 1 - error), Math.max(...users) * (1 + error)],
    method: answers.map((c) => c.method).join(' and '),
    ...(isLowerBound && { isLowerBound }),
    ...(isUpperBound && { isUpperBound }),
  };
}

/** Relative standard error of X_plateau·(R₀ + Z): that of the plateau's mean and that of the light-load slope. */
function crossingError({ points, deviations, lightSlopeError }: CurveModel): number {
  const level = plateauIndexes(points);
  const plateauError = Math.hypot(...level.map((i) => deviations[i]!)) / level.length / plateauOf(points);
  return Math.hypot(plateauError, lightSlopeError);
}
