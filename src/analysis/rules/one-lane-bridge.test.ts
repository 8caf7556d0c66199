import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diagnosisInput } from '../../../test/support/diagnosis-input.ts';
import { simulateLane } from '../../../test/support/lane-simulation.ts';
import type { LaneSimulation, SimulatedRoute } from '../../../test/support/lane-simulation.ts';
import { stepMeasurement } from '../../../test/support/step-measurement.ts';
import { publishedRows, stepRow } from '../../../test/support/step-rows.ts';
import type { Finding, IsolatedRoute, Isolation } from '../../model/analysis.ts';
import type { HistogramData } from '../../model/histogram.ts';
import { Histogram } from '../../stats/histogram.ts';
import { oneLaneBridge } from './one-lane-bridge.ts';
import type { DiagnosisInput } from './rule.ts';

const SEEDS = [1, 2, 3, 4, 5];
const USERS = [25, 50, 100, 150];

/** A ladder of the worked case's size: one request every two seconds a user, a minute a step. */
function ladder(
  routes: readonly SimulatedRoute[],
  seed: number,
  more: Partial<LaneSimulation> = {},
  users: readonly number[] = USERS,
): DiagnosisInput {
  const steps = users.map((n, index) =>
    simulateLane(index, n, {
      routes,
      arrivalRatePerSecond: n / 2,
      seconds: 60,
      seed: 100 * seed + index,
      ...more,
    }),
  );
  return diagnosisInput(
    steps.map(({ row }) => row),
    { measurements: steps.map(({ measurement }) => measurement) },
  );
}

const tableOnly = (input: DiagnosisInput): DiagnosisInput => ({ ...input, measurements: [] });

/** Names drawn from the seed: no rule may know a route's name. */
const nameOf = (seed: number, which: string): string =>
  `/${((seed * 7919 + which.length) % 9973).toString(36)}/${which}`;

const fastRoute = (seed: number): SimulatedRoute => ({
  route: nameOf(seed, 'q'),
  shareRatio: 0.75,
  cpuSeconds: 0.0005,
});
const slowRoute = (seed: number, fields: Partial<SimulatedRoute> = {}): SimulatedRoute => ({
  route: nameOf(seed, 'zz'),
  shareRatio: 0.25,
  cpuSeconds: 0.031,
  ...fields,
});

const examine = (input: DiagnosisInput): readonly Finding[] => oneLaneBridge.examine(input);

test('a slow route on the only lane is found by requests behind it, whatever the names', () => {
  for (const seed of SEEDS) {
    const findings = examine(ladder([fastRoute(seed), slowRoute(seed)], seed));
    assert.equal(findings.length, 1, `seed ${seed}`);
    assert.equal(findings[0]!.route, slowRoute(seed).route);
    assert.equal(findings[0]!.confidence, 'high');
    assert.ok(findings[0]!.evidence.some(({ quantity }) => quantity === 'delayedShareRatio'));
  }
});

test('the table alone carries it with medium confidence and the experiment that would decide', () => {
  for (const seed of SEEDS) {
    const findings = examine(tableOnly(ladder([fastRoute(seed), slowRoute(seed)], seed)));
    assert.equal(findings.length, 1, `seed ${seed}`);
    assert.equal(findings[0]!.route, slowRoute(seed).route);
    assert.equal(findings[0]!.confidence, 'medium');
    assert.match(findings[0]!.nextExperiment!, /shipload isolate/);
  }
});

