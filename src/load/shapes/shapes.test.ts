import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Driver } from '../../model/load.ts';
import { basisOfUrl } from '../load-basis.ts';
import { type LoadOptions, planLoad } from '../plan-load.ts';
import { LOAD_SHAPES } from './index.ts';

const basis = {
  ...basisOfUrl({ pathname: '/a', search: '?x=1' }, { method: 'GET' }),
  activeUsers: 40,
  thinkTime: { kind: 'constant', meanSeconds: 1 } as const,
};

const plan = (options: Partial<LoadOptions> & { readonly shape: string }) =>
  planLoad(basis, {
    stepSeconds: 60,
    warmupSeconds: 20,
    requestTimeoutSeconds: 30,
    seed: 7,
    usersPerSecond: 10,
    ...options,
  });

const loadsOf = (drivers: readonly Driver[]) =>
  drivers.map((driver) => (driver.kind === 'closed' ? driver.users : driver.arrivalRatePerSecond));

const goal = { text: '', metric: 'p95', comparison: '<=', limit: 0.1 } as const;
const rates = { loadKind: 'arrivalRatePerSecond' } as const;
const CASES: readonly {
  readonly name: string;
  readonly options: Partial<LoadOptions> & { readonly shape: string };
  readonly loads: readonly number[];
  readonly kind: Driver['kind'];
  readonly thinks: boolean;
  readonly peak: number;
}[] = [
  {
    name: 'steps',
    options: { shape: 'steps' },
    loads: [1, 5, 10, 20, 30, 40, 50, 60],
    kind: 'closed',
    thinks: true,
    peak: 40,
  },
  {
    name: 'a sweep',
    options: { shape: 'sweep' },
    loads: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    kind: 'closed',
    thinks: false,
    peak: 256,
  },
  {
    name: 'a sweep of given workers',
    options: { shape: 'sweep', loads: [3, 6] },
    loads: [3, 6],
    kind: 'closed',
    thinks: false,
    peak: 6,
  },
  {
    name: 'a rate ladder with the loads of targets that count arrivals',
    options: {
      shape: 'rate',
      loads: [50, 100],
      targets: [
        { ...goal, load: 70, loadKind: 'arrivalRatePerSecond' },
        { ...goal, load: 80 },
      ],
    },
    loads: [50, 70, 80, 100],
    kind: 'open',
    thinks: false,
    peak: 100,
  },
  {
    name: 'a ramp of rates',
    options: { shape: 'ramp', loads: [5] },
    loads: [0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5],
    kind: 'open',
    thinks: false,
    peak: 5,
  },
  {
    name: "a ramp of the log's users",
    options: { shape: 'ramp', loadKind: 'users' },
    loads: [4, 8, 12, 16, 20, 24, 28, 32, 36, 40],
    kind: 'closed',
    thinks: true,
    peak: 40,
  },
  {
    name: "a soak of the log's users",
    options: { shape: 'soak' },
    loads: Array.from({ length: 10 }, () => 40),
    kind: 'closed',
    thinks: true,
    peak: 40,
  },
  {
    name: 'a spike of rates',
    options: { shape: 'spike', ...rates, loads: [20, 90] },
    loads: [20, 90, 20],
    kind: 'open',
    thinks: false,
    peak: 90,
  },
];

for (const { name, options, loads, kind, thinks, peak } of CASES) {
  test(`${name} makes the steps ${loads.join(', ')}`, () => {
    const { plan: made, peakLoad } = plan(options);
    assert.deepEqual(loadsOf(made.steps.map((step) => step.driver)), loads);
    assert.deepEqual(
      made.steps.map((step) => step.index),
      loads.map((_, i) => i),
    );
    assert.ok(made.steps.every((step) => step.driver.kind === kind && step.measureSeconds >= 1));
    assert.equal(made.thinkTimeSeconds !== undefined, thinks);
    assert.equal(made.usersPerSecond !== undefined, thinks);
    assert.equal(peakLoad, peak);
  });
}

test('a soak warms up once and measures the rest in ten equal windows', () => {
  const { steps } = plan({ shape: 'soak', stepSeconds: 620 }).plan;
  assert.deepEqual(
    steps.map((step) => step.warmupSeconds),
    [20, ...Array.from({ length: 9 }, () => 0)],
  );
  assert.ok(steps.every((step) => step.measureSeconds === 60));
});

test('the burst of a spike and what follows it have no warm-up: nothing of the drain goes unmeasured', () => {
  const { steps } = plan({ shape: 'spike', ...rates, loads: [20, 90] }).plan;
  assert.deepEqual(
    steps.map((step) => [step.label, step.warmupSeconds, step.measureSeconds]),
    [
      ['base: 20/s', 20, 40],
      ['burst: 90/s', 0, 60],
      ['after: 20/s', 0, 60],
    ],
  );
});

test('open steps carry how arrivals are spaced and how many may be unanswered', () => {
  const { steps } = plan({ shape: 'rate', loads: [50], arrivals: 'constant', maxInFlight: 9 }).plan;
  assert.deepEqual(steps[0]!.driver, {
    kind: 'open',
    arrivalRatePerSecond: 50,
    arrivals: 'constant',
    maxInFlight: 9,
  });
});

test('the smoke test of a ladder is its peak alone', () => {
  assert.deepEqual(
    loadsOf(plan({ shape: 'steps', peakOnly: true }).plan.steps.map((step) => step.driver)),
    [40],
  );
});

const REFUSED: readonly [
  name: string,
  options: Partial<LoadOptions> & { readonly shape: string },
  why: RegExp,
][] = [
  ['an unknown shape', { shape: 'stairs' }, /no load shape "stairs"/],
  ['users for a sweep', { shape: 'sweep', loadKind: 'users', loads: [3] }, /sweep does not vary --users/],
  ['a rate ladder without rates', { shape: 'rate' }, /must be given its loads/],
  ['a spike of one load', { shape: 'spike', ...rates, loads: [20] }, /takes 2 loads, not 1/],
  ['a soak of two loads', { shape: 'soak', loads: [20, 30] }, /takes 1 load, not 2/],
  ['a burst below its base', { shape: 'spike', ...rates, loads: [20, 10] }, /no more than the base/],
  [
    'a ramp too short to measure its rungs',
    { shape: 'ramp', loads: [20], stepSeconds: 10 },
    /at least 1 s is needed/,
  ],
];

for (const [name, options, why] of REFUSED) {
  test(`${name} is refused with the reason`, () => assert.throws(() => plan(options), why));
}

test('every shape says what it is for and what it varies', () => {
  for (const shape of LOAD_SHAPES) {
    assert.ok(shape.summary.length > 20, shape.name);
    assert.ok(shape.loadKinds.length > 0, shape.name);
  }
});

test('a URL is one request: its path is the route, its query goes along, a body makes it a POST of that body', () => {
  const [request] = basisOfUrl(
    { pathname: '/find', search: '?q=x' },
    { method: 'POST', body: '{}' },
  ).requests;
  assert.deepEqual([request!.id, request!.route, request!.body], ['POST /find', '/find', '{}']);
  assert.deepEqual(request!.targets.targets, ['/find?q=x']);
});
