import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Frame } from '../model/measurement.ts';
import { COARSE_BITS, Histogram } from '../stats/histogram.ts';
import { StepHealth } from './step-health.ts';

/** A second in which 200 requests were sent, one in fifty of them so late. */
function secondOf(lateSeconds: number, phase: Frame['phase'] = 'measure'): Frame {
  const lag = new Histogram(COARSE_BITS);
  for (let i = 0; i < 200; i += 1) lag.record(i % 50 === 0 ? lateSeconds : 0.0002);
  return {
    phase,
    startedAtSeconds: 0,
    endedAtSeconds: 1,
    routes: [{ sentCount: 200 }],
    generator: { scheduleLag: lag.toData() },
  } as unknown as Frame;
}

const health = (cpuSeconds: number, waitedSeconds = 0) => ({ cpuSeconds, waitedSeconds });

test('an agent that wanted its core for 80 % of the step and did not get it is named, below that none is', () => {
  const step = new StepHealth();
  for (let second = 0; second < 5; second += 1) {
    step.add('kept', secondOf(0.001), health(0.3, 0.49));
    step.add('starved', secondOf(0.001), health(0.3, 0.51));
    step.add('busy', secondOf(0.001), health(0.85, 0.1));
    step.add('kept', secondOf(0.001, 'warmup'), health(0.1, 0.9));
  }
  const notices = step.take();
  assert.deepEqual(
    notices.map(({ code, severity }) => [code, severity]),
    [['agent-saturated', 'red-flag']],
  );
  assert.match(notices[0]!.message, /starved ran for 30 % of the step and waited for a core for 51 %/);
  assert.deepEqual(step.take(), [], 'the next step begins anew');
});

test('an agent whose sends are late where those of the others are not is named', () => {
  const step = new StepHealth();
  for (const [name, late] of [
    ['a', 0.004],
    ['b', 0.09],
    ['c', 0.005],
  ] as const)
    step.add(name, secondOf(late), health(0.1));
  const [notice, ...others] = step.take();
  assert.deepEqual(others, []);
  assert.equal(notice!.code, 'agent-late');
  assert.match(
    notice!.message,
    /load agent b one in a hundred was sent 9\d(\.\d)? ms or more after its time/,
  );
  // All late alike: no agent is to blame.
  for (const name of ['a', 'b', 'c']) step.add(name, secondOf(0.09), health(0.1));
  assert.deepEqual(step.take(), []);
});
