import { BORDER_PER_SECOND, isInRange, LIMIT_SECONDS, searchOnMm1 } from '../test/support/search-mm1.ts';

/**
 * How near a search comes to the border of a simulated M/M/1, which is known exactly (100 seeds), and how often the
 * range that it states with 90 % confidence holds it, wherever the border lies (150 seeds for each length of a step).
 */

const SEEDS = 100;
const WITHIN = 0.05;

const runs = Array.from({ length: SEEDS }, (_, i) => searchOnMm1(i + 1));
const errors = runs
  .map(({ result }) => (result.highestPassing ?? 0) / BORDER_PER_SECOND - 1)
  .sort((a, b) => a - b);
const within = errors.filter((error) => Math.abs(error) <= WITHIN).length;
const steps = runs.reduce((sum, { measurements }) => sum + measurements.length, 0) / SEEDS;
const percent = (ratio: number): string => `${(100 * ratio).toFixed(1)} %`;

console.log(`border μ − ln 20/R95 = ${BORDER_PER_SECOND.toFixed(1)}/s, p95 limit 30 ms, μ = 500/s`);
console.log(
  `${within} of ${SEEDS} searches end within 5 % of it (asked: 95); ${steps.toFixed(1)} steps on average`,
);
console.log(
  `error: lowest ${percent(errors[0]!)}, median ${percent(errors[SEEDS / 2]!)}, highest ${percent(errors.at(-1)!)}`,
);

const RANGE_SEEDS = 150;
/** Stated: 0.9. */
const HOLDS = 0.85;
/** Limits whose borders lie from 350/s to 450/s, none of them a load that the search tries. */
const limitOf = (seed: number): number => LIMIT_SECONDS * (2 / 3) * 3 ** ((seed * GOLDEN) % 1);
const GOLDEN = (Math.sqrt(5) - 1) / 2;

const held = [12, 30].map((measureSeconds) => {
  const ranges = Array.from({ length: RANGE_SEEDS }, (_, i) => {
    const limitSeconds = limitOf(i + 1);
    const { result } = searchOnMm1(SEEDS + i + 1, { limitSeconds, measureSeconds });
    const { borderLow: low = 0, borderHigh: high = Infinity } = result;
    return { holds: isInRange(result, limitSeconds), width: high / low - 1 };
  });
  const count = ranges.filter(({ holds }) => holds).length;
  const widths = ranges.map(({ width }) => width).sort((a, b) => a - b);
  const median = widths[RANGE_SEEDS / 2]!;
  console.log(
    `steps of ${measureSeconds} s: the range stated with 90 % holds the border in ${count} of ${RANGE_SEEDS}, median width ${percent(median)}`,
  );
  return count / RANGE_SEEDS;
});
process.exitCode = within >= 95 && held.every((share) => share >= HOLDS) ? 0 : 1;
