import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileScenario } from './compile.ts';
import { get, post, scenario } from './define.ts';
import { stepsOfStages } from './stage-steps.ts';

const walk = async (): Promise<void> => {};

test('what is no scenario is refused with the field and, where one is near, the name that is meant', () => {
  const cases: readonly [unknown, RegExp, string][] = [
    [undefined, /exports no scenario/, 'default'],
    [{ journeys: { a: walk } }, /exports no scenario/, 'default'],
    [{ kind: 'scenario', journeys: {} }, /needs journeys/, 'journeys'],
    [{ kind: 'scenario', journies: {} }, /did you mean "journeys"/, 'scenario.journies'],
    [
      { kind: 'scenario', journeys: { a: { wieght: 1, run: walk } } },
      /did you mean "weight"/,
      'journeys.a.wieght',
    ],
    [
      { kind: 'scenario', journeys: { a: { weight: Number.NaN, run: walk } } },
      /NaN is no positive/,
      'journeys.a.weight',
    ],
    [
      { kind: 'scenario', journeys: { a: { weight: -1, run: walk } } },
      /-1 is no positive/,
      'journeys.a.weight',
    ],
    [
      { kind: 'scenario', journeys: { a: { weight: '3', run: walk } } },
      /3 is no positive/,
      'journeys.a.weight',
    ],
    [{ kind: 'scenario', journeys: { a: {} } }, /either run or requests/, 'journeys.a'],
    [{ kind: 'scenario', journeys: { a: 7 } }, /neither a function nor/, 'journeys.a'],
    [{ kind: 'scenario', journeys: { a: [] } }, /at least one request/, 'journeys.a'],
    [{ kind: 'scenario', journeys: { a: ['/x'] } }, /write get/, 'journeys.a.requests[0]'],
    [{ kind: 'scenario', thinkTime: 'soon', journeys: { a: walk } }, /"soon" is no think time/, 'thinkTime'],
    [
      { kind: 'scenario', journeys: { a: { thinkTime: null, run: walk } } },
      /null is no think time/,
      'journeys.a.thinkTime',
    ],
    [{ kind: 'scenario', load: null, journeys: { a: walk } }, /is null, not/, 'load'],
    [{ kind: 'scenario', load: { usres: 1 }, journeys: { a: walk } }, /mean "users"/, 'load.usres'],
    [
      { kind: 'scenario', load: { users: {} }, journeys: { a: walk } },
      /an object is no number/,
      'load.users',
    ],
    [{ kind: 'scenario', load: { step: [1] }, journeys: { a: walk } }, /a list is no duration/, 'load.step'],
    [{ kind: 'scenario', load: { stages: {} }, journeys: { a: walk } }, /list of stages/, 'load.stages'],
    [
      { kind: 'scenario', load: { rateStages: [{ duraton: 1, target: 1 }] }, journeys: { a: walk } },
      /mean "duration"/,
      'load.rateStages[0].duraton',
    ],
    [
      { kind: 'scenario', load: { stages: [{ duration: 1 }] }, journeys: { a: walk } },
      /needs its target/,
      'load.stages[0]',
    ],
    [
      { kind: 'scenario', load: { rate: 1, arrivals: 'posson' }, journeys: { a: walk } },
      /neither 'poisson' nor/,
      'load.arrivals',
    ],
    [{ kind: 'scenario', targets: 'p95 <= 1 s', journeys: { a: walk } }, /list of texts/, 'targets'],
    [{ kind: 'scenario', url: 5, journeys: { a: walk } }, /5 is no url/, 'url'],
    [{ kind: 'scenario', headers: { a: 1 }, journeys: { a: walk } }, /texts by name/, 'headers'],
    [{ kind: 'scenario', setup: 1, journeys: { a: walk } }, /no function/, 'setup'],
  ];
  for (const [spec, message, where] of cases)
    assert.throws(() => compileScenario(spec), { code: 'scenario-invalid', message, where });
});

test('a plain request that leaves the service is refused before anything is sent', () => {
  const away = scenario({ journeys: { a: [get('http://example.org/x')] } });
  assert.throws(() => compileScenario(away), { code: 'url-not-yours', where: 'journeys.a.requests[0]' });
});

test('plain requests become the classes of a plan, alike ones together, by how often they are sent', () => {
  const { requests, journeys } = compileScenario(
    scenario({
      headers: { 'X-Run': '1' },
      journeys: {
        read: { weight: 3, requests: [get('/books/1'), get('/books/2'), get('/')] },
        write: {
          weight: 1,
          requests: [post('/books', { json: { a: 1 } }), post('/books', { json: { a: 2 } })],
        },
      },
    }),
  );
  assert.deepEqual(
    requests.map(({ id, shareRatio, targets, body }) => [id, shareRatio, targets.targets, body]),
    [
      ['GET /books/[id]', 6 / 11, ['/books/1', '/books/2'], undefined],
      ['GET /', 3 / 11, ['/'], undefined],
      ['POST /books', 1 / 11, ['/books'], '{"a":1}'],
      ['POST /books (2)', 1 / 11, ['/books'], '{"a":2}'],
    ],
  );
  assert.ok(requests.every(({ headers }) => headers?.['X-Run'] === '1'));
  assert.deepEqual(
    journeys[0]!.plain!.map(({ requestIndex, target }) => [requestIndex, target]),
    [
      [0, '/books/1'],
      [0, '/books/2'],
      [1, '/'],
    ],
  );
});

test('stages become steps: one where the load holds, rungs along the line where it moves', () => {
  const open = { arrivals: 'constant', maxInFlight: 10 } as const;
  const steps = stepsOfStages(
    [
      { duration: '20s', target: 10 },
      { duration: 30, target: 10 },
      { duration: '4s', target: 0 },
    ],
    'users',
    open,
  );
  const users = steps.map(({ driver }) => (driver.kind === 'closed' ? driver.users : undefined));
  assert.deepEqual(users, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 5]);
  const seconds = steps.reduce((sum, step) => sum + step.warmupSeconds + step.measureSeconds, 0);
  // The last rung, of no users, is left out.
  assert.ok(Math.abs(seconds - 52) < 1e-9);
  assert.deepEqual(
    stepsOfStages([{ duration: 5, target: 0.5 }], 'rate', open).map((step) => step.label),
    ['0.25/s', '0.5/s'],
  );
  const jump = stepsOfStages(
    [
      { duration: 0, target: 5 },
      { duration: '10s', target: 5 },
    ],
    'users',
    open,
  );
  assert.deepEqual(
    jump.map(({ label, warmupSeconds, measureSeconds }) => [label, warmupSeconds + measureSeconds]),
    [['5 users', 10]],
  );
  assert.throws(() => stepsOfStages([{ duration: 'long', target: 1 }], 'rate', open), {
    where: 'load.rateStages[0].duration',
  });
  assert.throws(() => stepsOfStages([{ duration: 1, target: Number.NaN }], 'users', open), {
    where: 'load.stages[0].target',
  });
  assert.throws(() => stepsOfStages([{ duration: 1, target: 0 }], 'users', open), /ask for no load/);
});
