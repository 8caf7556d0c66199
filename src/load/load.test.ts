import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../stats/random.ts';
import { parseTarget } from '../verdict/parse-target.ts';
import { ladderOf } from './ladder.ts';
import { basisOfUrl } from './load-basis.ts';
import { planLoad } from './plan-load.ts';
import { RequestStream } from './request-stream.ts';
import { steps } from './shapes/steps.ts';

test('the ladder of M = 200 is 1, 25, 50, 100, 150, 200, 250, 300', () => {
  assert.deepEqual(ladderOf(200), [1, 25, 50, 100, 150, 200, 250, 300]);
  assert.deepEqual(ladderOf(199.7), ladderOf(200));
});

test('a target at a load that the plan does not count is refused, with what it could be instead', () => {
  const requests = basisOfUrl(new URL('http://h/'), { method: 'GET' }).requests;
  const plan = (loadKind: 'users' | 'concurrency', target: string, thinks: boolean) =>
    planLoad(
      { requests, notices: [] },
      {
        shape: 'steps',
        ...(loadKind === 'concurrency' && { shape: 'sweep' }),
        loadKind,
        loads: [1, 10],
        targets: [parseTarget(target)],
        stepSeconds: 60,
        warmupSeconds: 20,
        requestTimeoutSeconds: 30,
        seed: 7,
        ...(thinks && { thinkTime: { kind: 'constant', meanSeconds: 1 } as const }),
      },
    );
  const refused = { code: 'option-invalid', where: '--target' };
  assert.throws(() => plan('users', 'p95 <= 1 s at 10 users', false), {
    ...refused,
    hint: 'Say how users pause (--think 1s..3s), or judge it at 10 workers, or without a load of its own.',
  });
  assert.throws(() => plan('concurrency', 'p95 <= 1 s at 5 /s', false), refused);
  assert.throws(() => plan('users', 'p95 <= 1 s at 10 workers', true), refused);
  for (const target of ['p95 <= 1 s at 10 workers', 'p95 <= 1 s at 10', 'p95 <= 1 s'])
    assert.equal(plan('users', target, false).plan.steps.length, 2);
  assert.equal(plan('users', 'p95 <= 1 s at 10 users', true).plan.steps.length, 2);
});

test('small logs give short ladders that still hold M and one user', () => {
  assert.deepEqual(ladderOf(1), [1, 2]);
  assert.deepEqual(ladderOf(0.2), [1, 2]);
  assert.deepEqual(ladderOf(3), [1, 2, 3, 4, 5]);
});

test('a step measures what its warm-up leaves, and warm-up lasts at least as long as users join', () => {
  const options = {
    loadKind: 'users',
    stepSeconds: 60,
    warmupSeconds: 20,
    thinkTime: { kind: 'constant', meanSeconds: 2 },
  } as const;
  const plan = steps.plan({ ...options, loads: [1, 25, 2025], usersPerSecond: 50 });
  assert.deepEqual(
    plan.map((step) => [step.warmupSeconds, step.measureSeconds]),
    [
      [20, 40],
      [20, 40],
      [40, 20],
    ],
  );
  assert.deepEqual(plan[0]!.label, '1 user');
  assert.throws(() => steps.plan({ ...options, loads: [1, 5000], usersPerSecond: 50 }), /5000 users.*-/);
});

test('draws follow the weights of classes and of targets within five standard errors, and the seed alone', () => {
  const requests = [
    {
      id: 'GET /a',
      method: 'GET',
      route: '/a',
      shareRatio: 0.75,
      targets: { draw: 'counted', targets: ['/a?x=1', '/a?x=2'], counts: [9, 1], distinctCount: 2 },
    },
    {
      id: 'GET /b/[id]',
      method: 'GET',
      route: '/b/[id]',
      shareRatio: 0.25,
      targets: { draw: 'uniform', targets: ['/b/1', '/b/2', '/b/3', '/b/4'], distinctCount: 4 },
    },
  ] as const;
  const run = () => {
    const stream = new RequestStream(requests);
    const random = createRandom(9);
    const counts: Record<string, number> = {};
    for (let i = 0; i < 100_000; i += 1) {
      stream.draw(random);
      assert.ok(stream.target.startsWith(requests[stream.requestIndex]!.route.slice(0, 2)));
      counts[stream.target] = (counts[stream.target] ?? 0) + 1;
    }
    return counts;
  };
  const counts = run();
  assert.deepEqual(counts, run());
  const expected = {
    '/a?x=1': 0.675,
    '/a?x=2': 0.075,
    '/b/1': 0.0625,
    '/b/2': 0.0625,
    '/b/3': 0.0625,
    '/b/4': 0.0625,
  };
  for (const [target, p] of Object.entries(expected)) {
    assert.ok(Math.abs(counts[target]! / 100_000 - p) <= 5 * Math.sqrt((p * (1 - p)) / 100_000), target);
  }
});

test('a class without targets, or no weight at all, is refused', () => {
  const request = {
    id: 'x',
    method: 'GET',
    route: '/',
    shareRatio: 1,
    targets: { draw: 'uniform', targets: [], distinctCount: 0 },
  } as const;
  assert.throws(() => new RequestStream([request]), RangeError);
  assert.throws(() => new RequestStream([]), RangeError);
});
