import type { FittedPoints } from './curve-model.ts';
import { fitLine, shapeAt, SHARPNESSES } from './smooth-min.ts';

/** A knee beyond the sweep may be softer than any that is claimed: K equal stations without think time have p = 1. */
const SOFT_SHARPNESSES = [1, 1.2, ...SHARPNESSES];
const KNEE_CANDIDATES = 24;
/** Knees are tried up to this many times the highest load; beyond it the curve is the line. */
const REACH = 4;

/**
 * The least Σ((X − X̂)/sd)² that any curve leaves of which the knee lies at `lastLoad` or beyond: the hypothesis
 * that the sweep ends before the knee. Less the same of the free fit it is −2·ln of their likelihood ratio.
 */
export function residualWithKneeBeyond(
  lastLoad: number,
  { loads, throughputs, deviations }: FittedPoints,
): number {
  let least = fitLine(loads, throughputs, deviations).residualSumOfSquares;
  for (let i = 0; i < KNEE_CANDIDATES; i += 1) {
    const knee = lastLoad * REACH ** (i / (KNEE_CANDIDATES - 1));
    for (const p of SOFT_SHARPNESSES) {
      const shape = loads.map((load) => shapeAt(load, knee, p));
      least = Math.min(least, fitLine(shape, throughputs, deviations).residualSumOfSquares);
    }
  }
  return least;
}
