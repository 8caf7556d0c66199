import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LoadPlan, Step } from '../model/load.ts';
import { type Grant, type SafetyRequest, safetyLimits, withinLimits } from './safety.ts';

const step = (driver: Step['driver']): LoadPlan => ({
  seed: 1,
  shape: 'steps',
  requests: [],
  requestTimeoutSeconds: 30,
  steps: [{ index: 0, label: 'it', driver, warmupSeconds: 1, measureSeconds: 2 }],
});
const users = (count: number) => step({ kind: 'closed', users: count });
const rate = (arrivalRatePerSecond: number) =>
  step({ kind: 'open', arrivalRatePerSecond, arrivals: 'poisson', maxInFlight: 9 });

const OWN: Grant = { isOwn: true };
const TOKEN: Grant = { isOwn: false };
const ALLOWED: Grant = { isOwn: false, ratePerSecond: 50 };

const cases: readonly [
  title: string,
  plan: LoadPlan,
  asked: SafetyRequest,
  grant: Grant,
  refused?: RegExp,
][] = [
  ['this machine takes a large load', users(20_000), {}, OWN],
  ['and no larger one unasked', users(20_001), {}, OWN, /ceiling of 20000 users/],
  ['unless it is asked for', users(30_000), { maxUsers: 30_000 }, OWN],
  ['a service elsewhere takes a thousand', rate(1000), {}, TOKEN],
  ['and no more unasked', rate(1001), {}, TOKEN, /ceiling of 1000 requests a second/],
  ['unless it is asked for where the token proves it', rate(5000), { maxRatePerSecond: 5000 }, TOKEN],
  ['an allowed rate is kept', rate(50), {}, ALLOWED],
  [
    'and cannot be raised by an option',
    rate(51),
    { maxRatePerSecond: 500 },
    ALLOWED,
    /ceiling of 50 requests/,
  ],
  ['but lowered', rate(41), { maxRatePerSecond: 40 }, ALLOWED, /ceiling of 40 requests/],
];
for (const [title, plan, asked, grant, refused] of cases) {
  test(title, () => {
    const limited = (): LoadPlan => withinLimits(plan, safetyLimits(asked, grant));
    if (refused === undefined) assert.deepEqual(limited(), { ...plan, safety: safetyLimits(asked, grant) });
    else assert.throws(limited, refused);
  });
}

test('a plan that grows ends at the ceiling', () => {
  const growing: LoadPlan = { ...users(10), growth: { kind: 'extend', highestLoad: 5000 } };
  assert.equal(withinLimits(growing, safetyLimits({}, TOKEN)).growth?.highestLoad, 1000);
  const open: LoadPlan = { ...rate(10), growth: { kind: 'extend', highestLoad: 5000 } };
  assert.equal(withinLimits(open, safetyLimits({}, ALLOWED)).growth?.highestLoad, 50);
});

test('errors stop a run unless that is switched off', () => {
  assert.deepEqual(safetyLimits({}, OWN).stopOnErrors, { ratio: 0.5, seconds: 10 });
  assert.deepEqual(safetyLimits({ stopOnErrors: { ratio: 0.1, seconds: 5 } }, OWN).stopOnErrors, {
    ratio: 0.1,
    seconds: 5,
  });
  assert.equal(safetyLimits({ stopOnErrors: 'off' }, OWN).stopOnErrors, undefined);
});
