import type { UslFit } from '../model/analysis.ts';
import { studentTQuantile } from '../stats/distributions.ts';
import { leastSquares } from '../stats/least-squares.ts';
import { fitNonLinear } from '../stats/minimise.ts';
import type { Linearisation } from '../stats/minimise.ts';
import { mean } from '../stats/batch-means.ts';
import type { CurvePoint } from './curve.ts';
import { deviationOf } from './curve-model.ts';
import { peakIndexOf } from './curve-shape.ts';

/** [γ, α, β]. */
type Parameters = readonly [number, number, number];
type Held = readonly ('contention' | 'coherency')[];

const FEWEST_POINTS = 4;

function residualsAndJacobian(points: readonly CurvePoint[], [g, a, b]: Parameters): Linearisation {
  const residuals: number[] = [];
  const jacobian: number[][] = [];
  for (const { load: n, throughputPerSecond: x } of points) {
    const divisor = 1 + a * (n - 1) + b * n * (n - 1);
    const perGamma = n / divisor;
    residuals.push(x - g * perGamma);
    jacobian.push([perGamma, (-g * perGamma * (n - 1)) / divisor, (-g * perGamma * n * (n - 1)) / divisor]);
  }
  return { residuals, jacobian };
}

const sumOfSquares = (values: readonly number[]): number => values.reduce((sum, r) => sum + r * r, 0);

/** Start values from N/X = 1/γ + (α/γ)(N − 1) + (β/γ)N(N − 1), linear in its coefficients. */
function startingPoint(points: readonly CurvePoint[], held: Held): Parameters {
  const columns = (n: number): number[] => [
    1,
    ...(held.includes('contention') ? [] : [n - 1]),
    ...(held.includes('coherency') ? [] : [n * (n - 1)]),
  ];
  const weights = points.map((p) => (p.throughputPerSecond ** 2 / p.load) ** 2);
  const fit = leastSquares(
    points.map((p) => columns(p.load)),
    points.map((p) => p.load / p.throughputPerSecond),
    weights,
  );
  const [inverse = NaN, ...rest] = fit?.coefficients ?? [];
  const contention = held.includes('contention') ? 0 : rest[0]!;
  const coherency = held.includes('coherency') ? 0 : rest.at(-1)!;
  if (inverse > 0) return [1 / inverse, contention / inverse, coherency / inverse];
  return [mean(points.map((p) => p.throughputPerSecond / p.load)), 0, 0];
}

function fitHolding(points: readonly CurvePoint[], held: Held): Parameters {
  const free = [0, held.includes('contention') ? -1 : 1, held.includes('coherency') ? -1 : 2].filter(
    (j) => j >= 0,
  );
  const complete = (values: readonly number[]): Parameters => {
    const all: [number, number, number] = [0, 0, 0];
    for (const [i, j] of free.entries()) all[j] = values[i]!;
    return all;
  };
  const start = startingPoint(points, held);
  const fitted = fitNonLinear(
    (values) => {
      const { residuals, jacobian } = residualsAndJacobian(points, complete(values));
      return { residuals, jacobian: jacobian.map((row) => free.map((j) => row[j]!)) };
    },
    free.map((j) => start[j]!),
  );
  return complete(fitted);
}

/**
 * Universal Scalability Law X(N) = γN/(1 + α(N − 1) + βN(N − 1)) by non-linear least squares with α, β ≥ 0
 * (Gunther, arXiv:0808.1431). A bound that the free optimum would cross is held at 0; the standard errors
 * are those of all three parameters, s·√((JᵀJ)⁻¹)ⱼⱼ with s² = RSS/(n − 3). A peak √((1 − α)/β) is given only
 * when β is above its 95 % error, the peak lies within the measured loads, and X at the last of them is lower than the
 * highest by two standard errors of their difference. Missing below four loads or
 * when the loads cannot tell the parameters apart.
 */
export function fitUsl(points: readonly CurvePoint[]): UslFit | undefined {
  const usable = points.filter((p) => p.load > 0 && p.throughputPerSecond > 0);
  if (usable.length < FEWEST_POINTS) return undefined;
  const candidates = ([[], ['coherency'], ['contention'], ['contention', 'coherency']] as const)
    .map((held) => fitHolding(usable, held))
    .filter(([g, a, b]) => g > 0 && a >= 0 && b >= 0)
    .map((parameters) => ({ parameters, ...residualsAndJacobian(usable, parameters) }));
  candidates.sort((a, b) => sumOfSquares(a.residuals) - sumOfSquares(b.residuals));
  const best = candidates[0];
  if (best === undefined) return undefined;
  const [gamma, contention, coherency] = best.parameters;
  const errors = standardErrorsAt(best);
  if (errors === undefined) return undefined;
  return withPeak(usable, {
    throughputAtOnePerSecond: gamma,
    contention,
    contentionStandardError: errors[1]!,
    coherency,
    coherencyStandardError: errors[2]!,
  });
}

/** s·√((JᵀJ)⁻¹)ⱼⱼ with s² from the residuals as they are: at a held bound they are not orthogonal to J. */
function standardErrorsAt({ residuals, jacobian }: Linearisation): readonly number[] | undefined {
  const fit = leastSquares(jacobian, residuals);
  if (fit === undefined) return undefined;
  const inflation = Math.sqrt(sumOfSquares(residuals) / fit.residualSumOfSquares);
  return fit.standardErrors.map((error) => (Number.isFinite(inflation) ? error * inflation : 0));
}

function withPeak(points: readonly CurvePoint[], fit: Omit<UslFit, 'note' | 'peakUsers'>): UslFit {
  const { coherency: b, coherencyStandardError: se, contention: a } = fit;
  const lastLoad = Math.max(...points.map((p) => p.load));
  const allowed = studentTQuantile(0.975, points.length - 3) * se;
  const figures = `coherency ${b.toPrecision(2)}, standard error ${se.toPrecision(2)}`;
  if (b === 0) return { ...fit, note: 'no peak claimed: the coherency term is held at 0' };
  if (!(b > allowed)) return { ...fit, note: `no peak claimed: ${figures}, within its 95 % error` };
  const peakUsers = Math.sqrt((1 - a) / b);
  if (!(peakUsers <= lastLoad)) return { ...fit, note: `no peak claimed within the data (${figures})` };
  if (!fallsAtEnd(points)) {
    return {
      ...fit,
      note: `no peak claimed: X at ${lastLoad} is not below the highest by more than its error`,
    };
  }
  return { ...fit, peakUsers, note: `the fitted curve has its maximum within the data (${figures})` };
}

function fallsAtEnd(points: readonly CurvePoint[]): boolean {
  const top = points[peakIndexOf(points)]!;
  const last = points.reduce((highest, point) => (point.load > highest.load ? point : highest));
  const error = Math.hypot(deviationOf(top), deviationOf(last));
  return top.throughputPerSecond - last.throughputPerSecond > 2 * error;
}
