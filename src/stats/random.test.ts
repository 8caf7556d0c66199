import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom, drawNormal, durationSampler, mixSeed, weightedSampler } from './random.ts';

const DRAWS = 200_000;

test('the same seed gives the same stream, another seed another', () => {
  const take = (seed: number) => {
    const random = createRandom(seed);
    return Array.from({ length: 5 }, () => random.next());
  };
  assert.deepEqual(take(7), take(7));
  assert.notDeepEqual(take(7), take(8));
  assert.notEqual(mixSeed(1, 2), mixSeed(2, 1));
});

test('uniform draws fill 100 cells evenly (chi-square, 99 degrees, below the 0.999 quantile 148)', () => {
  const random = createRandom(42);
  const cells = new Float64Array(100);
  for (let i = 0; i < DRAWS; i += 1) cells[Math.floor(random.next() * 100)]! += 1;
  const expected = DRAWS / 100;
  const chiSquare = cells.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  assert.ok(chiSquare < 148, `chi-square ${chiSquare}`);
});

test('every distribution returns its mean within five standard errors', () => {
  const cases = [
    { distribution: { kind: 'constant', meanSeconds: 2 } as const, sd: 1e-12 },
    {
      distribution: { kind: 'uniform', meanSeconds: 2, minSeconds: 1, maxSeconds: 3 } as const,
      sd: 2 / Math.sqrt(12),
    },
    { distribution: { kind: 'exponential', meanSeconds: 2 } as const, sd: 2 },
    { distribution: { kind: 'empirical', meanSeconds: 2, quantileSeconds: [0, 1, 5] } as const, sd: 2 },
  ];
  for (const { distribution, sd } of cases) {
    const random = createRandom(3);
    const draw = durationSampler(distribution);
    let sum = 0;
    for (let i = 0; i < DRAWS; i += 1) sum += draw(random);
    assert.ok(
      Math.abs(sum / DRAWS - 2) <= (5 * sd) / Math.sqrt(DRAWS) + 1e-9,
      `${distribution.kind}: ${sum / DRAWS}`,
    );
  }
});

test('normal draws have mean 0 and variance 1 within five standard errors', () => {
  const random = createRandom(5);
  let sum = 0;
  let squares = 0;
  for (let i = 0; i < DRAWS; i += 1) {
    const z = drawNormal(random);
    sum += z;
    squares += z * z;
  }
  assert.ok(Math.abs(sum / DRAWS) < 5 / Math.sqrt(DRAWS));
  assert.ok(Math.abs(squares / DRAWS - 1) < (5 * Math.SQRT2) / Math.sqrt(DRAWS));
});

test('weighted draws come in proportion, zero weights never', () => {
  const random = createRandom(11);
  const draw = weightedSampler([5, 0, 3, 2]);
  const counts = [0, 0, 0, 0];
  for (let i = 0; i < DRAWS; i += 1) counts[draw(random)]! += 1;
  assert.equal(counts[1], 0);
  for (const [i, p] of [0.5, 0, 0.3, 0.2].entries()) {
    assert.ok(Math.abs(counts[i]! / DRAWS - p) <= 5 * Math.sqrt((p * (1 - p)) / DRAWS));
  }
  assert.throws(() => weightedSampler([0, 0]), RangeError);
  assert.throws(() => weightedSampler([1, -1]), RangeError);
});
