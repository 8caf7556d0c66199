/** Two groups of one stratum: how many of each there are, and how many of these have the property. */
export interface TwoProportions {
  readonly first: { readonly count: number; readonly hits: number };
  readonly second: { readonly count: number; readonly hits: number };
}

/**
 * Is the property commoner in the first group, strata never mixed? z = Σ(a − E[a]) / √ΣVar(a), with a the first
 * group's hits and hypergeometric E and Var in every stratum: the signed root of the Cochran–Mantel–Haenszel
 * statistic without continuity correction, standard normal when the proportions are equal. One stratum is the
 * test of two proportions. 0 when no stratum can tell (an empty group, or all alike).
 * Source: Mantel & Haenszel, J. Natl. Cancer Inst. 22 (1959).
 */
export function stratifiedProportionZ(strata: readonly TwoProportions[]): number {
  let difference = 0;
  let variance = 0;
  for (const { first, second } of strata) {
    const count = first.count + second.count;
    const hits = first.hits + second.hits;
    if (count < 2) continue;
    difference += first.hits - (first.count * hits) / count;
    variance += (first.count * second.count * hits * (count - hits)) / (count * count * (count - 1));
  }
  return variance > 0 ? difference / Math.sqrt(variance) : 0;
}
