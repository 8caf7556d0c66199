import assert from 'node:assert/strict';
import { test } from 'node:test';
import { modelCurve } from '../../src/analysis/curve-model.ts';
import { findKnee } from '../../src/analysis/knee.ts';
import { asymptoteCrossings, findSaturation } from '../../src/analysis/saturation.ts';
import { createRandom, drawNormal } from '../../src/stats/random.ts';
import type { Random } from '../../src/stats/random.ts';
import { drawBalancedNetworks, drawNetworks, drawPools } from '../support/random-networks.ts';
import type { RandomNetwork } from '../support/random-networks.ts';

const NOISES = [0.01, 0.03, 0.06];
const REACH = 6.1;
const KINDS = {
  pools: drawPools(createRandom(701), 40, REACH),
  networks: drawNetworks(createRandom(702), 40, REACH),
  'balanced networks': drawBalancedNetworks(createRandom(703), 40, REACH),
};
type Kind = keyof typeof KINDS;

interface Sweep {
  /** First and last load in units of N*; a first of 0 is one user. */
  readonly from: number;
  readonly to: number;
  readonly steps: number;
  readonly noise: number;
}

/** A sweep of a network, its steps evenly apart from 1 and by equal ratios from elsewhere, and what is found in it. */
function find(network: RandomNetwork, { from, to, steps, noise }: Sweep, random: Random) {
  const { kneeUsers, throughputs, thinkRatio } = network;
  const [first, last] = [Math.max(1, Math.ceil(from * kneeUsers)), Math.floor(to * kneeUsers)];
  const share = (i: number): number => i / (steps - 1);
  const loads = Array.from({ length: steps }, (_, i) =>
    Math.round(from > 0 ? first * (last / first) ** share(i) : first + (last - first) * share(i)),
  );
  const points = [...new Set(loads)].map((load) => ({
    load,
    throughputPerSecond: throughputs[load - 1]! * (1 + noise * drawNormal(random)),
    standardErrorPerSecond: noise * throughputs[load - 1]!,
  }));
  const model = modelCurve(points, { replicates: 60, seed: 1, thinkRatio });
  const knee = findKnee(model);
  const saturation = findSaturation(asymptoteCrossings(model, [], knee), knee, model);
  return { kneeUsers, knee, ...(saturation && { saturation }) };
}

const findAll = (kind: Kind, seed: number, sweeps: readonly Sweep[]) => {
  const random = createRandom(seed);
  return sweeps.flatMap((sweep) => KINDS[kind].map((network) => find(network, sweep, random)));
};

const share = (count: number, total: number): string => `${count} of ${total}`;

for (const kind of Object.keys(KINDS) as Kind[]) {
  test(`${kind} swept from 1.3, 2 and 3 N* on: at most 1 % seen, the upper bound holds, no bend, no band`, () => {
    const starts = [1.3, 2, 3].flatMap((from) => [1.5, 2].map((ratio) => [from, from * ratio] as const));
    const sweeps = starts.flatMap(([from, to]) => NOISES.map((noise) => ({ from, to, steps: 5, noise })));
    const found = findAll(kind, 11, sweeps);
    const seen = found.filter(({ knee }) => knee.seen);
    assert.ok(found.length >= 700 && seen.length <= 0.01 * found.length, share(seen.length, found.length));
    const unseen = found.filter(({ knee }) => !knee.seen);
    const bounded = unseen.filter(({ knee }) => knee.upperBound !== undefined);
    const wrong = bounded.filter(({ knee, kneeUsers }) => knee.upperBound! < kneeUsers);
    assert.ok(bounded.length >= 0.9 * unseen.length, share(bounded.length, unseen.length));
    assert.ok(wrong.length <= 0.025 * bounded.length, share(wrong.length, bounded.length));
    const falselyBelow = unseen.filter(({ knee, kneeUsers }) => (knee.lowerBound ?? 0) > kneeUsers);
    assert.ok(falselyBelow.length <= 0.01 * unseen.length, share(falselyBelow.length, unseen.length));
    for (const { knee, saturation, kneeUsers } of bounded) {
      assert.deepEqual([knee.bend, knee.operatingBand, knee.lowerBound], [undefined, undefined, undefined]);
      assert.ok(saturation === undefined || saturation.isUpperBound);
      assert.ok(saturation === undefined || saturation.interval[1] > kneeUsers);
    }
  });

  test(`${kind} swept to between 0.6 and 1.5 N*: "N* is at least" is true in 97.5 %, no peak is reached before the knee`, () => {
    const sweeps = [0.6, 0.9, 1, 1.1, 1.2, 1.3, 1.5].flatMap((to) =>
      NOISES.flatMap((noise) => [6, 10].map((steps) => ({ from: 0, to, steps, noise }))),
    );
    const bounded = findAll(kind, 12, sweeps).filter(({ knee }) => knee.lowerBound !== undefined);
    const wrong = bounded.filter(({ knee, kneeUsers }) => knee.lowerBound! > kneeUsers);
    assert.ok(bounded.length >= 600, `${bounded.length}`);
    assert.ok(wrong.length <= 0.025 * bounded.length, share(wrong.length, bounded.length));
    const reached = bounded.filter(({ knee }) => knee.peak!.reached);
    assert.ok(reached.length <= 0.01 * bounded.length, share(reached.length, bounded.length));
  });
}

test('a line within its noise has no bend: pools to 0.6 and 0.8 N*, at most 5 %', () => {
  const sweeps = [0.6, 0.8].flatMap((to) => NOISES.map((noise) => ({ from: 0, to, steps: 8, noise })));
  const found = findAll('pools', 13, sweeps);
  const bent = found.filter(({ knee }) => knee.bend !== undefined);
  assert.ok(bent.length <= 0.05 * found.length, share(bent.length, found.length));
});

for (const kind of ['pools', 'networks'] as const)
  test(`${kind}: of sweeps to 2 and 3 N* the interval of the saturation holds N* in 93 % at every noise`, () => {
    for (const noise of NOISES) {
      const sweeps = [2, 3].flatMap((to) => [6, 9].map((steps) => ({ from: 0, to, steps, noise })));
      const given = findAll(kind, 14, sweeps).filter(({ saturation }) => saturation !== undefined);
      const held = given.filter(
        ({ saturation, kneeUsers }) =>
          saturation!.interval[0] <= kneeUsers &&
          (saturation!.isLowerBound === true || kneeUsers <= saturation!.interval[1]),
      );
      // 95 % less two standard errors of a share of 160.
      assert.ok(given.length >= 140 && held.length >= 0.93 * given.length, share(held.length, given.length));
    }
  });
