import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diagnosisInput } from '../../../test/support/diagnosis-input.ts';
import { cumulative, histogramOf } from '../../../test/support/measurements.ts';
import { stepMeasurement } from '../../../test/support/step-measurement.ts';
import { stepRow } from '../../../test/support/step-rows.ts';
import type { StepRow } from '../../model/analysis.ts';
import { analyze } from '../analyze.ts';
import { cpuBound } from './cpu-bound.ts';
import { DIAGNOSIS_RULES, namedCauses } from './index.ts';

const SECONDS = 10;

/** Three steps of a service that waits so many seconds a second for a core. */
function busy(row: Partial<StepRow>, waitRatio: number, gaps: readonly number[] = []) {
  const quick = Array.from({ length: 4000 }, () => 0.002);
  const rows = [0, 1, 2].map((index) =>
    stepRow({ index, users: 10 * (index + 1), serverCount: { cpu: 1 }, machineCoreCount: 2, ...row }),
  );
  const measurements = rows.map(({ index }) =>
    stepMeasurement(index, {
      windowSeconds: SECONDS,
      answerGap: histogramOf([...quick, ...gaps]),
      counters: [cumulative('process', 'runQueueWaitSeconds', waitRatio, SECONDS)],
    }),
  );
  return { rows, measurements };
}

const examine = ({ rows, measurements }: ReturnType<typeof busy>) =>
  cpuBound.examine(diagnosisInput(rows, { measurements }))[0]!;

const CASES = [
  // Of 2 cores the process has 0.96; what is busy beyond it is other work.
  { title: 'it has its core', wait: 0.02, machine: 0.6, cpu: 0.96, confidence: 'high' },
  {
    title: 'others make it wait a quarter as long as it runs',
    wait: 0.24,
    machine: 1,
    cpu: 0.96,
    confidence: 'medium',
  },
  { title: 'it waits longer than it runs', wait: 1.2, machine: 1, cpu: 0.9, confidence: 'medium' },
  { title: 'its own threads wait for one another', wait: 0.8, machine: 0.55, cpu: 0.96, confidence: 'high' },
] as const;
for (const { title, wait, machine, cpu, confidence } of CASES) {
  test(`a process at the limit of its core: ${confidence} where ${title}`, () => {
    const finding = examine(busy({ utilizationRatio: { cpu }, machineCpuRatio: machine }, wait));
    assert.equal(finding.confidence, confidence);
    const reasons = finding.counterEvidence.map(({ text }) => text);
    assert.equal(reasons.length, confidence === 'high' ? 0 : 1);
    if (confidence !== 'high') {
      // 2 cores full less what the process used.
      assert.match(reasons[0]!, /waits for a core .* s a second: other work uses 1\.[01]\d* of the cores/);
    }
  });
}

test('one thread that mostly waits for others has its limit from them, and it is said', () => {
  const row = { utilizationRatio: { cpu: 0.3, busiestThread: 0.3 }, machineCpuRatio: 1 };
  const finding = examine(busy(row, 0.68));
  assert.equal(finding.confidence, 'medium');
  assert.match(finding.counterEvidence[0]!.text, /other work uses 1\.7 of the cores/);
});

test('on a busy machine the surest cause leads: pauses that a wait for a core explains stand behind it', () => {
  const pauses = [0.08, 0.08, 0.08, 0.08, 0.08];
  const { rows, measurements } = busy({ utilizationRatio: { cpu: 0.97 }, machineCpuRatio: 1 }, 0.4, pauses);
  const { findings } = analyze(rows, { measurements, rules: DIAGNOSIS_RULES });
  const ids = findings.map(({ ruleId, confidence }) => `${ruleId} ${confidence}`);
  assert.ok(ids.includes('pauses low'), ids.join());
  assert.ok(
    ids.indexOf('cpu-bound medium') >= 0 && ids.indexOf('cpu-bound medium') < ids.indexOf('pauses low'),
  );
  assert.deepEqual(
    namedCauses(findings).map(({ ruleId }) => ruleId),
    ['cpu-bound'],
  );
});
