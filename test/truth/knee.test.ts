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
const STEPS = 8;
const REPLICATES = 60;

/** Sweeps of exact queueing networks up to `reach`·N*, in eight steps, with noise of which the size is known. */
function judge(reach: number, noise: number) {
  const random = createRandom(5);
  const knees = curves.map((curve) => {
    const within = curve.N.map((_, i) => i).filter((i) => curve.N[i]! <= reach * curve.Nstar * 1.0001);
    const chosen = Array.from(
      { length: STEPS },
      (_, j) => within[Math.round((j * (within.length - 1)) / (STEPS - 1))]!,
    );
    const points = [...new Set(chosen)].map((i) => ({
      load: curve.N[i]!,
      throughputPerSecond: curve.X[i]! * (1 + noise * drawNormal(random)),
      standardErrorPerSecond: noise * curve.X[i]!,
    }));
    return { truth: curve.Nstar, knee: findKnee(modelCurve(points, { replicates: REPLICATES, seed: 1 })) };
  });
  const seen = knees.filter(({ knee }) => knee.seen);
  const covered = seen.filter(({ truth, knee }) => knee.interval![0] <= truth && truth <= knee.interval![1]);
  const errors = seen.map(({ truth, knee }) => Math.abs(knee.users! / truth - 1));
  return {
    seenRatio: seen.length / knees.length,
    coveredRatio: covered.length / seen.length,
    medianError: median(errors),
  };
}

for (const noise of [0.01, 0.03, 0.06]) {
  test(`sweeps that stop at 0.9 N*, ${noise * 100} % noise: no knee is claimed`, () => {
    assert.ok(judge(0.9, noise).seenRatio <= 0.01);
  });

  test(`sweeps to 2 N*, ${noise * 100} % noise: at least 95 % seen, median error below 6 %, 95 % covered`, () => {
    const { seenRatio, coveredRatio, medianError } = judge(2, noise);
    assert.ok(seenRatio >= 0.95, `seen ${seenRatio}`);
    assert.ok(coveredRatio >= 0.95, `covered ${coveredRatio}`);
    assert.ok(medianError! < 0.06, `error ${medianError}`);
  });
}

test('sweeps to 1.5 N* suffice at 1 % noise', () => {
  const { seenRatio, coveredRatio } = judge(1.5, 0.01);
  assert.ok(seenRatio >= 0.95, `seen ${seenRatio}`);
  assert.ok(coveredRatio >= 0.95, `covered ${coveredRatio}`);
});
