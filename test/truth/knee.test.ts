import assert from 'node:assert/strict';
import { test } from 'node:test';
import { modelCurve } from '../../src/analysis/curve-model.ts';
import { findKnee } from '../../src/analysis/knee.ts';
import { shapeGrid } from '../../src/analysis/smooth-min.ts';
import type { ShapeGrid } from '../../src/analysis/smooth-min.ts';
import { median } from '../../src/stats/order-statistics.ts';
import { createRandom, drawNormal } from '../../src/stats/random.ts';
import type { Random } from '../../src/stats/random.ts';
import { drawBalancedNetworks, drawNetworks } from '../support/random-networks.ts';
import { readTruth } from '../support/truth.ts';

/** X over loads, with the knee and the share of think time that are known of it. */
interface KnownCurve {
  readonly kneeUsers: number;
  readonly thinkRatio: number;
  readonly loads: readonly number[];
  readonly throughputs: readonly number[];
}

interface ExactCurve {
  think_s: number;
  D_total: number;
  Nstar: number;
  N: number[];
  X: number[];
}
const EXACT: KnownCurve[] = (readTruth('knee_curves_exact.json') as { curves: ExactCurve[] }).curves.map(
  (curve) => ({
    kneeUsers: curve.Nstar,
    thinkRatio: curve.think_s / (curve.think_s + curve.D_total),
    loads: curve.N,
    throughputs: curve.X,
  }),
);

const withLoads = (networks: ReturnType<typeof drawNetworks>): KnownCurve[] =>
  networks.map((network) => ({ ...network, loads: network.throughputs.map((_, i) => i + 1) }));

const STEP_COUNTS = [6, 8, 10];
const NOISES = [0.01, 0.03, 0.06];

interface Sweeps {
  readonly curves: readonly KnownCurve[];
  /** The sweep's end in units of N*. */
  readonly reach: number;
  readonly noise: number;
  /** Sweeps of each curve and number of steps. */
  readonly repeats: number;
  readonly replicates: number;
  readonly seed: number;
}

/** A sweep of `steps` steps to `reach`·N*, with noise of which the size is known. */
function sweep({ loads, throughputs, kneeUsers }: KnownCurve, steps: number, of: Sweeps, random: Random) {
  const within = loads.filter((load) => load <= of.reach * kneeUsers * 1.0001).length - 1;
  const chosen = Array.from({ length: steps }, (_, j) => Math.round((j * within) / (steps - 1)));
  return [...new Set(chosen)].map((i) => ({
    load: loads[i]!,
    throughputPerSecond: throughputs[i]! * (1 + of.noise * drawNormal(random)),
    standardErrorPerSecond: of.noise * throughputs[i]!,
  }));
}

/** Grids of curves by the loads they are over. */
const grids = new Map<string, ShapeGrid>();

function gridOver(loads: readonly number[]): ShapeGrid {
  const key = loads.join();
  const grid = grids.get(key) ?? shapeGrid(loads);
  grids.set(key, grid);
  return grid;
}

/** What is found in sweeps of networks of which N* is known. */
function judge(sweeps: Sweeps) {
  const { curves, repeats, replicates, seed } = sweeps;
  const random = createRandom(seed);
  const draws = Array.from({ length: repeats }, () => STEP_COUNTS).flat();
  const knees = curves.flatMap((curve) =>
    draws.map((steps) => {
      const points = sweep(curve, steps, sweeps, random);
      const { thinkRatio, kneeUsers } = curve;
      const model = modelCurve(points, { replicates, thinkRatio, gridOver, seed: 1 });
      return { truth: kneeUsers, knee: findKnee(model) };
    }),
  );
  const seen = knees.filter(({ knee }) => knee.seen);
  const covered = seen.filter(({ truth, knee }) => knee.interval![0] <= truth && truth <= knee.interval![1]);
  return {
    sweepCount: knees.length,
    seenRatio: seen.length / knees.length,
    coveredRatio: covered.length / seen.length,
    medianError: median(seen.map(({ truth, knee }) => Math.abs(knee.users! / truth - 1))),
  };
}

/** X of an exact curve at a load, between whole loads on a line. */
function throughputAt({ loads, throughputs }: KnownCurve, load: number): number {
  const after = loads.findIndex((one) => one >= load);
  if (after <= 0) return throughputs[after]!;
  const share = (load - loads[after - 1]!) / (loads[after]! - loads[after - 1]!);
  return throughputs[after - 1]! + share * (throughputs[after]! - throughputs[after - 1]!);
}

