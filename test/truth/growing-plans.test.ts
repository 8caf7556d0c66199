import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchStateOf, shapeResultOf, stepSourceOf } from '../../src/adaptive-load.ts';
import { analyze } from '../../src/analysis/analyze.ts';
import { stepTable } from '../../src/analysis/step-table.ts';
import { startPlan } from '../../src/drive/run-plan.ts';
import { VirtualClock } from '../../src/host/virtual-clock.ts';
import { searchResult } from '../../src/load/growth/search-load.ts';
import type { Growth, LoadPlan, Step } from '../../src/model/load.ts';
import type { StepMeasurement } from '../../src/model/measurement.ts';
import { SimulatedProtocol } from '../../src/protocols/simulated.ts';
import { percentileOf } from '../../src/stats/histogram.ts';
import { parseTarget } from '../../src/verdict/parse-target.ts';
import { closedStep, openStep, request, simulatePlan } from '../support/simulate.ts';

/** A pool of eight places that are held for 50 ms on average. */
const POOL = {
  stations: [{ name: 'pool', serverCount: 8 }],
  visits: { 'GET /a': [{ station: 'pool', service: { kind: 'exponential', meanSeconds: 0.05 } as const }] },
};

const planOf = (steps: readonly Step[], more: Partial<LoadPlan>): LoadPlan => ({
  seed: 11,
  shape: 'steps',
  requests: [request('/a', 1)],
  requestTimeoutSeconds: 30,
  steps,
  ...more,
});

/** Runs a plan that grows, on the virtual clock. */
function grow(plan: LoadPlan, target = 'p95 <= 1 s') {
  const context = { plan, targets: [parseTarget(target)], marginRatio: 0.1 };
  const clock = new VirtualClock();
  const protocol = new SimulatedProtocol(clock, POOL, plan.requests, plan.seed + 1);
  const generator = { read: () => ({ cpuSeconds: 0, eventLoopDelayMaxSeconds: 0 }) };
  const measurements: StepMeasurement[] = [];
  const host = { clock, protocol, counters: [], generator, nextStep: stepSourceOf(context)! };
  startPlan(plan, host, (event) => {
    if (event.kind === 'step-finished') measurements.push(event.measurement);
  });
  clock.run();
  return { context, measurements, labels: measurements.map(({ step }) => step.label) };
}

test('a sweep that ends on the straight part is extended until the pool of eight shows its bend', () => {
  const growth: Growth = { kind: 'extend', highestLoad: 100 };
  const { measurements, labels } = grow(
    planOf(
      [1, 2, 3, 4].map((c, i) => closedStep(i, c, 1, 60)),
      { growth },
    ),
  );
  assert.deepEqual(labels.slice(4, 7), ['6 workers', '9 workers', '14 workers']);
  const { knee } = analyze(stepTable(measurements));
  assert.ok(knee.seen, knee.reason);
  assert.ok(knee.users! > 7 && knee.users! < 10, `N* ${knee.users}`);
  assert.ok(measurements.length < 10, labels.join(', '));
});

test('a sweep that starts above the knee is not extended: more load would show no more of it', () => {
  const growth: Growth = { kind: 'extend', highestLoad: 1000 };
  const { measurements } = grow(
    planOf(
      [16, 24, 36, 54].map((c, i) => closedStep(i, c, 1, 60)),
      { growth },
    ),
  );
  assert.equal(measurements.length, 4);
  const { knee } = analyze(stepTable(measurements));
  assert.ok(!knee.seen && knee.upperBound! >= 16 && knee.upperBound! < 19, knee.reason);
});

test('an extension ends at its highest load, bend or not', () => {
  const { labels } = grow(
    planOf([closedStep(0, 1, 1, 10), closedStep(1, 2, 1, 10)], {
      growth: { kind: 'extend', highestLoad: 3 },
    }),
  );
  assert.deepEqual(labels, ['1 users', '2 users', '3 workers']);
});

test('stress goes past the capacity of 160/s and stops where p95 is over its limit', () => {
  const growth: Growth = {
    kind: 'stress',
    errorLimitRatio: 0.1,
    responseLimitSeconds: 0.5,
    highestLoad: 1e5,
  };
  const { context, measurements } = grow(
    planOf([openStep(0, 80, 'poisson', [2, 20])], { shape: 'stress', growth }),
  );
  const result = shapeResultOf(context, measurements, stepTable(measurements));
  assert.ok(result?.kind === 'stress');
  assert.equal(result.highestHeld, 120);
  assert.equal(result.brokenAt, 180);
});

test('a search over users with think time finds the load at which p95 leaves its target with margin', () => {
  const growth: Growth = {
    kind: 'search',
    precisionRatio: 0.05,
    confidenceRatio: 0.95,
    longestRepeat: 3,
    highestLoad: 1e5,
    mostSteps: 40,
  };
  const think = { kind: 'exponential', meanSeconds: 1 } as const;
  const plan = planOf([closedStep(0, 60, 5, 30)], { shape: 'search', growth, thinkTimeSeconds: think });
  const { context, measurements } = grow(plan, 'p95 <= 300 ms');
  const result = searchResult(searchStateOf(context, measurements), growth);
  // The load that passes and the one that fails, held to runs of their own, much longer and of other seeds.
  const p95At = (users: number) => {
    const long = planOf([closedStep(0, Math.round(users), 10, 300)], { seed: 99, thinkTimeSeconds: think });
    return percentileOf(simulatePlan(long, POOL).measurements[0]!.responseTime, 95)!;
  };
  assert.ok(result.isNarrow, result.reason);
  assert.ok(p95At(0.95 * result.highestPassing!) <= 0.27, `passing: ${p95At(result.highestPassing!)}`);
  assert.ok(p95At(1.05 * result.lowestFailing!) > 0.27, `failing: ${p95At(result.lowestFailing!)}`);
});