const INNOCENT: readonly (readonly [string, (seed: number) => DiagnosisInput])[] = [
  [
    'an asynchronous slow route',
    (seed) => ladder([fastRoute(seed), slowRoute(seed, { cpuSeconds: 0.0005, waitSeconds: 0.04 })], seed),
  ],
  [
    'an asynchronous slow route under pauses that hit all routes alike',
    (seed) =>
      ladder([fastRoute(seed), slowRoute(seed, { cpuSeconds: 0.0005, waitSeconds: 0.04 })], seed, {
        pauses: { everySeconds: 0.5, lengthSeconds: 0.05 },
      }),
  ],
  [
    'two fast routes under pauses',
    (seed) =>
      ladder([fastRoute(seed), slowRoute(seed, { cpuSeconds: 0.0007 })], seed, {
        pauses: { everySeconds: 1, lengthSeconds: 0.1 },
      }),
  ],
  [
    'frequent short pauses over an asynchronous slow route',
    (seed) =>
      ladder([fastRoute(seed), slowRoute(seed, { cpuSeconds: 0.0005, waitSeconds: 0.04 })], seed, {
        pauses: { everySeconds: 0.2, lengthSeconds: 0.03 },
      }),
  ],
  [
    'pauses far longer than the slower route, which does hold the lane for its 4 ms',
    (seed) =>
      ladder([fastRoute(seed), slowRoute(seed, { cpuSeconds: 0.004 })], seed, {
        pauses: { everySeconds: 0.5, lengthSeconds: 0.05 },
      }),
  ],
  [
    'a slow route that is too rare to move a p95',
    (seed) =>
      ladder(
        [{ ...fastRoute(seed), shareRatio: 0.98 }, slowRoute(seed, { shareRatio: 0.02 })],
        seed,
        {},
        [50, 100],
      ),
  ],
  [
    'two routes that are equally slow',
    (seed) => ladder([{ ...fastRoute(seed), cpuSeconds: 0.02 }, slowRoute(seed)], seed, {}, [10, 20, 40, 60]),
  ],
  [
    'a slow route on one of four lanes',
    (seed) => ladder([fastRoute(seed), slowRoute(seed)], seed, { laneCount: 4 }, [25, 50, 100, 200]),
  ],
  [
    'queueing on four busy lanes',
    (seed) => ladder([fastRoute(seed), slowRoute(seed)], seed, { laneCount: 4 }, [800, 1000]),
  ],
  ['one fast route alone', (seed) => ladder([{ ...fastRoute(seed), shareRatio: 1 }], seed)],
];

for (const [title, make] of INNOCENT) {
  test(`not found: ${title}`, () => {
    for (const seed of SEEDS) {
      const input = make(seed);
      assert.deepEqual(examine(input), [], `seed ${seed}`);
      assert.deepEqual(examine(tableOnly(input)), [], `table only, seed ${seed}`);
    }
  });
}

test('a bystander that waits elsewhere is not blamed for the route that blocks', () => {
  for (const seed of SEEDS) {
    const bystander = { route: '/bystander', shareRatio: 0.25, cpuSeconds: 0.0005, waitSeconds: 0.04 };
    const input = ladder([fastRoute(seed), slowRoute(seed), bystander], seed);
    assert.deepEqual(
      examine(input).map(({ route }) => route),
      [slowRoute(seed).route],
      `seed ${seed}`,
    );
  }
});

test('two routes that both block are both named', () => {
  const second = { route: '/report', shareRatio: 0.1, cpuSeconds: 0.05 };
  for (const seed of SEEDS) {
    const routes = examine(
      ladder([fastRoute(seed), slowRoute(seed, { shareRatio: 0.15 }), second], seed),
    ).map(({ route }) => route);
    assert.deepEqual(new Set(routes), new Set(['/report', slowRoute(seed).route]), `seed ${seed}`);
    assert.equal(routes.length, 2);
  }
});

/** Two synchronous routes of 30 and 40 ms beside a fast one: each delays requests that miss the other. */
const twoBlocking = (more: readonly SimulatedRoute[] = []): readonly SimulatedRoute[] => [
  { route: '/fast', shareRatio: 0.6, cpuSeconds: 0.0005 },
  { route: '/a', shareRatio: 0.2, cpuSeconds: 0.03 },
  { route: '/b', shareRatio: 0.2, cpuSeconds: 0.04 },
  ...more,
];

const ASYNCHRONOUS = { route: '/elsewhere', shareRatio: 0.3, cpuSeconds: 0.0005, waitSeconds: 0.05 };

const LADDERS = [[80, 90], [20, 40, 60, 80, 90], [90]];

test('two blocking routes that mask each other are both found, and a bystander of theirs is not', () => {
  for (const seed of [1, 2, 3]) {
    for (const users of LADDERS) {
      for (const bystanders of [[], [ASYNCHRONOUS]]) {
        const findings = examine(ladder(twoBlocking(bystanders), seed, {}, users));
        const routes = findings.map(({ route }) => route);
        assert.deepEqual(new Set(routes), new Set(['/a', '/b']), `seed ${seed}, ${users.join()} users`);
        assert.equal(routes.length, 2);
        // A step of 20 users has too few requests behind one route to take the other's share off.
        const expected = users[0] === 20 ? /high|medium/ : /high/;
        for (const { confidence } of findings) assert.match(confidence, expected, `seed ${seed}`);
      }
    }
  }
});

