/**
 * One generator's part of a plan: of every count users, and of every count arrivals, the one at `index`. All
 * parts draw from the plan's own seed and number users and arrivals as the plan does, so the parts together send
 * what one generator would: the same users with the same draws, the same arrivals at the same times.
 */
export interface PlanPart {
  /** 0 … count − 1. */
  readonly index: number;
  readonly count: number;
}

/** A plan that is not split. */
export const WHOLE_PLAN: PlanPart = { index: 0, count: 1 };

/** The parts of a plan for `count` generators. Throws a RangeError unless `count` is a positive whole number. */
export function partsOf(count: number): readonly PlanPart[] {
  if (!(Number.isInteger(count) && count > 0)) throw new RangeError(`a plan has no ${count} parts`);
  return Array.from({ length: count }, (_, index) => ({ index, count }));
}

/** Whether the user or arrival of this number belongs to the part. */
export const isOwn = (number: number, { index, count }: PlanPart): boolean => number % count === index;

/** The first number from `from` on that belongs to the part; the next ones follow at steps of `count`. */
export const firstOwn = (from: number, { index, count }: PlanPart): number =>
  from + ((((index - from) % count) + count) % count);

/** How many of the numbers 0 … total − 1 belong to the part; the parts' shares add up to `total`. */
export const ownShare = (total: number, { index, count }: PlanPart): number =>
  Math.floor(total / count) + (index < total % count ? 1 : 0);
