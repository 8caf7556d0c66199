import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { kneedle } from '../../src/analysis/kneedle.ts';
import type { KneedleOptions } from '../../src/analysis/kneedle.ts';
import { fitSegmented } from '../../src/analysis/segmented.ts';
import { fitUsl } from '../../src/analysis/usl.ts';
import { shared, skipWithout } from '../support/paths.ts';
import { near, readTruth } from '../support/truth.ts';

const pointsOf = (loads: readonly number[], throughputs: readonly number[]) =>
  loads.map((load, i) => ({ load, throughputPerSecond: throughputs[i]! }));

interface UslReference {
  alpha: number;
  beta: number;
  gamma: number;
  se: Record<'alpha' | 'beta' | 'gamma', number>;
  peakN?: number | null;
}
const usl = readTruth('usl.json') as {
  cases: { id: string; N: number[]; X: number[]; reference_fit: UslReference }[];
  oracledb: { reference_fit: UslReference };
};

for (const { id, N, X, reference_fit: truth } of usl.cases) {
  test(`the scalability law on ${id}: R's coefficients, standard errors and peak`, () => {
    compareUsl(pointsOf(N, X), truth);
    const scaled = fitUsl(
      pointsOf(
        N,
        X.map((x) => x * 1e-6),
      ),
    )!;
    near(scaled.contention, truth.alpha, 1e-5, 'contention with X in another unit');
  });
}

const oracle = shared('truth', 'usl_oracledb.csv');
test('the scalability law on 360 real samples of a database', { skip: skipWithout(oracle) }, () => {
  const [, ...lines] = readFileSync(oracle!, 'utf8').trim().split('\n');
  const cells = lines.map((line) => line.split(',').map(Number));
  compareUsl(
    cells.map(([load, throughputPerSecond]) => ({ load: load!, throughputPerSecond: throughputPerSecond! })),
    usl.oracledb.reference_fit,
  );
});

function compareUsl(points: ReturnType<typeof pointsOf>, truth: UslReference): void {
  const fit = fitUsl(points)!;
  // R prints ten digits and stops its own iteration at about 1e-6.
  near(fit.throughputAtOnePerSecond, truth.gamma, 1e-5, 'γ');
  near(fit.contention, truth.alpha, 1e-5, 'α');
  near(fit.coherency, truth.beta, 1e-5, 'β');
  near(fit.contentionStandardError, truth.se.alpha, 1e-3, 'se α');
  near(fit.coherencyStandardError, truth.se.beta, 1e-3, 'se β');
  const lastLoad = Math.max(...points.map((p) => p.load));
  if (fit.peakUsers !== undefined) near(fit.peakUsers, truth.peakN!, 1e-4, 'peak');
  else assert.ok(!truth.peakN || truth.peakN > lastLoad || truth.beta < 2.8 * truth.se.beta);
}

interface KneedleCase {
  name: string;
  params: {
    S: number;
    curve: KneedleOptions['curve'];
    direction: KneedleOptions['direction'];
    interp_method: string;
    online: boolean;
    polynomial_degree?: number;
  };
  dataset: string;
  reference_output: { knee: number | null };
}
const knees = readTruth('kneedle.json') as {
  datasets: Record<string, { x: number[]; y: number[] }>;
  cases: KneedleCase[];
};

for (const { name, params, dataset, reference_output } of knees.cases) {
  test(`kneedle on ${name}: the knee of the reference implementation`, () => {
    const { x, y } = knees.datasets[dataset]!;
    const { S: sensitivity, curve, direction, online, interp_method: method } = params;
    const polynomial = method === 'polynomial' && { polynomialDegree: params.polynomial_degree! };
    assert.equal(
      kneedle(x, y, { curve, direction, online, sensitivity, ...polynomial }),
      reference_output.knee ?? undefined,
    );
  });
}

interface SegmentedCase {
  id: string;
  N: number[];
  X: number[];
  psi: number;
  psi_se: number;
  slope1: number;
  slope2: number;
  rss: number;
}

for (const c of (readTruth('segmented.json') as { cases: SegmentedCase[] }).cases) {
  test(`the broken line on ${c.id}: break point, slopes and error of R's segmented`, () => {
    const fit = fitSegmented(c.N, c.X)!;
    assert.ok(fit.residualSumOfSquares <= c.rss * (1 + 1e-9), `${fit.residualSumOfSquares} above ${c.rss}`);
    // Where R's local search stopped short of the optimum there is nothing more to compare.
    if (fit.residualSumOfSquares < c.rss * (1 - 1e-4)) return;
    near(fit.breakpoint, c.psi, 1e-3, 'ψ');
    near(fit.slopeBefore, c.slope1, 1e-3, 'slope before');
    near(fit.slopeAfter, c.slope2, 2e-2, 'slope after');
    near(fit.breakpointStandardError, c.psi_se, 0.02, 'se ψ');
  });
}
