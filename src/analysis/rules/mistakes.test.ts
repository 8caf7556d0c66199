import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diagnosisInput } from '../../../test/support/diagnosis-input.ts';
import { stepMeasurement } from '../../../test/support/step-measurement.ts';
import { publishedRows, stepRow } from '../../../test/support/step-rows.ts';
import type { LoadPlan } from '../../model/load.ts';
import type { WorkloadModel } from '../../model/workload.ts';
import { Histogram } from '../../stats/histogram.ts';
import { fewerDistinctValuesThanLog } from './fewer-distinct-values-than-log.ts';
import { machineCpuInsteadOfProcess } from './machine-cpu-instead-of-process.ts';
import { oneRowForAStepRun } from './one-row-for-a-step-run.ts';

const published = publishedRows('publishedBeforeFix');

test('mistake committed: only the machine’s CPU was recorded', () => {
  const rows = published.map((row) => ({ ...row, utilizationRatio: {} }));
  const [finding] = machineCpuInsteadOfProcess.examine(diagnosisInput(rows, { machineCoreCount: 6 }));
  assert.equal(finding!.confidence, 'high');
  assert.match(finding!.evidence.at(-1)!.text, /machine 16 % × 6 cores = 0.96 cores in use at 300 users/);
});

test('mistake committed: the machine’s CPU stands in the column of the process', () => {
  const rows = published.map((row) => ({ ...row, utilizationRatio: { cpu: row.machineCpuRatio! } }));
  const [finding] = machineCpuInsteadOfProcess.examine(diagnosisInput(rows, { machineCoreCount: 6 }));
  assert.match(finding!.claim, /repeats the machine's at every step/);
});

test('mistake committed: one full thread divided by four cores', () => {
  const row = stepRow({
    users: 9,
    utilizationRatio: { cpu: 0.25, busiestThread: 0.98 },
    serverCount: { cpu: 4 },
  });
  const [finding] = machineCpuInsteadOfProcess.examine(diagnosisInput([row]));
  assert.match(finding!.evidence[0]!.text, /busiest thread 98 % of a core, U = 25 % of 4 cores, at 9 users/);
});

test('not made: the process beside the machine, a machine of one core, nothing known of either', () => {
  const same = published.map((row) => ({ ...row, machineCpuRatio: row.utilizationRatio['cpu']! }));
  const unknown = [stepRow({ users: 1 })];
  const silent = [
    diagnosisInput(published),
    diagnosisInput(same, { machineCoreCount: 1 }),
    diagnosisInput(unknown),
  ];
  for (const input of silent) assert.deepEqual(machineCpuInsteadOfProcess.examine(input), []);
});

function planOf(stepCount: number, targets: readonly string[]): LoadPlan {
  const step = stepMeasurement(0).step;
  return {
    seed: 1,
    shape: 'steps',
    requests: [
      {
        id: 'GET /books/[id]',
        method: 'GET',
        route: '/books/[id]',
        shareRatio: 1,
        targets: { draw: 'uniform', targets, distinctCount: targets.length },
      },
    ],
    requestTimeoutSeconds: 30,
    steps: Array.from({ length: stepCount }, (_, index) => ({ ...step, index })),
  };
}

test('mistake committed: one row of numbers for a run of two steps', () => {
  const measurements = [0.01, 0.4].map((seconds, index) => {
    const times = new Histogram();
    for (let i = 0; i < 100; i += 1) times.record(seconds);
    return stepMeasurement(index, { responseTime: times.toData() });
  });
  const plan = planOf(8, ['/books/1']);
  const [finding] = oneRowForAStepRun.examine(diagnosisInput([published[0]!], { plan, measurements }));
  assert.match(finding!.claim, /run of 2 steps/);
  assert.match(finding!.evidence[1]!.text, /all steps together 400 ms, of each step 10 ms, 400 ms/);
});

test('not made: a row a step, or a run of one step', () => {
  const plan = planOf(8, ['/books/1']);
  assert.deepEqual(oneRowForAStepRun.examine(diagnosisInput(published, { plan })), []);
  const single = diagnosisInput([published[0]!], { plan: planOf(1, ['/books/1']) });
  assert.deepEqual(oneRowForAStepRun.examine(single), []);
});

test('not made: a run that was stopped in its second step, and one of several write ratios at one load', () => {
  const [made, other] = [stepMeasurement(0), stepMeasurement(1)];
  const stopped = { plan: planOf(3, ['/books/1']), measurements: [made] };
  assert.deepEqual(oneRowForAStepRun.examine(diagnosisInput([published[0]!], stopped)), []);
  const mixes = [0.1, 0.9].map((writeRatio, i) => {
    const { step, ...measurement } = [made, other][i]!;
    return { ...measurement, step: { ...step, writeRatio } };
  });
  const row = { ...published[0]!, writeRatio: 0.1 };
  const varied = { plan: planOf(2, ['/books/1']), measurements: mixes };
  assert.deepEqual(oneRowForAStepRun.examine(diagnosisInput([row], varied)), []);
});

const workloadWith = (distinctCount: number): WorkloadModel =>
  ({
    requestClasses: [{ id: 'GET /books/[id]', targets: { distinctCount } }],
  }) as unknown as WorkloadModel;

const CASES: readonly (readonly [title: string, sent: number, logged: number, confidence?: string])[] = [
  ['one book for a log of a thousand', 1, 1000, 'high'],
  ['600 of 1000', 600, 1000, 'medium'],
  ['960 of 1000', 960, 1000],
  ['all of them', 1000, 1000],
];

for (const [title, sent, logged, confidence] of CASES) {
  test(`${confidence === undefined ? 'not made' : 'mistake committed'}: the load asks for ${title}`, () => {
    const targets = Array.from({ length: sent }, (_, i) => `/books/${i}`);
    const input = diagnosisInput(published, {
      plan: planOf(8, [...targets, targets[0]!]),
      workload: workloadWith(logged),
    });
    const findings = fewerDistinctValuesThanLog.examine(input);
    assert.deepEqual(
      findings.map((finding) => finding.confidence),
      confidence === undefined ? [] : [confidence],
    );
    if (confidence !== undefined)
      assert.match(findings[0]!.claim, new RegExp(`${sent} distinct .* ${logged} in the log`));
  });
}

test('a class that the log does not have is not compared', () => {
  const workload = { requestClasses: [] } as unknown as WorkloadModel;
  const input = diagnosisInput(published, { plan: planOf(8, ['/books/1']), workload });
  assert.deepEqual(fewerDistinctValuesThanLog.examine(input), []);
});
