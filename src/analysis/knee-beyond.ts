import { balancedShapes } from './balanced-curve.ts';
import type { NetworkShape } from './balanced-curve.ts';
import { fitLine, fitMultiple, shapeAt, SHARPNESSES } from './smooth-min.ts';
import type { FittedPoints } from './smooth-min.ts';

const KNEE_CANDIDATES = 24;
/** Knees are tried up to this many times the highest load; beyond it the curve is the line. */
const REACH = 4;

/**
 * The least Σ((X − X̂)/sd)² that any curve of the fitted family leaves of which the knee lies at the last load or
 * beyond: the hypothesis that the sweep ends before the knee. Less the same of the free fit it is −2·ln of their
 * likelihood ratio.
 */
export const residualWithKneeBeyond = (points: FittedPoints): number =>
  leastResidual(
    SHARPNESSES.map((p) => (load, knee) => shapeAt(load, knee, p)),
    points,
  );

/** The same over networks of equally busy stations, whose users think for `thinkRatio` of their time. */
export const residualWhereBalanced = (points: FittedPoints, thinkRatio: number): number =>
  leastResidual(balancedShapes(thinkRatio), points);

function leastResidual(shapes: readonly NetworkShape[], points: FittedPoints): number {
  const last = points.loads.at(-1)!;
  let least = fitLine(points).residualSumOfSquares;
  for (let i = 0; i < KNEE_CANDIDATES; i += 1) {
    const knee = last * REACH ** (i / (KNEE_CANDIDATES - 1));
    for (const shape of shapes) {
      const { residualSumOfSquares } = fitMultiple((load) => shape(load, knee), points);
      least = Math.min(least, residualSumOfSquares);
    }
  }
  return least;
}
