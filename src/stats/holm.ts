/**
 * Holm's step-down (1979): which of the p-values stay significant so that the chance of any false one is at most
 * `level`, whatever their dependence. In order of the input.
 */
export function holm(pValues: readonly number[], level = 0.05): boolean[] {
  const order = pValues.map((p, i) => ({ p, i })).sort((a, b) => a.p - b.p);
  const firstKept = order.findIndex(({ p }, rank) => p > level / (order.length - rank));
  const rejected = new Set(order.slice(0, firstKept < 0 ? order.length : firstKept).map(({ i }) => i));
  return pValues.map((_, i) => rejected.has(i));
}