test('a plateau is claimed where X is level and not where it still rises: exact curves, ladders of 1.25 and 2, 1 % noise', () => {
  const random = createRandom(77);
  const noise = 0.01;
  let [level, levelClaimed, rising, risingClaimed] = [0, 0, 0, 0];
  for (const curve of EXACT) {
    for (const [ratio, reach] of [1.25, 2].flatMap((r) => [1.5, 2, 3].map((end) => [r, end] as const))) {
      const last = reach * curve.kneeUsers;
      if (last > curve.loads.at(-1)!) continue;
      const loads = Array.from({ length: 9 }, (_, i) => last / ratio ** (8 - i)).filter(
        (load) => load >= curve.loads[0]!,
      );
      if (loads.length < 5) continue;
      const exact = loads.map((load) => throughputAt(curve, load));
      const gain = 1 - exact.at(-2)! / exact.at(-1)!;
      for (let i = 0; i < 10; i += 1) {
        const points = loads.map((load, j) => ({
          load,
          throughputPerSecond: exact[j]! * (1 + noise * drawNormal(random)),
          standardErrorPerSecond: noise * exact[j]!,
        }));
        const knee = findKnee(modelCurve(points, { replicates: 1, seed: 1, thinkRatio: curve.thinkRatio }));
        if (!knee.seen) continue;
        const claims = knee.capacitySource === 'plateau';
        assert.equal(claims, knee.rise === undefined);
        if (gain > 0.08) [rising, risingClaimed] = [rising + 1, risingClaimed + Number(claims)];
        if (gain < 0.005) [level, levelClaimed] = [level + 1, levelClaimed + Number(claims)];
      }
    }
  }
  assert.ok(level > 200 && rising > 50, `${level} level, ${rising} rising`);
  // A gain of 8 % is 5.6 errors of a difference (1.4 %); the limit of 3 % is 3.5 of them below it.
  assert.ok(
    risingClaimed / rising <= 0.01,
    `${risingClaimed} of ${rising} rising curves are said to be level`,
  );
  // A level pair exceeds 3 % with P(Z > 2.1 − 0.35) < 4 % at most.
  assert.ok(levelClaimed / level >= 0.95, `${levelClaimed} of ${level} level curves are said to be level`);
});

/** The gates were chosen on other draws: the seeds of these are not those they were chosen with. */
const UNSATURATED = [
  { title: 'of the exact networks', curves: EXACT, repeats: 12, seed: 5 },
  { title: 'of other networks', curves: withLoads(drawNetworks(createRandom(601), 60)), repeats: 1, seed: 6 },
  {
    title: 'of balanced networks, the softest there are',
    curves: withLoads(drawBalancedNetworks(createRandom(602), 80)),
    repeats: 1,
    seed: 7,
  },
];

for (const { title, ...of } of UNSATURATED) {
  const count = NOISES.length * STEP_COUNTS.length * of.curves.length * of.repeats;
  test(`of ${count.toLocaleString('en')} sweeps that stop at 0.9 N*, ${title}, at most 1 % are said to have a knee`, () => {
    const judged = NOISES.map((noise) => judge({ ...of, reach: 0.9, noise, replicates: 1 }));
    assert.equal(
      judged.reduce((sum, { sweepCount }) => sum + sweepCount, 0),
      count,
    );
    const seenRatio = judged.reduce((sum, one) => sum + one.seenRatio, 0) / judged.length;
    assert.ok(seenRatio <= 0.01, `seen ${judged.map((one) => one.seenRatio).join(', ')}`);
  });
}

/** The detection that the composite method is known for, by noise of 1, 3 and 6 %; coverage of its intervals. */
const DETECTION = [
  { reach: 1.5, least: [1, 0.76, 0.35] },
  { reach: 2, least: [1, 0.99, 0.99] },
];

for (const { reach, least } of DETECTION) {
  for (const [i, noise] of NOISES.entries()) {
    test(`sweeps to ${reach} N*, ${noise * 100} % noise: at least ${least[i]! * 100} % seen, 95 % covered, median error below 6 %`, () => {
      const sweeps = { curves: EXACT, reach, noise, repeats: 2, replicates: 30, seed: 5 };
      const { seenRatio, coveredRatio, medianError } = judge(sweeps);
      assert.ok(seenRatio >= least[i]!, `seen ${seenRatio}`);
      assert.ok(coveredRatio >= 0.95, `covered ${coveredRatio}`);
      assert.ok(medianError! < 0.06, `error ${medianError}`);
    });
  }
}
