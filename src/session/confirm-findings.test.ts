import assert from 'node:assert/strict';
import test from 'node:test';
import { twoRoutePlan } from '../../test/support/two-route-plan.ts';
import { stepMeasurement } from '../../test/support/step-measurement.ts';
import { stepRow } from '../../test/support/step-rows.ts';
import type { Experiment, Finding } from '../model/analysis.ts';
import type { LoadPlan } from '../model/load.ts';
import { confirmFindings } from './confirm-findings.ts';

const experiment = (kind: Experiment['kind'], route?: string): Experiment => ({
  kind,
  ...(route !== undefined && { route }),
  stepIndex: 0,
  reads: { quantity: 'throughputPerSecond' },
  supports: { atMost: 1.15 },
  refutes: { atLeast: 1.4 },
});
const finding = (ruleId: string, confidence: Finding['confidence'], asked: Experiment): Finding => ({
  ruleId,
  claim: ruleId,
  confidence,
  evidence: [],
  counterEvidence: [],
  experiment: asked,
});

/** Makes the experiments against a service that carries 100/s whatever it is given. */
async function confirm(findings: readonly Finding[], limitSeconds: number, isStopped = () => false) {
  const plans: LoadPlan[] = [];
  const rests: number[] = [];
  const plan = twoRoutePlan(40);
  const confirmations = await confirmFindings({
    plan,
    rows: [stepRow({ index: 0, users: 40, throughputPerSecond: 100 })],
    findings,
    limitSeconds,
    isStopped,
    rest: async (seconds) => void rests.push(seconds),
    run: async (trial) => {
      plans.push(trial);
      const { measureSeconds } = trial.steps[0]!;
      const measurement = stepMeasurement(0, {
        step: trial.steps[0]!,
        windowSeconds: measureSeconds,
        completionCount: Math.round(100 * measureSeconds),
      });
      const totals = { byRoute: [], retriedCount: 0 };
      return { reason: 'completed', measurements: [measurement], totals, series: [] };
    },
  });
  return { plans, rests, confirmations };
}

test('findings that ask for the same share one run, within the time there is, the unsure first', async () => {
  const { plans, confirmations } = await confirm(
    [
      finding('sure', 'high', experiment('light-load')),
      finding('a', 'medium', experiment('double-load')),
      finding('b', 'low', experiment('double-load')),
      finding('none', 'medium', experiment('leave-out-route', '/nowhere')),
    ],
    30,
  );
  assert.deepEqual(
    confirmations.map(({ ruleId, outcome }) => [ruleId, outcome]),
    [
      ['a', 'supports'],
      ['b', 'supports'],
      ['none', 'not-run'],
      ['sure', 'supports'],
    ],
  );
  const seconds = plans.map(({ steps: [step] }) => step!.warmupSeconds + step!.measureSeconds);
  assert.equal(plans.length, 2);
  assert.ok(seconds.reduce((sum, one) => sum + one) <= 30);
  assert.deepEqual(
    plans.map(({ steps }) => steps[0]!.driver),
    [
      { kind: 'closed', users: 80 },
      { kind: 'closed', users: 1 },
    ],
  );
});

test('a route that is left out takes its users along, the shares of the rest sum to one', async () => {
  const { plans } = await confirm([finding('a', 'medium', experiment('leave-out-route', '/slow'))], 20);
  const [plan] = plans;
  assert.deepEqual(
    plan!.requests.map(({ route, shareRatio }) => [route, shareRatio]),
    [['/fast', 1]],
  );
  assert.deepEqual(plan!.steps[0]!.driver, { kind: 'closed', users: 30 });
});

test('a rest without load comes out of the same time', async () => {
  const { plans, rests } = await confirm([finding('a', 'medium', experiment('load-off'))], 10);
  const [step] = plans[0]!.steps;
  assert.ok(Math.abs(rests[0]! + step!.warmupSeconds + step!.measureSeconds - 10) < 1e-9);
});

test('what finds no time, or comes after a stop, is said to be not made', async () => {
  const four = (['double-load', 'light-load', 'load-off', 'repeat-load'] as const).map((kind) =>
    finding(kind, 'medium', experiment(kind)),
  );
  const short = await confirm(four, 7);
  assert.deepEqual(
    short.confirmations.map(({ outcome }) => outcome),
    ['supports', 'supports', 'not-run', 'not-run'],
  );
  assert.match(short.confirmations.at(-1)!.text, /no time was left of the 7 s/);
  const stopped = await confirm(four, 60, () => true);
  assert.deepEqual(stopped.plans, []);
});
