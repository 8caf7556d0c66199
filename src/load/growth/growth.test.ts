import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openStep, request } from '../../../test/support/simulate.ts';
import { stepMeasurement } from '../../../test/support/step-measurement.ts';
import { stepRow } from '../../../test/support/step-rows.ts';
import { ShiploadError } from '../../errors.ts';
import type { LoadPlan, Step } from '../../model/load.ts';
import { parseTarget } from '../../verdict/parse-target.ts';
import { planGrowth } from '../plan-growth.ts';
import { search } from '../shapes/search.ts';
import { soak } from '../shapes/soak.ts';
import { stress } from '../shapes/stress.ts';
import { sweep } from '../shapes/sweep.ts';
import { grownStep } from './grown-step.ts';
import { nextStressLoad, type StressRules, stressResult } from './stress-load.ts';

const RULES: StressRules = {
  kind: 'stress',
  errorLimitRatio: 0.1,
  responseLimitSeconds: 2,
  highestLoad: 400,
};

test('stress goes on by ×1.5 until errors or p95 pass their limit, or the highest load is reached', () => {
  const at = (arrivalRatePerSecond: number, errorRatio: number, p95Seconds: number) =>
    stepRow({ arrivalRatePerSecond, errorRatio, completionCount: 100, overall: { p95Seconds } });
  const next = (...row: Parameters<typeof at>) => nextStressLoad([at(...row)], false, RULES);
  assert.equal(next(100, 0.05, 1), 150);
  assert.equal(next(300, 0.05, 1), 400);
  assert.equal(next(400, 0.05, 1), undefined);
  assert.equal(next(100, 0.11, 1), undefined);
  assert.equal(next(100, 0.05, 2.1), undefined);
  const result = stressResult([at(100, 0, 1), at(150, 0, 1.5), at(225, 0.2, 1)], RULES);
  assert.deepEqual([result.highestHeld, result.brokenAt], [150, 225]);
  assert.match(result.reason, /at 225\/s 20 % of the requests failed, more than 10 %/);
  assert.match(stressResult([at(100, 0, 1)], RULES).reason, /did not break up to 100/);
});

const planOf = (step: Step, more: Partial<LoadPlan> = {}): LoadPlan => ({
  seed: 1,
  shape: 'search',
  requests: [request('/a', 1)],
  requestTimeoutSeconds: 30,
  steps: [step],
  ...more,
});

test('after an open step with a backlog nothing is sent until it has drained: 1.5·L/X', () => {
  const step = openStep(0, 150, 'poisson', [2, 10]);
  const slice = {
    atSeconds: 9,
    durationSeconds: 1,
    okCount: 100,
    errorCount: 0,
    timeoutCount: 0,
    meanInFlight: 500,
  };
  const before = stepMeasurement(0, { step, windowSeconds: 10, completionCount: 1000, slices: [slice] });
  const grown = grownStep(planOf(step), 75, before);
  assert.equal(grown.restSeconds, 7.5);
  assert.deepEqual([grown.index, grown.label, grown.warmupSeconds], [1, '75/s', 2]);
  const idle = grownStep(planOf(step), 75, { ...before, slices: [{ ...slice, meanInFlight: 2 }] });
  assert.equal(idle.restSeconds, undefined);
});

test('users who join a grown step are all there before it is measured', () => {
  const step: Step = {
    index: 0,
    label: '100 users',
    driver: { kind: 'closed', users: 100 },
    warmupSeconds: 5,
    measureSeconds: 10,
  };
  const plan = planOf(step, { usersPerSecond: 10, thinkTimeSeconds: { kind: 'constant', meanSeconds: 1 } });
  const grown = grownStep(plan, 200, stepMeasurement(3, { step: { ...step, index: 3 } }));
  assert.deepEqual([grown.label, grown.warmupSeconds, grown.index], ['200 users', 10, 4]);
});

test('a search needs a target without a load; only ladders are extended, up to three peaks', () => {
  const steps = [openStep(0, 100, 'poisson', [0, 10])];
  const at = (text: string) => [parseTarget(text)];
  const isRefused = (error: unknown) => error instanceof ShiploadError && error.code === 'option-invalid';
  assert.equal(planGrowth(search, { targets: at('p95 <= 1 s') }, steps, 100)?.kind, 'search');
  assert.equal(planGrowth(stress, {}, steps, 100)?.highestLoad, 10_000);
  assert.deepEqual(planGrowth(sweep, { extend: true }, steps, 100), { kind: 'extend', highestLoad: 300 });
  assert.equal(planGrowth(sweep, {}, steps, 100), undefined);
  assert.throws(() => planGrowth(search, {}, steps, 100), isRefused);
  assert.throws(() => planGrowth(search, { targets: at('p95 <= 1 s at 5 users') }, steps, 100), isRefused);
  assert.throws(() => planGrowth(soak, { extend: true }, steps, 100), isRefused);
  for (const [shape, more] of [
    [sweep, { extend: true }],
    [stress, {}],
    [search, { targets: at('p95 <= 1 s') }],
  ] as const) {
    const upTo = (highestLoad: number) => planGrowth(shape, { ...more, growth: { highestLoad } }, steps, 100);
    assert.equal(upTo(100)?.highestLoad, 100);
    assert.throws(() => upTo(99), isRefused);
  }
});
