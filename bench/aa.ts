/**
 * npm run bench:aa [-- --comparisons 1] [--runs 6] [--seconds 20]
 *
 * A/A: the same service with the same load on both sides, each run on a service that was just started, in the order
 * A B B A. At most 5 % of the comparisons may find a change. Comparisons of runs of their own are independent, and
 * their share has a Clopper–Pearson interval; the same runs dealt to two sides in every other way show whether the one
 * deal was luck, and are not independent. Without a noise floor, which would only hide more. Exits with 1 where the
 * interval lies above 5 %.
 */
import { parseArgs } from 'node:util';
import type { RunRecord } from '../src/model/record.ts';
import { compareRecords } from '../src/record/compare-records.ts';
import { repeatOrder } from '../src/session/repeat-run.ts';
import { proportionInterval } from '../src/stats/distributions.ts';
import { createRandom } from '../src/stats/random.ts';
import { measured, poolCase } from './real-cases.ts';

const { values } = parseArgs({
  options: {
    comparisons: { type: 'string', default: '1' },
    runs: { type: 'string', default: '6' },
    seconds: { type: 'string', default: '20' },
  },
});
const [comparisons, runs, seconds] = [values.comparisons, values.runs, values.seconds].map(Number) as [
  number,
  number,
  number,
];
/** Half of the pool's places, and twice as many as it has. */
const LOADS = [4, 16];
const WARMUP_SECONDS = 1;
const LIMIT = 0.05;
const DEALS = 1000;

async function oneRun(seed: number): Promise<RunRecord> {
  const real = await poolCase();
  try {
    const duration = seconds / LOADS.length;
    return await measured(real, real.planAt(LOADS, duration, WARMUP_SECONDS, seed), `run ${seed}`);
  } finally {
    await real.service.stop();
  }
}

const changesOf = (before: readonly RunRecord[], after: readonly RunRecord[]): string[] =>
  compareRecords(before, after)
    .metrics.filter(({ verdict }) => verdict === 'changed')
    .map(({ name, ratio }) => `${name} × ${ratio?.toFixed(3)}`);

const percent = (ratio: number): string => `${(100 * ratio).toFixed(1)} %`;

/** Deals of all runs to two sides by chance; how many of them find a change. */
function dealtAgain(all: readonly RunRecord[]): number {
  const random = createRandom(1);
  let changed = 0;
  for (let deal = 0; deal < DEALS; deal += 1) {
    const drawn = all
      .map((record) => ({ record, key: random.next() }))
      .sort((a, b) => a.key - b.key)
      .map(({ record }) => record);
    if (changesOf(drawn.slice(0, runs), drawn.slice(runs, 2 * runs)).length > 0) changed += 1;
  }
  return changed;
}

console.log(`${comparisons} × 2 × ${runs} runs of ${seconds} s, ${LOADS.join(' and ')} workers on the pool`);
let changed = 0;
let seed = 1;
const all: RunRecord[] = [];
for (let i = 0; i < comparisons; i += 1) {
  const sides: Record<'A' | 'B', RunRecord[]> = { A: [], B: [] };
  for (const { side } of repeatOrder(['A', 'B'] as const, runs)) sides[side].push(await oneRun(seed++));
  all.push(...sides.A, ...sides.B);
  const changes = changesOf(sides.A, sides.B);
  if (changes.length > 0) changed += 1;
  console.log(
    `comparison ${i + 1}: ${changes.length === 0 ? 'no change shown' : `CHANGED ${changes.join(', ')}`}`,
  );
}
const [low, high] = proportionInterval(changed, comparisons);
console.log(
  `${changed} of ${comparisons} equal pairs called changed (${percent(changed / comparisons)}, 95 % interval ${percent(low)}–${percent(high)}; at most ${percent(LIMIT)} wanted)`,
);
const again = dealtAgain(all);
console.log(
  `of ${DEALS} other deals of these ${all.length} runs into ${runs} + ${runs}: ${percent(again / DEALS)} (not independent)`,
);
process.exitCode = low > LIMIT ? 1 : 0;
