/**
 * npm run bench:reports
 *
 * CPU time to build the HTML report of 8 and of 1,000 steps, each watched for a minute a step, and to list 200 runs
 * on the dashboard, the first time and again. Prints milliseconds (median of five) and sizes.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listPage } from '../src/dashboard/pages.ts';
import { RunList } from '../src/dashboard/run-list.ts';
import type { RunRecord } from '../src/model/record.ts';
import { renderHtml } from '../src/report/html.ts';
import { withCounters } from '../test/support/sample-counters.ts';
import { sampleRecord } from '../test/support/sample-record.ts';

/** The sample's eight steps again and again, as steps of their own. */
function recordOf(stepCount: number): RunRecord {
  const record = sampleRecord();
  const indexes = Array.from({ length: stepCount }, (_, index) => index);
  const steps = indexes.map((index) => ({
    ...record.analysis.steps[index % 8]!,
    index,
    users: index + 1,
  }));
  const measurements = indexes.map((index) => {
    const one = record.measurements[index % 8]!;
    return { ...one, step: { ...one.step, index }, startedAtSeconds: 60 * index };
  });
  return withCounters({ ...record, measurements, analysis: { ...record.analysis, steps } });
}

/** CPU milliseconds of a call, the median of five, after one that warms up. */
async function milliseconds(work: () => unknown): Promise<number> {
  await work();
  const times: number[] = [];
  for (let i = 0; i < 5; i += 1) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
  }
  return times.sort((a, b) => a - b)[2]!;
}

for (const [stepCount, limit] of [
  [8, 1000],
  [1000, 3000],
] as const) {
  const record = recordOf(stepCount);
  const time = await milliseconds(() => renderHtml(record));
  const size = Math.round(renderHtml(record).length / 1000);
  console.log(`report of ${stepCount} steps: ${time.toFixed(0)} ms CPU (limit ${limit}), ${size} kB`);
}

const folder = mkdtempSync(join(tmpdir(), 'shipload-bench-'));
const record = JSON.stringify(withCounters(sampleRecord()));
const manifest = JSON.stringify(sampleRecord().manifest);
for (let i = 0; i < 200; i += 1) {
  mkdirSync(join(folder, `run-${i}`));
  writeFileSync(join(folder, `run-${i}`, 'run.json'), manifest);
  writeFileSync(join(folder, `run-${i}`, 'record.json'), record);
}
const first = process.cpuUsage();
const list = new RunList(folder);
listPage(await list.read(), folder);
const { user, system } = process.cpuUsage(first);
console.log(
  `list of 200 runs (${Math.round(record.length / 1000)} kB each): ${Math.round((user + system) / 1000)} ms CPU at first`,
);
const again = await milliseconds(async () => listPage(await list.read(), folder));
console.log(`list of 200 runs again: ${again.toFixed(0)} ms CPU`);
rmSync(folder, { recursive: true });