test('a blocking route’s neighbours that wait elsewhere stay innocent up to 70 % utilisation', () => {
  const other = { ...ASYNCHRONOUS, route: '/far', waitSeconds: 0.02 };
  for (const seed of [1, 2]) {
    for (const laneCount of [1, 2]) {
      const users = [100, 165].map((n) => n * laneCount);
      const input = ladder(
        [fastRoute(seed), slowRoute(seed), ASYNCHRONOUS, other],
        seed,
        { laneCount },
        users,
      );
      for (const { route } of examine(input)) assert.equal(route, slowRoute(seed).route, `seed ${seed}`);
    }
  }
});

test('a lane that is held without CPU, by a blocking wait, is found by the requests behind it', () => {
  for (const seed of SEEDS) {
    const input = ladder([fastRoute(seed), slowRoute(seed)], seed);
    const rows = input.rows.map((row) => ({ ...row, utilizationRatio: { cpu: 0.02 } }));
    assert.equal(examine({ ...input, rows })[0]!.confidence, 'high', `seed ${seed}`);
    assert.deepEqual(examine({ ...input, rows, measurements: [] }), [], `table only, seed ${seed}`);
  }
});

const histogramOf = (times: readonly (readonly [count: number, seconds: number])[]): HistogramData => {
  const histogram = new Histogram();
  for (const [count, seconds] of times) for (let i = 0; i < count; i += 1) histogram.record(seconds);
  return histogram.toData();
};

/** Two steps of a 1 ms route beside one of 40 ms, of which each says what its requests behind the other met. */
function beside(withOther: readonly (readonly [count: number, seconds: number])[]): DiagnosisInput {
  const steps = [10, 20].map((users, index) => {
    const row = stepRow({
      index,
      users,
      byRoute: {
        '/fast': { p50Seconds: 0.001, p95Seconds: 0.03, throughputPerSecond: 5 },
        '/slow': { p50Seconds: 0.04, p95Seconds: 0.05, throughputPerSecond: 5 },
      },
      utilizationRatio: { cpu: 0.2 },
      serverCount: { cpu: 1 },
    });
    const withoutOther = histogramOf([
      [380, 0.001],
      [20, 0.03],
    ]);
    const interference = [
      { route: '/fast', otherRoute: '/slow', withOther: histogramOf(withOther), withoutOther },
    ];
    return { row, measurement: stepMeasurement(index, { interference }) };
  });
  return diagnosisInput(
    steps.map(({ row }) => row),
    { measurements: steps.map(({ measurement }) => measurement) },
  );
}

const BEHIND: readonly (readonly [
  title: string,
  withOther: readonly (readonly [count: number, seconds: number])[],
  confidence: string | undefined,
])[] = [
  [
    'sixteen requests in all are no evidence',
    [
      [3, 0.001],
      [5, 0.021],
    ],
    'low',
  ],
  [
    'twenty-four are some',
    [
      [3, 0.001],
      [9, 0.021],
    ],
    'medium',
  ],
  [
    'fifty are solid',
    [
      [5, 0.001],
      [20, 0.021],
    ],
    'high',
  ],
  [
    'a busy machine adds less than a residual of the slow route',
    [
      [10, 0.001],
      [90, 0.0065],
    ],
    undefined,
  ],
  [
    'half are held up, as on a machine of two cores',
    [
      [45, 0.001],
      [55, 0.021],
    ],
    undefined,
  ],
];

for (const [title, withOther, confidence] of BEHIND) {
  test(`requests behind a slow route: ${title}`, () => {
    const found = examine(beside(withOther)).map((finding) => finding.confidence);
    assert.deepEqual(found, confidence === undefined ? [] : [confidence]);
  });
}

