/**
 * npm run bench:whatif [-- --only catalogue,pool,ledger] [--full]
 *
 * Runs the three demos and holds what each foretold of its remedy against what the remedy did: X within 10 %, p95 within
 * 30 %, every figure with kept or MISSED, and how many were kept. Prints the load of the machine before and
 * after each demo: a machine that does other work changes between the prediction and the sweep. Exits 1 on a miss.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { driftSentence, type LockDrift } from '../src/demo/ledger/lock-drift.ts';
import type { ScoredPrediction } from '../src/model/record.ts';
import { renderPredictions } from '../src/report/comparison-text.ts';

const run = promisify(execFile);
const MAIN = new URL('../src/cli/main.js', import.meta.url).pathname;
const LONGEST_MS = 30 * 60_000;

const { values } = parseArgs({
  options: { only: { type: 'string' }, full: { type: 'boolean', default: false } },
});

interface Compared {
  readonly comparison: { readonly predictions: readonly ScoredPrediction[] };
}
interface Ledger {
  readonly predictions: readonly {
    readonly mix: string;
    readonly trial: string;
    readonly scored: readonly ScoredPrediction[];
    readonly lock?: LockDrift;
  }[];
}
type Part = readonly [title: string, scored: readonly ScoredPrediction[], said?: string | undefined];

/** What each demo's document says of its predictions; the option a run works out by itself repeats that of `pool=16`. */
const DEMOS: Readonly<Record<string, (text: string) => readonly Part[]>> = {
  catalogue: (text) => [['catalogue, the cache', (JSON.parse(text) as Compared).comparison.predictions]],
  pool: (text) => [
    [
      'pool, 16 slots',
      (JSON.parse(text) as Compared).comparison.predictions.filter(({ option }) =>
        option.startsWith('what if'),
      ),
    ],
  ],
  ledger: (text) =>
    (JSON.parse(text) as Ledger).predictions
      .filter(({ trial }) => trial !== 'as it is')
      .map(({ mix, trial, scored, lock }) => [
        `ledger, ${mix}, ${trial}`,
        scored,
        lock && driftSentence(lock),
      ]),
};

/** A demo exits 1 where its service misses a target: its document is printed all the same. */
async function documentOf(demo: string, folder: string): Promise<string> {
  const words = [MAIN, 'demo', demo, '--json', '--out', join(folder, demo)];
  const more = values.full ? ['--full'] : [];
  const options = { maxBuffer: 1 << 28, timeout: LONGEST_MS };
  return run(process.execPath, [...words, ...more], options).then(
    ({ stdout }) => stdout,
    (error: { readonly stdout?: string; readonly stderr?: string }) => {
      if (error.stdout?.startsWith('{') === true) return error.stdout;
      throw new Error(`demo ${demo}: ${error.stderr ?? 'it did not start'}`, { cause: error });
    },
  );
}

const loadText = (): string => loadavg()[0]!.toFixed(2);

const chosen = values.only?.split(',') ?? Object.keys(DEMOS);
const folder = mkdtempSync(join(tmpdir(), 'shipload-whatif-'));
const totals: string[] = [];
let missedCount = 0;
try {
  for (const demo of chosen) {
    const before = loadText();
    const parts = DEMOS[demo]!(await documentOf(demo, folder));
    console.log(`\n${demo}: load average ${before} before, ${loadText()} after (its own load included)`);
    for (const [title, scored, said] of parts) {
      const judged = scored.filter(({ outcome }) => outcome !== undefined);
      const kept = judged.filter(({ outcome }) => outcome === 'kept');
      missedCount += judged.length - kept.length + (judged.length === 0 ? 1 : 0);
      totals.push(
        judged.length === 0
          ? `${title}: nothing was scored, as no prediction was made or no step after it was valid`
          : `${title}: ${kept.length} of ${judged.length} kept`,
      );
      console.log(
        `\n${title}${said === undefined ? '' : `\n${said}`}\n${renderPredictions(judged, { width: 120, color: false })}`.trimEnd(),
      );
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`\n${totals.join('\n')}`);
console.log(missedCount === 0 ? 'All kept.' : `${missedCount} MISSED, or not scored.`);
process.exitCode = missedCount === 0 ? 0 : 1;
