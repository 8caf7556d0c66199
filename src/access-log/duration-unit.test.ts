import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom, drawExponential } from '../stats/random.ts';
import { durationUnitOf, type UnitlessLine } from './duration-unit.ts';

interface Made {
  readonly clients: number;
  readonly meanSeconds: number;
  readonly pauseSeconds: number;
  readonly unitsPerSecond: number;
  readonly isSortedByStart?: boolean;
  /** Requests that a client sends at once. */
  readonly atOnce?: number;
  readonly seed: number;
}

/** The first 500 lines of clients who wait for an answer, then pause, as a server that stamps the start writes them. */
function linesOf(made: Made): UnitlessLine[] {
  const random = createRandom(made.seed);
  const lines = Array.from({ length: made.clients }, (_, client) => {
    let at = drawExponential(random, made.pauseSeconds);
    return Array.from({ length: 200 }, () => {
      const sent = Array.from({ length: made.atOnce ?? 1 }, () => {
        const seconds = drawExponential(random, made.meanSeconds);
        return { client: `c${client}`, start: at, end: at + seconds, seconds };
      });
      at = Math.max(...sent.map(({ end }) => end)) + drawExponential(random, made.pauseSeconds);
      return sent;
    }).flat();
  }).flat();
  return lines
    .sort((a, b) => (made.isSortedByStart === true ? a.start - b.start : a.end - b.end))
    .slice(0, 500)
    .map(({ client, start, seconds }) => ({
      client,
      startSeconds: Math.floor(start),
      duration: Math.round(seconds * made.unitsPerSecond),
    }));
}

const CASES: readonly (readonly [what: string, unit: string, made: Omit<Made, 'seed'>])[] = [
  [
    'a fast service in µs, where the median would say ms',
    'microseconds',
    { clients: 50, meanSeconds: 0.003, pauseSeconds: 5, unitsPerSecond: 1e6 },
  ],
  [
    'a slow service in µs',
    'microseconds',
    { clients: 50, meanSeconds: 0.4, pauseSeconds: 5, unitsPerSecond: 1e6 },
  ],
  [
    'a slow service in ms',
    'milliseconds',
    { clients: 50, meanSeconds: 3, pauseSeconds: 2, unitsPerSecond: 1e3 },
  ],
  [
    'a very slow service in ms, where the median would say µs',
    'milliseconds',
    { clients: 50, meanSeconds: 120, pauseSeconds: 10, unitsPerSecond: 1e3 },
  ],
  [
    'ms, sorted by the start',
    'milliseconds',
    { clients: 50, meanSeconds: 3, pauseSeconds: 2, unitsPerSecond: 1e3, isSortedByStart: true },
  ],
  [
    'µs, sorted by the start',
    'microseconds',
    { clients: 50, meanSeconds: 0.02, pauseSeconds: 5, unitsPerSecond: 1e6, isSortedByStart: true },
  ],
  [
    'ms of browsers that send six requests at once',
    'milliseconds',
    { clients: 30, meanSeconds: 3, pauseSeconds: 5, unitsPerSecond: 1e3, atOnce: 6 },
  ],
  [
    'µs of browsers that send six requests at once',
    'microseconds',
    { clients: 30, meanSeconds: 0.01, pauseSeconds: 5, unitsPerSecond: 1e6, atOnce: 6 },
  ],
  [
    'one client after the other in ms',
    'milliseconds',
    { clients: 1, meanSeconds: 2, pauseSeconds: 1, unitsPerSecond: 1e3 },
  ],
];

for (const [what, unit, made] of CASES)
  test(`the unit is told by evidence: ${what}`, () => {
    for (const seed of [1, 2, 3]) {
      const found = durationUnitOf(linesOf({ ...made, seed }));
      assert.equal(found.unit, unit, found.why);
      assert.equal(found.isGuess, undefined);
    }
  });

for (const [unit, duration] of [
  ['milliseconds', 42],
  ['microseconds', 125_000],
] as const)
  test(`where the lines are too far apart to tell, a median of ${duration} is read as ${unit}`, () => {
    const lines = Array.from({ length: 20 }, (_, index) => ({
      client: `c${index}`,
      startSeconds: index * 600,
      duration,
    }));
    const found = durationUnitOf(lines);
    assert.equal(found.unit, unit);
    assert.equal(found.isGuess, true);
  });
