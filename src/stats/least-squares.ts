/** A fit y ≈ Σ cⱼ·xⱼ. */
export interface LinearFit {
  readonly coefficients: readonly number[];
  /** s·√((XᵀWX)⁻¹)ⱼⱼ with s² = residualSumOfSquares / (n − k); NaN where n ≤ k. */
  readonly standardErrors: readonly number[];
  /** Σ w·(y − ŷ)². */
  readonly residualSumOfSquares: number;
}

interface Triangular {
  /** Upper triangle of the QR decomposition, row by row. */
  readonly r: readonly (readonly number[])[];
  readonly qty: readonly number[];
}

/** Householder's QR of a design with one more column for y (Golub & Van Loan, 5.2); undefined when rank is short. */
function decompose(rows: readonly (readonly number[])[], y: readonly number[]): Triangular | undefined {
  const k = rows[0]?.length ?? 0;
  const work = rows.map((row, i) => [...row, y[i]!]);
  if (k === 0 || work.length < k) return undefined;
  const scale = Math.max(...work.map((row) => Math.max(...row.slice(0, k).map(Math.abs))));
  for (let j = 0; j < k; j += 1) {
    let norm = 0;
    for (let i = j; i < work.length; i += 1) norm = Math.hypot(norm, work[i]![j]!);
    if (!(norm > scale * 1e-15)) return undefined;
    const alpha = work[j]![j]! > 0 ? -norm : norm;
    const v = work.slice(j).map((row) => row[j]!);
    v[0]! -= alpha;
    const vv = v.reduce((sum, x) => sum + x * x, 0);
    for (let column = j; column <= k; column += 1) {
      let dot = 0;
      for (let i = 0; i < v.length; i += 1) dot += v[i]! * work[j + i]![column]!;
      for (let i = 0; i < v.length; i += 1) work[j + i]![column]! -= (2 * dot * v[i]!) / vv;
    }
  }
  return { r: work.slice(0, k), qty: work.map((row) => row[k]!) };
}

/** Solves R·x = b for an upper triangular R. */
function backSubstitute(r: readonly (readonly number[])[], b: readonly number[]): number[] {
  const x = Array.from({ length: r.length }, () => 0);
  for (let i = r.length - 1; i >= 0; i -= 1) {
    let rest = b[i]!;
    for (let j = i + 1; j < r.length; j += 1) rest -= r[i]![j]! * x[j]!;
    x[i] = rest / r[i]![i]!;
  }
  return x;
}

/** Square roots of the diagonal of (RᵀR)⁻¹. */
function inverseNorms(r: readonly (readonly number[])[]): number[] {
  const squares = r.map(() => 0);
  for (let column = 0; column < r.length; column += 1) {
    const unit = r.map((_, i) => (i === column ? 1 : 0));
    for (const [i, value] of backSubstitute(r, unit).entries()) squares[i]! += value * value;
  }
  return squares.map(Math.sqrt);
}

/**
 * Weighted least squares by Householder's QR: minimises Σ wᵢ(yᵢ − Σⱼ cⱼ·rowsᵢⱼ)². Weights default to 1.
 * Undefined when there are fewer rows than columns or the columns are linearly dependent.
 */
export function leastSquares(
  rows: readonly (readonly number[])[],
  y: readonly number[],
  weights?: readonly number[],
): LinearFit | undefined {
  const root = (i: number): number => Math.sqrt(weights?.[i] ?? 1);
  const triangular = decompose(
    rows.map((row, i) => row.map((value) => value * root(i))),
    y.map((value, i) => value * root(i)),
  );
  if (triangular === undefined) return undefined;
  const { r, qty } = triangular;
  const residualSumOfSquares = qty.slice(r.length).reduce((sum, value) => sum + value * value, 0);
  const degrees = rows.length - r.length;
  const s = degrees > 0 ? Math.sqrt(residualSumOfSquares / degrees) : NaN;
  return {
    coefficients: backSubstitute(r, qty),
    standardErrors: inverseNorms(r).map((norm) => norm * s),
    residualSumOfSquares,
  };
}
