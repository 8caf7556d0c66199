import assert from 'node:assert/strict';
import { test } from 'node:test';
import { near, readTruth } from '../../test/support/truth.ts';
import { autocorrelation, fitAutoregressive, gewekeZ } from './autocorrelation.ts';
import { variance } from './batch-means.ts';
import { changePoints, inNoiseUnits, longRunNoise } from './change-points.ts';
import { mser5 } from './mser.ts';
import { createRandom, drawNormal } from './random.ts';

interface SeriesCase {
  id: string;
  x: number[];
  acf0_20: number[];
  ar_order: number;
  ess_coda_spectrum0ar: number;
  geweke_z: number;
}
interface ChangeCase {
  id: string;
  x: number[];
  scale: number;
  pelt_BIC: number[];
}

const series = (readTruth('autocorrelation.json') as { cases: SeriesCase[] }).cases;
const changes = readTruth('changepoint.json') as {
  nile: { x: number[]; pelt_mean_unscaled_n: number; pelt_mean_scaled_by_diffsd: number };
  synthetic: ChangeCase[];
};

for (const { id, x, ...expected } of series) {
  test(`${id}: autocorrelations, order and spectrum of the fit, effective size and Geweke’s z as published`, () => {
    autocorrelation(x, 20).forEach((r, lag) =>
      assert.ok(Math.abs(r - expected.acf0_20[lag]!) < 1e-9, `lag ${lag}`),
    );
    const fit = fitAutoregressive(x);
    assert.equal(fit.order, expected.ar_order);
    near(
      (x.length * variance(x)) / fit.spectrumAtZero,
      expected.ess_coda_spectrum0ar,
      1e-6,
      'effective size',
    );
    assert.ok(
      Math.abs(gewekeZ(x) - expected.geweke_z) < 1e-6,
      `z ${gewekeZ(x)}, expected ${expected.geweke_z}`,
    );
  });
}

for (const { id, x, scale, pelt_BIC: expected } of changes.synthetic) {
  test(`change points of "${id}" are those of the reference, at the BIC penalty`, () => {
    assert.deepEqual(
      changePoints(
        x.map((value) => value / scale),
        { penalty: 2 * Math.log(x.length) },
      ),
      expected,
    );
  });
}

test('the Nile changes once in units of its noise; unscaled it seems to change 94 times', () => {
  const { x, pelt_mean_scaled_by_diffsd, pelt_mean_unscaled_n } = changes.nile;
  const penalty = 3 * Math.log(x.length);
  assert.deepEqual(changePoints(inNoiseUnits(x), { penalty }), [pelt_mean_scaled_by_diffsd]);
  assert.equal(changePoints(x, { penalty }).length, pelt_mean_unscaled_n);
});

test('correlated noise without a change shows none in units of its long-run noise', () => {
  const { x } = changes.synthetic.find(({ id }) => id.startsWith('AR(1)'))!;
  const noise = longRunNoise(x);
  assert.deepEqual(
    changePoints(
      x.map((value) => value / noise),
      { penalty: 3 * Math.log(x.length) },
    ),
    [],
  );
});

test('long-run noise is σ·√((1+φ)/(1−φ)), with and without a step in the level', () => {
  const random = createRandom(5);
  for (const phi of [0, 0.3, 0.7]) {
    for (const step of [0, 8]) {
      let level = 0;
      const x = Array.from({ length: 4000 }, (_, i) => {
        level = phi * level + Math.sqrt(1 - phi ** 2) * drawNormal(random);
        return level + (i < 2000 ? 0 : step);
      });
      // 3 standard errors of φ, 0.036 at φ = 0.7, move the noise by 13 %.
      near(longRunNoise(x), Math.sqrt((1 + phi) / (1 - phi)), 0.13, `φ ${phi}, step ${step}`);
    }
  }
});

test('MSER-5 cuts a warm-up off, keeps a steady run, and says where half is not enough', () => {
  const random = createRandom(3);
  const noisy = (of: (i: number) => number): number[] =>
    Array.from({ length: 200 }, (_, i) => of(i) + 0.3 * drawNormal(random));
  const warmed = mser5(noisy((i) => (i < 40 ? 20 - i / 4 : 10)))!;
  assert.ok(warmed.dropCount >= 35 && warmed.dropCount <= 60 && !warmed.atBound, String(warmed.dropCount));
  assert.equal(mser5(noisy((i) => i))!.atBound, true);
  assert.equal(mser5([1, 2, 3]), undefined);
  assert.deepEqual(mser5(Array.from({ length: 40 }, () => 7)), { dropCount: 0, atBound: false });
});
