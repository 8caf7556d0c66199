export type Comparison = '<=' | '>=' | '=';

/**
 * What passing with margin needs: (1 − margin)·limit for `<=`, (1 + margin)·limit for `>=`, the limit itself
 * for `=`. A limit of zero has no margin. Same unit as `limit`.
 */
export function neededWithMargin(comparison: Comparison, limit: number, marginRatio: number): number {
  if (comparison === '<=') return limit * (1 - marginRatio);
  if (comparison === '>=') return limit * (1 + marginRatio);
  return limit;
}

/** Rounding of 0.9·T must not decide a verdict. */
const RELATIVE_TOLERANCE = 1e-9;

function exceeds(value: number, limit: number): boolean {
  const scale = Math.max(Math.abs(value), Math.abs(limit));
  return value > limit && (scale === Infinity || value - limit > RELATIVE_TOLERANCE * scale);
}

/**
 * The margin rule: v beyond the limit T fails; v within T by less than the margin, or an interval of v that
 * reaches beyond T, has no margin; else it passes. `interval` ends may be infinite; missing: the value alone.
 */
export function judgeValue(
  value: number,
  comparison: Comparison,
  limit: number,
  marginRatio: number,
  interval?: readonly [low: number, high: number],
): 'pass' | 'fail' | 'no-margin' {
  if (comparison === '=') return exceeds(value, limit) || exceeds(limit, value) ? 'fail' : 'pass';
  const needed = neededWithMargin(comparison, limit, marginRatio);
  const [low, high] = interval ?? [value, value];
  if (comparison === '<=') {
    if (exceeds(value, limit)) return 'fail';
    return exceeds(value, needed) || exceeds(high, limit) ? 'no-margin' : 'pass';
  }
  if (exceeds(limit, value)) return 'fail';
  return exceeds(needed, value) || exceeds(limit, low) ? 'no-margin' : 'pass';
}
