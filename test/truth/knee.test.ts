import assert from 'node:assert/strict';
import { test } from 'node:test';
import { modelCurve } from '../../src/analysis/curve-model.ts';
import { findKnee } from '../../src/analysis/knee.ts';
import { median } from '../../src/stats/order-statistics.ts';
import { createRandom, drawNormal } from '../../src/stats/random.ts';
import { readTruth } from '../support/truth.ts';

interface ExactCurve {
  Nstar: number;
  N: number[];
  X: number[];
}
const { curves } = readTruth('knee_curves_exact.json') as { curves: ExactCurve[] };
const STEP_COUNTS = [6, 8, 10];
const NOISES = [0.01, 0.03, 0.06];

interface Sweeps {
  /** The sweep's end in units of N*. */
  readonly reach: number;
  readonly noise: number;
  /** Sweeps of each curve and number of steps. */
  readonly repeats: number;
  readonly replicates: number;
}

/** Sweeps of exact queueing networks up to `reach`·N*, in six to ten steps, with noise of which the size is known. */
function judge({ reach, noise, repeats, replicates }: Sweeps) {
  const random = createRandom(5);
  const draws = Array.from({ length: repeats }, () => STEP_COUNTS).flat();
  const knees = curves.flatMap((curve) => {
    const within = curve.N.filter((load) => load <= reach * curve.Nstar * 1.0001).length - 1;
    return draws.map((steps) => {
      const chosen = Array.from({ length: steps }, (_, j) => Math.round((j * within) / (steps - 1)));
      const points = [...new Set(chosen)].map((i) => ({
        load: curve.N[i]!,
        throughputPerSecond: curve.X[i]! * (1 + noise * drawNormal(random)),
        standardErrorPerSecond: noise * curve.X[i]!,
      }));
      return { truth: curve.Nstar, knee: findKnee(modelCurve(points, { replicates, seed: 1 })) };
    });
  });
  const seen = knees.filter(({ knee }) => knee.seen);
  const covered = seen.filter(({ truth, knee }) => knee.interval![0] <= truth && truth <= knee.interval![1]);
  return {
    sweepCount: knees.length,
    seenRatio: seen.length / knees.length,
    coveredRatio: covered.length / seen.length,
    medianError: median(seen.map(({ truth, knee }) => Math.abs(knee.users! / truth - 1))),
  };
}

test('of 3,240 sweeps that stop at 0.9 N*, at most 1 % are said to have a knee', () => {
  const judged = NOISES.map((noise) => judge({ reach: 0.9, noise, repeats: 12, replicates: 1 }));
  assert.equal(
    judged.reduce((sum, { sweepCount }) => sum + sweepCount, 0),
    3240,
  );
  for (const { seenRatio } of judged) assert.ok(seenRatio <= 0.01, `seen ${seenRatio}`);
});

/** The detection that the composite method is known for, by noise of 1, 3 and 6 %; coverage of its intervals. */
const DETECTION = [
  { reach: 1.5, least: [1, 0.76, 0.35], repeats: 2 },
  { reach: 2, least: [1, 0.99, 0.97], repeats: 2 },
];

for (const { reach, least, repeats } of DETECTION) {
  for (const [i, noise] of NOISES.entries()) {
    test(`sweeps to ${reach} N*, ${noise * 100} % noise: at least ${least[i]! * 100} % seen, 95 % covered, median error below 6 %`, () => {
      const { seenRatio, coveredRatio, medianError } = judge({ reach, noise, repeats, replicates: 60 });
      assert.ok(seenRatio >= least[i]!, `seen ${seenRatio}`);
      assert.ok(coveredRatio >= 0.95, `covered ${coveredRatio}`);
      assert.ok(medianError! < 0.06, `error ${medianError}`);
    });
  }
}
