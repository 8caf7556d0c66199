import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closedStep, request, simulatePlan } from '../../test/support/simulate.ts';
import { near } from '../../test/support/truth.ts';
import type { IsolatedRoute, Isolation, StepRow } from '../model/analysis.ts';
import type { SimulatedService, Visit } from '../model/simulation.ts';
import { stepRow } from '../../test/support/step-rows.ts';
import { basisOfIsolation, basisOfLowestStep } from './demand-basis.ts';
import { predictCurve } from './predict.ts';
import { withPoolOfPlateau } from './run-basis.ts';
import { stepTable } from './step-table.ts';
import { applyWhatIf } from './what-if.ts';

interface Alone {
  readonly route: string;
  readonly share: number;
  readonly cpu: number;
  readonly elsewhere?: number;
}

function isolation(routes: readonly Alone[], serverCount = 1): Isolation {
  const mixDemandSeconds = routes.reduce((sum, { share, cpu }) => sum + share * cpu, 0);
  return {
    routes: routes.map(({ route, share, cpu, elsewhere = 0 }): IsolatedRoute => ({
      route,
      requestClassId: `GET ${route}`,
      shareRatio: share,
      users: 1,
      completionCount: 1000,
      throughputPerSecond: 1,
      windowSeconds: 1000,
      utilizationRatio: 0.1,
      serviceDemandSeconds: cpu,
      p50Seconds: cpu + elsewhere,
      p95Seconds: cpu + elsewhere,
      errorCount: 0,
      shareOfWorkRatio: (share * cpu) / mixDemandSeconds,
    })),
    demandRatio: 1,
    mixDemandSeconds,
    serverCount,
    notices: [],
  };
}

/** The same stations on the virtual clock: 300 s a step, constant service. */
function simulated(
  routes: readonly Alone[],
  loads: readonly number[],
  { cores = 1, pool, think = true }: { cores?: number; pool?: number; think?: boolean },
): readonly StepRow[] {
  const visit = (station: string, meanSeconds: number, cpuRatio: number): Visit[] =>
    meanSeconds === 0 ? [] : [{ station, service: { kind: 'constant', meanSeconds }, cpuRatio }];
  const service: SimulatedService = {
    stations: [
      { name: 'cpu', serverCount: cores },
      { name: 'other', ...(pool === undefined ? {} : { serverCount: pool }) },
    ],
    visits: Object.fromEntries(
      routes.map(({ route, cpu, elsewhere = 0 }) => [
        `GET ${route}`,
        [...visit('cpu', cpu, 1), ...visit('other', elsewhere, 0)],
      ]),
    ),
  };
  const { measurements } = simulatePlan(
    {
      seed: 11,
      shape: 'steps',
      requests: routes.map(({ route, share }) => request(route, share)),
      ...(think
        ? { thinkTimeSeconds: { kind: 'uniform', meanSeconds: 2, minSeconds: 1, maxSeconds: 3 } as const }
        : {}),
      requestTimeoutSeconds: 600,
      steps: loads.map((users, i) => closedStep(i, users, 30, 300)),
    },
    service,
    cores,
  );
  return stepTable(measurements, { serverCount: cores });
}

const CATALOGUE: readonly Alone[] = [
  { route: '/books/[id]', share: 0.92, cpu: 0.0005 },
  { route: '/search', share: 0.08, cpu: 0.09 },
];
const POOLED: readonly Alone[] = [{ route: '/work', share: 1, cpu: 0.001, elsewhere: 0.1 }];
const CASES = [
  { title: 'a fast route behind a slow one on one lane', routes: CATALOGUE, loads: [25, 200, 320] },
  { title: 'four cores', routes: CATALOGUE, loads: [100, 900], cores: 4 },
  {
    title: 'a pool of eight, without think time',
    routes: POOLED,
    loads: [1, 4, 8, 16, 32],
    pool: 8,
    think: false,
  },
];

for (const { title, routes, loads, ...setup } of CASES) {
  test(`predicted against the virtual clock: ${title}`, () => {
    const measured = simulated(routes, loads, setup);
    const basis = basisOfIsolation(isolation(routes, setup.cores));
    const curve = predictCurve(setup.pool === undefined ? basis : { ...basis, poolSize: setup.pool }, {
      thinkTimeSeconds: setup.think === false ? 0 : 2,
      measured,
    });
    assert.equal(curve.error!.stepCount, loads.length);
    for (const step of curve.steps) {
      const at = `${title}, ${step.users} users`;
      near(step.throughputPerSecond, step.measured!.throughputPerSecond, 0.05, `X, ${at}`);
      if (step.users < 0.95 * curve.saturationUsers)
        near(step.responseTimeSeconds, step.measured!.responseTimeSeconds!, 0.3, `R, ${at}`);
      for (const { route } of routes) {
        const mean = measured.find(({ users, concurrency }) => (users ?? concurrency) === step.users)!
          .byRoute[route]!.meanSeconds!;
        if (step.users < 0.8 * curve.saturationUsers) near(step.byRoute[route], mean, 0.3, `${route}, ${at}`);
      }
    }
  });
}

