import { parseArgs } from 'node:util';
import { killRuns } from './kill-runs.ts';

/** `npm run test:kill -- --count 50 --seed 7`: kills runs at random moments and says what was left of each. */
const { values } = parseArgs({
  options: { count: { type: 'string', default: '50' }, seed: { type: 'string', default: '7' } },
});

/** The second that was not over yet, and what the service did while the last one went to the disk. */
const MOST_LOST_SECONDS = 1.5;

const runs = await killRuns(Number(values.count), Number(values.seed));
const readable = runs.filter((run) => run.exitCode === 0);
const lost = runs.map((run) => Math.max(0, run.loadSeconds - run.storedSeconds)).toSorted((a, b) => a - b);
const gone = runs.filter((run) => run.serviceIsGone);
const states = new Map<string, number>();
for (const { state = 'unreadable' } of runs) states.set(state, (states.get(state) ?? 0) + 1);
console.log(`${runs.length} runs killed by SIGKILL, ${readable.length} readable reports`);
console.log(`states: ${Array.from(states, ([state, count]) => `${state} ${count}`).join(', ')}`);
console.log(
  `seconds of load not in the report: median ${lost[Math.floor(lost.length / 2)]?.toFixed(2)}, most ${lost.at(-1)?.toFixed(2)}`,
);
console.log(`started services that ended with the tool: ${gone.length}`);
for (const run of runs) if (run.exitCode !== 0) console.log(run.killedAfterSeconds, run.complaint);
const isGood =
  readable.length === runs.length && gone.length === runs.length && lost.at(-1)! <= MOST_LOST_SECONDS;
process.exitCode = isGood ? 0 : 1;
