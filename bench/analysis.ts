import { concludeRun, rowsOf } from '../src/pipeline.ts';
import { analyze } from '../src/analysis/analyze.ts';
import { DIAGNOSIS_RULES } from '../src/analysis/rules/index.ts';
import type { StepMeasurement } from '../src/model/measurement.ts';
import { REPORTERS } from '../src/report/index.ts';
import { createRandom, drawExponential, drawNormal } from '../src/stats/random.ts';
import { cumulative, histogramOf, routeOf, soundStep } from '../test/support/measurements.ts';
import { sampleRecord } from '../test/support/sample-record.ts';

/**
 * CPU seconds of this process for the step table, the analysis and each form of the report of a run of 1,000 steps
 * with 10 routes each. Table and analysis together are to take less than a second in a process that has just begun, the
 * run read and reported less than three.
 *
 * `npm run bench:analysis [steps] [routes]`
 */
const stepCount = Number(process.argv[2] ?? 1000);
const routeCount = Number(process.argv[3] ?? 10);

const CYCLE_SECONDS = 2;
const LIMIT_PER_SECOND = 250;
const SAMPLES = 60;
const WINDOW_SECONDS = 60;

/** A ladder through a knee at half its length; every step with its slices, counters and routes. */
function ladder(): StepMeasurement[] {
  const random = createRandom(1);
  return Array.from({ length: stepCount }, (_, index) => {
    const users = index + 1;
    const free = users / CYCLE_SECONDS;
    const rate = (free / (1 + (free / LIMIT_PER_SECOND) ** 4) ** 0.25) * (1 + 0.01 * drawNormal(random));
    const response = Math.max(0.005, users / rate - CYCLE_SECONDS);
    const times = (): number[] => Array.from({ length: SAMPLES }, () => drawExponential(random, response));
    const sound = soundStep();
    return soundStep({
      step: { ...sound.step, index, label: `${users} users`, driver: { kind: 'closed', users } },
      completionCount: Math.round(rate * WINDOW_SECONDS),
      responseTime: histogramOf(Array.from({ length: Math.round(rate * WINDOW_SECONDS) }, () => response)),
      byRoute: Array.from({ length: routeCount }, (__, i) => routeOf(`/route-${i}`, times())),
      meanInFlight: rate * response,
      meanThinking: users - rate * response,
      thinkTimeSeconds: CYCLE_SECONDS,
      slices: sound.slices.map((slice) => ({ ...slice, okCount: Math.round(rate) })),
      counters: [cumulative('process', 'cpuSeconds', rate / LIMIT_PER_SECOND, WINDOW_SECONDS, 1)],
    });
  });
}

/** CPU seconds of one call. */
function time<Value>(what: string, call: () => Value): Value {
  const before = process.cpuUsage();
  const value = call();
  const { user, system } = process.cpuUsage(before);
  process.stdout.write(`${what.padEnd(28)} ${((user + system) / 1e6).toFixed(3)} s\n`);
  return value;
}

const measurements = ladder();
const { manifest } = sampleRecord();
process.stdout.write(`${stepCount} steps, ${routeCount} routes; CPU seconds\n`);
const begun = process.cpuUsage();
const rows = time('step table', () => rowsOf({ manifest, measurements }));
time('analysis with all rules', () => analyze(rows, { rules: DIAGNOSIS_RULES, measurements }));
const spent = process.cpuUsage(begun);
const seconds = (spent.user + spent.system) / 1e6;
process.stdout.write(`${'both (limit 1 s)'.padEnd(28)} ${seconds.toFixed(3)} s\n`);
process.stdout.write(`${rows.filter(({ valid }) => valid).length} of them valid\n`);
const record = time('table, analysis and verdict', () => concludeRun({ manifest, measurements }));
for (const reporter of REPORTERS) time(`report as ${reporter.name}`, () => reporter.render(record));
