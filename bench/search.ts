import { BORDER_PER_SECOND, searchOnMm1 } from '../test/support/search-mm1.ts';

/** How near a search comes to the border of a simulated M/M/1, which is known exactly: 100 seeds. */

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
process.exitCode = within >= 95 ? 0 : 1;
