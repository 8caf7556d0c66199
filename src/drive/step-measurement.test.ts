import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Frame, StepMeasurement } from '../model/measurement.ts';
import { closedStep, scriptPlan } from '../../test/support/simulate.ts';
import type { RunEvent } from './run-plan.ts';
import { measureStep } from './step-measurement.ts';

const plan = {
  seed: 3,
  shape: 'steps',
  requests: [
    {
      id: 'GET /',
      method: 'GET',
      route: '/',
      shareRatio: 1,
      targets: { draw: 'uniform' as const, targets: ['/'], distinctCount: 1 },
    },
  ],
  thinkTimeSeconds: { kind: 'exponential' as const, meanSeconds: 0.2 },
  requestTimeoutSeconds: 10,
  steps: [closedStep(0, 20, 1, 50)],
};

const isFrame = (event: RunEvent): event is Extract<RunEvent, { kind: 'frame' }> => event.kind === 'frame';

test('a window that was joined on the way counts every request of its fifty frames, and keeps fifty slices', () => {
  const { events, measurements } = scriptPlan(plan, (sentAtSeconds) => ({
    endedAtSeconds: sentAtSeconds + 0.01 + (sentAtSeconds % 0.05),
  }));
  const frames = events.flatMap((event): Frame[] =>
    isFrame(event) && event.frame.phase === 'measure' ? [event.frame] : [],
  );
  assert.equal(frames.length, 50);
  const measurement: StepMeasurement = measurements[0]!;
  const okCount = frames.reduce((sum, frame) => sum + frame.routes[0]!.okCount, 0);
  const bins = new Map<number, number>();
  for (const { bins: pairs } of frames.map((frame) => frame.routes[0]!.responseTime)) {
    for (let i = 0; i < pairs.length; i += 2) bins.set(pairs[i]!, (bins.get(pairs[i]!) ?? 0) + pairs[i + 1]!);
  }
  const expected = [...bins].toSorted((a, b) => a[0] - b[0]).flat();
  assert.equal(measurement.completionCount, okCount);
  assert.deepEqual(measurement.responseTime.bins, expected);
  assert.equal(measurement.slices.length, 50);
  assert.ok(Math.abs(measurement.windowSeconds - 50) < 1e-9);
  assert.deepEqual(measureStep(plan.steps[0]!, frames, measurement.counters), measurement);
});

test('a step without frames has no measurement', () => {
  assert.throws(() => measureStep(plan.steps[0]!, [], []), RangeError);
});
