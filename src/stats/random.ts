import type { Distribution } from '../model/distribution.ts';

/** A stream of uniform draws in [0, 1), fixed by its seed. */
export interface Random {
  next(): number;
}

/** 32-bit mix of two integers (the finaliser of MurmurHash3), to derive independent seeds from one. */
export function mixSeed(seed: number, salt: number): number {
  let h = (seed ^ Math.imul(salt + 1, 0x9e3779b1)) >>> 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/**
 * A stream of sfc32 (Chris Doty-Humphrey, PractRand): 128 bits of state, passes PractRand and TestU01's BigCrush.
 * Seeded through `mixSeed` and twelve rounds of mixing, so that neighbouring seeds do not resemble.
 */
export function createRandom(seed: number): Random {
  return new Sfc32(seed);
}

const WORDS = 4;
const STREAMS_PER_SLAB = 256;
let slab = new Int32Array(WORDS * STREAMS_PER_SLAB);
let slabWords = 0;

/** Every user has a stream: the states of many lie in one array, and a draw allocates nothing. */
class Sfc32 implements Random {
  readonly #state: Int32Array;
  readonly #at: number;

  constructor(seed: number) {
    if (slabWords === slab.length) {
      slab = new Int32Array(WORDS * STREAMS_PER_SLAB);
      slabWords = 0;
    }
    this.#state = slab;
    this.#at = slabWords;
    slabWords += WORDS;
    for (let i = 0; i < 3; i += 1) this.#state[this.#at + i] = mixSeed(seed, i);
    this.#state[this.#at + 3] = 1;
    for (let i = 0; i < 12; i += 1) this.next();
  }

  next(): number {
    const state = this.#state;
    const at = this.#at;
    const a = state[at]!;
    const b = state[at + 1]!;
    const c = state[at + 2]!;
    const counter = state[at + 3]!;
    const result = (((a + b) | 0) + counter) | 0;
    state[at] = b ^ (b >>> 9);
    state[at + 1] = (c + (c << 3)) | 0;
    state[at + 2] = (((c << 21) | (c >>> 11)) + result) | 0;
    state[at + 3] = (counter + 1) | 0;
    return (result >>> 0) / 0x1_0000_0000;
  }
}

/** A standard normal draw (Box–Muller). */
export function drawNormal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}

/** An exponential draw with the given mean. */
export function drawExponential(random: Random, mean: number): number {
  return -mean * Math.log(1 - random.next());
}

/**
 * A sampler of durations in seconds. Built once per distribution, so that a draw is cheap.
 * Throws a RangeError for an empirical distribution with fewer than two quantiles.
 */
export function durationSampler(distribution: Distribution): (random: Random) => number {
  switch (distribution.kind) {
    case 'constant':
      return () => distribution.meanSeconds;
    case 'uniform':
      return (random) =>
        distribution.minSeconds + random.next() * (distribution.maxSeconds - distribution.minSeconds);
    case 'exponential':
      return (random) => drawExponential(random, distribution.meanSeconds);
    case 'empirical':
      return empiricalSampler(distribution.quantileSeconds, distribution.meanSeconds);
  }
}

function empiricalSampler(quantiles: readonly number[], meanSeconds: number): (random: Random) => number {
  const last = quantiles.length - 1;
  if (last < 1) throw new RangeError('an empirical distribution needs at least two quantiles');
  // Mean of the piecewise-linear inverse CDF; the draws are scaled to the true mean.
  let interpolatedMean = 0;
  for (let i = 0; i < last; i += 1) interpolatedMean += (quantiles[i]! + quantiles[i + 1]!) / 2 / last;
  const scale = interpolatedMean > 0 ? meanSeconds / interpolatedMean : 1;
  return (random) => {
    const position = random.next() * last;
    const i = Math.floor(position);
    const low = quantiles[i]!;
    return (low + (quantiles[i + 1]! - low) * (position - i)) * scale;
  };
}

/**
 * Draws an index with probability proportional to its weight, in constant time (Walker's alias method, in
 * Vose's numerically stable form, IEEE TSE 17(9), 1991). Throws a RangeError when no weight is positive.
 */
export function weightedSampler(weights: readonly number[]): (random: Random) => number {
  const n = weights.length;
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (!(total > 0) || weights.some((weight) => !(weight >= 0))) {
    throw new RangeError('weights must be non-negative numbers with a positive sum');
  }
  if (n === 1) return () => 0;
  const probability = Float64Array.from(weights, (weight) => (weight * n) / total);
  const alias = new Uint32Array(n);
  const small: number[] = [];
  const large: number[] = [];
  for (let i = 0; i < n; i += 1) (probability[i]! < 1 ? small : large).push(i);
  while (small.length > 0 && large.length > 0) {
    const less = small.pop()!;
    const more = large.pop()!;
    alias[less] = more;
    probability[more] = probability[more]! + probability[less]! - 1;
    (probability[more] < 1 ? small : large).push(more);
  }
  for (const i of [...small, ...large]) probability[i] = 1;
  return (random) => {
    const position = random.next() * n;
    const i = Math.floor(position);
    return position - i < probability[i]! ? i : alias[i]!;
  };
}
