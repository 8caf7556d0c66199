import type { Notice } from '../model/notice.ts';
import { usersByLittle } from '../stats/queueing/operational-laws.ts';

/** What a line of a table without counts tells of Little's law. */
export interface PrintedLaw {
  readonly users?: number;
  readonly concurrency?: number;
  readonly throughputPerSecond: number;
  readonly responseTimeSeconds?: number;
  /** Missing: none for workers, not known for users. */
  readonly thinkTimeSeconds?: number;
}

/** Tools differ in where a response time begins and ends, and how they average; not by more than this. */
const TOOLS_DIFFER = 0.2;

/**
 * Little's law on the figures of a table as printed: N = X(R+Z), or where users think for an unknown time N ≥ X·R.
 * A step that breaks it by more than 20 % and the rounding of its figures was not measured at the load it names.
 * Undefined where it holds, or where N or the mean response time is missing.
 */
export function brokenInTable(law: PrintedLaw): Notice | undefined {
  const { throughputPerSecond, responseTimeSeconds, concurrency } = law;
  const load = law.users ?? concurrency;
  const thinkTime = concurrency === undefined ? law.thinkTimeSeconds : (law.thinkTimeSeconds ?? 0);
  if (load === undefined || responseTimeSeconds === undefined || !(throughputPerSecond > 0)) return undefined;
  const made = usersByLittle(throughputPerSecond, responseTimeSeconds, thinkTime ?? 0);
  const allowed = TOOLS_DIFFER + roundingRatio(throughputPerSecond) + roundingRatio(responseTimeSeconds);
  const isTooMany = made > load * (1 + allowed);
  const isTooFew = thinkTime !== undefined && made < load * (1 - allowed);
  if (!isTooMany && !isTooFew) return undefined;
  const name = thinkTime === undefined || thinkTime === 0 ? 'X·R' : 'X(R+Z)';
  return {
    code: 'little-law-broken',
    severity: 'red-flag',
    message: `${name} = ${Number(made.toPrecision(3))} where ${isTooMany ? 'only ' : ''}${load} ${concurrency === undefined ? 'users' : 'workers'} were asked for`,
    advice: isTooMany
      ? 'see the units of X and R, and whether R is a mean from the send to the last byte'
      : 'the load was not kept up, or users paused: give the pause as a column (think_s)',
  };
}

/** Half a unit of the last digit that is not 0 over the figure; of a whole number half of one. */
function roundingRatio(value: number): number {
  if (value === 0 || Number.isInteger(value)) return value === 0 ? 0 : 0.5 / value;
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  const decimals = (digits.split('.')[1] ?? '').length - Number(exponent);
  return (0.5 * 10 ** -decimals) / value;
}
