import { leastSquares } from './least-squares.ts';

const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** The x of [low, high] where a function with one valley is lowest, by golden section (Kiefer 1953). */
export function minimise(f: (x: number) => number, low: number, high: number, tolerance = 1e-6): number {
  let left = low;
  let right = high;
  let x1 = right - GOLDEN * (right - left);
  let x2 = left + GOLDEN * (right - left);
  let f1 = f(x1);
  let f2 = f(x2);
  while (right - left > tolerance * (Math.abs(x1) + Math.abs(x2))) {
    if (f1 <= f2) {
      [right, x2, f2] = [x2, x1, f1];
      x1 = right - GOLDEN * (right - left);
      f1 = f(x1);
    } else {
      [left, x1, f1] = [x1, x2, f2];
      x2 = left + GOLDEN * (right - left);
      f2 = f(x2);
    }
  }
  return (left + right) / 2;
}

/** Residuals y − f and the derivatives ∂f/∂parameter, one row a data point. */
export interface Linearisation {
  readonly residuals: readonly number[];
  readonly jacobian: readonly (readonly number[])[];
}

const sumOfSquares = (values: readonly number[]): number => values.reduce((sum, x) => sum + x * x, 0);

/**
 * Non-linear least squares by Levenberg–Marquardt with Marquardt's diagonal scaling, so that the units of
 * the parameters do not matter (Marquardt 1963). Returns where it stops: at a relative fall of the residual
 * sum of squares below 1e-15, or after 500 rounds.
 */
export function fitNonLinear(
  linearise: (parameters: readonly number[]) => Linearisation,
  start: readonly number[],
): readonly number[] {
  let parameters = start;
  let current = linearise(parameters);
  let rss = sumOfSquares(current.residuals);
  let damping = 1e-3;
  for (let round = 0; round < 500 && damping < 1e12; round += 1) {
    const step = dampedStep(current, damping);
    const trial = parameters.map((value, j) => value + (step?.[j] ?? 0));
    const next = linearise(trial);
    const trialRss = sumOfSquares(next.residuals);
    if (step === undefined || !(trialRss <= rss)) {
      damping *= 10;
      continue;
    }
    const settled = rss - trialRss <= 1e-15 * rss;
    [parameters, current, rss, damping] = [trial, next, trialRss, damping / 10];
    if (settled) break;
  }
  return parameters;
}

/** (JᵀJ + λ·diag(JᵀJ))⁻¹Jᵀr, as an ordinary least-squares problem with k more rows. */
function dampedStep({ residuals, jacobian }: Linearisation, damping: number): readonly number[] | undefined {
  const k = jacobian[0]?.length ?? 0;
  const scales = Array.from({ length: k }, (_, j) => Math.sqrt(sumOfSquares(jacobian.map((row) => row[j]!))));
  if (scales.some((scale) => !(scale > 0))) return undefined;
  const scaled = jacobian.map((row) => row.map((value, j) => value / scales[j]!));
  const ridge = scales.map((_, j) => scales.map((_, i) => (i === j ? Math.sqrt(damping) : 0)));
  const fit = leastSquares([...scaled, ...ridge], [...residuals, ...scales.map(() => 0)]);
  return fit?.coefficients.map((value, j) => value / scales[j]!);
}