test('limits, saturation and bottleneck follow from the demands', () => {
  const prediction = predictCurve(
    { ...basisOfIsolation(isolation(POOLED)), poolSize: 8 },
    { thinkTimeSeconds: 1 },
  );
  assert.equal(prediction.bottleneck, 'pool');
  near(prediction.throughputLimitPerSecond, 80, 1e-12, 'm/D');
  near(prediction.saturationUsers, (0.101 + 1) * 80, 1e-12, 'N*');
  assert.equal(prediction.steps[0]!.users, 1);
  near(prediction.steps[0]!.throughputPerSecond, 1 / 1.101, 1e-12, 'X(1) = 1/(D + Z)');
  near(prediction.steps.at(-1)!.utilizationRatio['pool'], 1, 1e-3, 'the pool at 2 N*');
});

test('what-if changes demands and sizes, in order', () => {
  const basis = basisOfIsolation(
    isolation([...CATALOGUE, ...POOLED.map((one) => ({ ...one, share: 0.01 }))]),
  );
  const changed = applyWhatIf(basis, ['D(/search)*0.5', 'D(/books/[id])=2ms', 'cores=2', 'pool=16']);
  near(changed.routes[1]!.cpuSeconds, 0.045, 1e-12, 'scaled');
  near(changed.routes[0]!.cpuSeconds, 0.002, 1e-12, 'set');
  assert.equal(changed.coreCount, 2);
  assert.equal(changed.poolSize, 16);
});

test('the time outside the CPU is scaled or set, and the CPU demand left alone', () => {
  const basis = basisOfIsolation(isolation(POOLED));
  const [scaled] = applyWhatIf(basis, ['wait(/work)*0.25']).routes;
  near(scaled!.elsewhereSeconds, 0.025, 1e-12, 'scaled');
  near(scaled!.cpuSeconds, 0.001, 1e-12, 'CPU');
  near(applyWhatIf(basis, ['wait(/work)=2ms']).routes[0]!.elsewhereSeconds, 0.002, 1e-12, 'set');
  const places = { ...basis, poolSize: 8 };
  near(
    predictCurve(places, { thinkTimeSeconds: 0, whatIf: ['wait(/work)*0.25'] }).throughputLimitPerSecond,
    320,
    1e-9,
    'm/S of the pool',
  );
});

test('a change that cannot be predicted is refused with what can', () => {
  const basis = basisOfIsolation(isolation(CATALOGUE));
  const refused = [
    'cores=0',
    'threads=4',
    'D(/search)/2',
    'D(/nowhere)*2',
    'pool=16',
    'D(/search)=2',
    'wait(/search)*0.5',
    'wait(/nowhere)=2ms',
    'hold(/search)=2ms',
  ];
  for (const text of refused)
    assert.throws(() => applyWhatIf(basis, [text]), { code: 'option-invalid', where: '--what-if' }, text);
});

test('under a what-if what was measured without it stands beside the prediction', () => {
  const measured = simulated(CATALOGUE, [25], {});
  const { steps, error } = predictCurve(basisOfIsolation(isolation(CATALOGUE)), {
    thinkTimeSeconds: 2,
    measured,
    whatIf: ['D(/search)*0.02'],
  });
  assert.equal(steps[0]!.measured?.throughputPerSecond, measured[0]!.throughputPerSecond);
  assert.equal(error?.stepCount, 1);
});

test('a plateau below what the CPU carries is taken for a pool of as many places as were busy, and said', () => {
  const route = { route: '/', shareRatio: 1, cpuSeconds: 0.002, elsewhereSeconds: 0.1, squaredVariation: 0 };
  const basis = { basis: 'isolated routes', routes: [route], coreCount: 2, notices: [] };
  const knee = {
    seen: true,
    reason: 'X levels off',
    capacityPerSecond: 79,
    capacitySource: 'plateau' as const,
  };
  const { poolSize, notices } = withPoolOfPlateau(basis, { knee, steps: [] });
  assert.equal(poolSize, 8);
  assert.match(notices[0]!.message, /CPU at 7.9 %.*pool of 8/);
  const cases = [
    { title: 'no knee', basis, knee: { seen: false, reason: 'straight' } },
    { title: 'the CPU is full', basis, knee: { ...knee, capacityPerSecond: 900 } },
    { title: 'a pool is known', basis: { ...basis, poolSize: 4 }, knee },
    { title: 'the machine is full', basis, knee, steps: [stepRow({ machineCpuRatio: 0.97 })] },
  ];
  for (const one of cases)
    assert.equal(withPoolOfPlateau(one.basis, { steps: [], ...one }), one.basis, one.title);
});

test('without isolated routes the mix of the lowest step is the basis, and says so', () => {
  const measured = simulated(CATALOGUE, [10, 200], {});
  const basis = basisOfLowestStep(measured);
  assert.equal(basis.notices[0]!.code, 'mix-as-one-route');
  near(
    basis.routes[0]!.cpuSeconds,
    0.92 * 0.0005 + 0.08 * 0.09,
    0.27,
    'D of the mix: 3/√(1500·0.08) is the sampling error of the slow share',
  );
  assert.throws(() => basisOfLowestStep([]), { code: 'run-invalid' });
});

test('a workload gives the mix; routes that were not isolated are named', () => {
  const basis = basisOfIsolation(
    isolation(CATALOGUE),
    new Map([
      ['/search', 0.3],
      ['/books/[id]', 0.3],
      ['/new', 0.4],
    ]),
  );
  assert.deepEqual(
    basis.routes.map(({ shareRatio }) => shareRatio),
    [0.5, 0.5],
  );
  assert.match(basis.notices[0]!.message, /\/new/);
  assert.throws(() => basisOfIsolation(isolation(CATALOGUE), new Map([['/new', 1]])), {
    code: 'workload-invalid',
  });
});