test('a decisive isolation outranks requests that are held up also without the slow route', () => {
  const alone = isolation([
    { route: '/fast', p95Seconds: 0.002 },
    { route: '/slow', p50Seconds: 0.04, serviceDemandSeconds: 0.04 },
  ]);
  const masked = (held: number): DiagnosisInput => {
    const input = beside([
      [100 - held, 0.001],
      [held, 0.021],
    ]);
    const measurements = input.measurements.map((measurement) => ({
      ...measurement,
      interference: measurement.interference.map((split) => ({
        ...split,
        withoutOther: histogramOf([
          [60, 0.001],
          [40, 0.03],
        ]),
      })),
    }));
    return { ...input, measurements };
  };
  assert.deepEqual(examine(masked(90)), []);
  assert.equal(examine({ ...masked(90), isolation: alone })[0]!.confidence, 'medium');
  // An asynchronous route beside one that blocks: no likelier to be behind a delay than any other.
  assert.deepEqual(examine({ ...masked(40), isolation: alone }), []);
});

test('what is called low utilisation is below 50 %; above, the words are others', () => {
  const rows = before.slice(3, 5).map((row) => ({ ...row, utilizationRatio: { cpu: 0.66 } }));
  const [finding] = examine(diagnosisInput(rows, { isolation: PUBLISHED_ISOLATION }));
  assert.match(finding!.claim, /holds up \/b below 70 % utilisation$/);
  for (const { text } of finding!.evidence) assert.doesNotMatch(text, /low utilisation/);
  assert.match(examine(diagnosisInput(before))[0]!.claim, /even at low utilisation$/);
});

function isolation(routes: readonly Partial<IsolatedRoute>[]): Isolation {
  const complete = routes.map((fields) => ({
    route: '/',
    requestClassId: '',
    shareRatio: 0.5,
    users: 10,
    completionCount: 1000,
    throughputPerSecond: 20,
    windowSeconds: 60,
    utilizationRatio: 0.1,
    serviceDemandSeconds: 0.001,
    p50Seconds: 0.001,
    p95Seconds: 0.001,
    errorCount: 0,
    shareOfWorkRatio: 0.5,
    ...fields,
  }));
  return { routes: complete, demandRatio: 1, mixDemandSeconds: 0.01, serverCount: 1, notices: [] };
}

const PUBLISHED_ISOLATION = isolation([
  { route: '/b', shareRatio: 0.75, serviceDemandSeconds: 0.00021, p95Seconds: 0.001 },
  { route: '/s', shareRatio: 0.25, serviceDemandSeconds: 0.0313, p50Seconds: 0.044, p95Seconds: 0.117 },
]);

const before = publishedRows('publishedBeforeFix', { fast: '/b', slow: '/s' });

test('the published table before the fix shows it, with medium confidence; isolated routes make it high', () => {
  const [finding] = examine(diagnosisInput(before));
  assert.equal(finding!.route, '/s');
  assert.equal(finding!.confidence, 'medium');
  assert.deepEqual(
    finding!.evidence.map(({ stepIndex }) => stepIndex),
    [1, 2, 3, 4],
  );
  assert.match(finding!.counterEvidence[0]!.text, /at 1 user: too idle to explain it/);
  const [isolated] = examine(diagnosisInput(before, { isolation: PUBLISHED_ISOLATION }));
  assert.equal(isolated!.confidence, 'high');
  assert.match(
    isolated!.evidence[0]!.text,
    /\/b without \/s: p95 1 ms, in the mix up to 48 ms at 50 users \(27 % busy\)/,
  );
});

test('the published table after the fix does not', () => {
  assert.deepEqual(examine(diagnosisInput(publishedRows('publishedAfterFix'))), []);
});

test('a p95 that stays when the slow route is left out has another cause', () => {
  const stays = isolation([
    { route: '/b', shareRatio: 0.75, p95Seconds: 0.04 },
    { route: '/s', shareRatio: 0.25, serviceDemandSeconds: 0.0313, p50Seconds: 0.044 },
  ]);
  assert.deepEqual(examine(diagnosisInput(before, { isolation: stays })), []);
});

test('a high p95 while the lane idles speaks against it', () => {
  const idle = { ...before[1]!, index: 9, utilizationRatio: { cpu: 0.01 } };
  const [finding] = examine(diagnosisInput([...before, idle]));
  assert.equal(finding!.confidence, 'low');
  assert.ok(finding!.counterEvidence.some(({ stepIndex }) => stepIndex === 9));
});

test('without CPU figures the routes’ own times tell which steps are light', () => {
  const input = ladder([fastRoute(1), slowRoute(1)], 1);
  const rows = input.rows.map((row) => ({ ...row, utilizationRatio: {} }));
  assert.equal(examine({ ...input, rows })[0]!.confidence, 'high');
});
