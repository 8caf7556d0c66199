import type { LoadTrial } from '../../model/shape-result.ts';
import { STEP_FACTOR } from './step-up.ts';

/** Confidence of the range that a search states. */
export const RANGE_CONFIDENCE = 0.9;

/** No measurement is taken to be surer than this: the model of its errors is not. */
const SUREST = 1 - 1e-6;

/** Where the border lies; a side is missing where the trials do not close it. */
export interface BorderRange {
  readonly low?: number;
  readonly high?: number;
}

/**
 * The equal-tailed credible interval of the border, from all trials that say something of the service. Loads below the
 * border pass and those above it fail; a trial that passes with probability p is p/(1 − p) times as likely measured
 * below the border as above it (prior odds of one), and errors of different loads are independent. So the posterior of
 * each gap between neighbouring loads is ∏ p (below) · ∏ (1 − p) (above), times its width on a logarithmic scale: a flat
 * prior, open by one step of the search beyond the lowest and the highest load (Gelman et al., Bayesian Data Analysis,
 * 1.3, 2.3). Whole loads are rounded outwards. `npm run bench:search` counts how often it holds.
 */
export function borderRange(trials: readonly LoadTrial[], isCount: boolean): BorderRange {
  const rising = trials.filter(({ blocked }) => blocked === undefined).sort((a, b) => a.load - b.load);
  if (rising.length === 0) return {};
  const edges = rising.map(({ load }) => Math.log(load));
  edges.unshift(edges[0]! - Math.log(STEP_FACTOR));
  edges.push(edges.at(-1)! + Math.log(STEP_FACTOR));
  const weights = gapWeights(rising, edges);
  const tail = (1 - RANGE_CONFIDENCE) / 2;
  const low = quantile(edges, weights, tail);
  const high = quantile(edges, weights, 1 - tail);
  // How far the border lies beyond the loads that were tried is the prior's word, and not told.
  const [lowest, highest] = [rising[0]!.load, rising.at(-1)!.load];
  return {
    ...(low >= lowest && { low: Math.min(highest, isCount ? Math.floor(low) : low) }),
    ...(high <= highest && { high: Math.max(lowest, isCount ? Math.ceil(high) : high) }),
  };
}

/** Posterior of the gap before each trial and after the last, not normalised; the largest is 1. */
function gapWeights(rising: readonly LoadTrial[], edges: readonly number[]): number[] {
  const chances = rising.map(({ passProbability: p }) => Math.min(SUREST, Math.max(1 - SUREST, p)));
  let logLikelihood = chances.reduce((sum, p) => sum + Math.log(1 - p), 0);
  const logs = edges.slice(1).map((edge, gap) => {
    const p = chances[gap - 1];
    if (p !== undefined) logLikelihood += Math.log(p / (1 - p));
    return logLikelihood + Math.log(edge - edges[gap]!);
  });
  const most = Math.max(...logs);
  return logs.map((log) => Math.exp(log - most));
}

/** The load below which the border lies with probability `share`. */
function quantile(edges: readonly number[], weights: readonly number[], share: number): number {
  let left = share * weights.reduce((sum, weight) => sum + weight, 0);
  let gap = 0;
  while (left > weights[gap]! && gap < weights.length - 1) left -= weights[gap++]!;
  const [from, to] = [edges[gap]!, edges[gap + 1]!];
  return Math.exp(from + ((to - from) * left) / weights[gap]!);
}
