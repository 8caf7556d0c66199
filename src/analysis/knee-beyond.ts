import { balancedShapes } from './balanced-curve.ts';
import type { NetworkShape } from './balanced-curve.ts';
import { fitMultiple, shapeAt, SHARPNESSES } from './smooth-min.ts';
import type { FittedPoints } from './smooth-min.ts';

const KNEE_CANDIDATES = 24;
const FINE_CANDIDATES = 60;
/** Knees are tried up to this many times the highest load, beyond which the curve is the line, or down to as little of the first. */
const REACH = 4;

const FAMILY: readonly NetworkShape[] = SHARPNESSES.map(
  (p) => (load: number, knee: number) => shapeAt(load, knee, p),
);

/**
 * The least Σ((X − X̂)/sd)² that any curve of the fitted family leaves of which the knee lies at the last load or
 * beyond: the hypothesis that the sweep ends before the knee. Less the same of the free fit it is −2·ln of their
 * likelihood ratio.
 */
export const residualWithKneeBeyond = (points: FittedPoints): number =>
  leastResidual(FAMILY, points, beyond(points));

/** The same over networks of equally busy stations, whose users think for `thinkRatio` of their time. */
export const residualWhereBalanced = (points: FittedPoints, thinkRatio: number): number =>
  leastResidual(balancedShapes(thinkRatio), points, beyond(points));

/**
 * The same over both kinds of curves of which the knee lies at the first load or before it: the hypothesis that the
 * sweep starts above the knee.
 */
export const residualWithKneeBefore = (points: FittedPoints, thinkRatio: number): number => {
  const first = points.loads[0]!;
  return leastResidual([...FAMILY, ...balancedShapes(thinkRatio)], points, geometric(first / REACH, first));
};

/**
 * The lowest knee within the loads that a curve of either kind can have and leave at most `allowed`: one end of a
 * likelihood-ratio interval. The last load where none can.
 */
export function lowestKnee(points: FittedPoints, thinkRatio: number, allowed: number): number {
  const shapes = [...FAMILY, ...balancedShapes(thinkRatio)];
  const knees = geometric(points.loads[0]!, points.loads.at(-1)!, FINE_CANDIDATES);
  return knees.find((knee) => leastResidual(shapes, points, [knee]) <= allowed) ?? knees.at(-1)!;
}

const beyond = ({ loads }: FittedPoints): readonly number[] =>
  geometric(loads.at(-1)!, REACH * loads.at(-1)!);

const geometric = (from: number, to: number, count = KNEE_CANDIDATES): readonly number[] =>
  Array.from({ length: count }, (_, i) => from * (to / from) ** (i / (count - 1)));

function leastResidual(
  shapes: readonly NetworkShape[],
  points: FittedPoints,
  knees: readonly number[],
): number {
  const residuals = knees.flatMap((knee) =>
    shapes.map((shape) => fitMultiple((load) => shape(load, knee), points).residualSumOfSquares),
  );
  return Math.min(...residuals);
}
