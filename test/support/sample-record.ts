/**
 * Run records for the tests of reports and schemas, built from published step tables of a book catalogue
 * (one-lane bridge before the fix, cached search after it) and of a pool of eight.
 */
import type {
  Analysis,
  Finding,
  Isolation,
  Knee,
  RemedyOption,
  RoutePercentiles,
  StepRow,
} from '../../src/model/analysis.ts';
import type { HistogramData } from '../../src/model/histogram.ts';
import type { LoadPlan, Step } from '../../src/model/load.ts';
import type { RouteMeasurement, ScenarioMeasurement, StepMeasurement } from '../../src/model/measurement.ts';
import type { Comparison, RunManifest, RunRecord } from '../../src/model/record.ts';
import type { Check, Target, Verdict } from '../../src/model/verdict.ts';
import type { RequestClass, WorkloadModel } from '../../src/model/workload.ts';
import { Histogram } from '../../src/stats/histogram.ts';
import { histogramOf } from './measurements.ts';

/** Users, X, U, p50 and p95 of the book and the search route in ms, machine %, load/core, generator U, RSS in MB. */
const BEFORE = [
  [1, 0.5, 0.01, 3, 44, 59, 61, 10, 0.19, 0.001, 111],
  [25, 12.2, 0.16, 2, 44, 51, 65, 9, 0.19, 0.014, 112],
  [50, 24.9, 0.27, 1, 48, 43, 80, 11, 0.16, 0.017, 113],
  [100, 49.5, 0.43, 1, 47, 38, 73, 12, 0.18, 0.02, 113],
  [150, 73.7, 0.55, 6, 64, 40, 90, 13, 0.18, 0.023, 114],
  [200, 97.9, 0.7, 22, 105, 54, 141, 15, 0.2, 0.028, 115],
  [250, 118.7, 0.9, 83, 263, 115, 281, 17, 0.2, 0.031, 116],
  [300, 131.7, 0.98, 226, 463, 243, 477, 16, 0.21, 0.034, 116],
] as const;
const AFTER = [
  [1, 0.5, 0, 1, 2, 1, 26, 9, 0.18, 0.001, 112],
  [100, 49.6, 0.03, 2, 3, 2, 4, 10, 0.18, 0.02, 114],
  [200, 100.2, 0.04, 1, 2, 1, 3, 10, 0.19, 0.028, 115],
  [300, 150.4, 0.03, 0.4, 1, 1, 1, 11, 0.2, 0.035, 116],
] as const;
/** Workers, X, p50 and p99 in seconds, CPU. */
const POOL = [
  [1, 181.6, 0.0055, 0.0056, 0.05],
  [2, 362.1, 0.0055, 0.0057, 0.09],
  [4, 724.7, 0.0055, 0.0058, 0.16],
  [8, 1452.7, 0.0055, 0.0058, 0.35],
  [16, 1544.4, 0.0103, 0.0155, 0.43],
  [32, 1544.8, 0.0206, 0.0363, 0.44],
  [64, 1543.4, 0.0413, 0.0775, 0.4],
  [128, 1542.1, 0.0828, 0.1605, 0.42],
  [256, 1537.3, 0.1657, 0.3275, 0.43],
] as const;

const WINDOW_SECONDS = 60;
const THINK_SECONDS = 2;

/** Names of the two routes, so that a test can put hostile ones in their place. */
export interface SampleNames {
  readonly book: string;
  readonly search: string;
}
const NAMES: SampleNames = { book: '/books/[id]', search: '/search' };

type Row = (typeof BEFORE)[number] | (typeof AFTER)[number];

const percentiles = (p50Ms: number, p95Ms: number, sampleCount: number): RoutePercentiles => ({
  p50Seconds: p50Ms / 1e3,
  p95Seconds: p95Ms / 1e3,
  p99Seconds: (p95Ms * 1.2) / 1e3,
  sampleCount,
});

function stepRow(row: Row, index: number, names: SampleNames): StepRow {
  const [users, x, cpu, bookP50, bookP95, searchP50, searchP95, machine, loadPerCore, generator, rss] = row;
  const completionCount = Math.round(x * WINDOW_SECONDS);
  const responseTimeSeconds = (0.75 * bookP50 + 0.25 * searchP50) / 1e3;
  return {
    index,
    users,
    windowSeconds: WINDOW_SECONDS,
    completionCount,
    throughputPerSecond: x,
    errorCount: 0,
    errorRatio: 0,
    responseTimeSeconds,
    overall: percentiles(bookP50, searchP95, completionCount),
    byRoute: Object.fromEntries([
      [names.book, percentiles(bookP50, bookP95, Math.round(0.75 * completionCount))],
      [names.search, percentiles(searchP50, searchP95, Math.round(0.25 * completionCount))],
    ]),
    thinkTimeSeconds: THINK_SECONDS,
    meanInFlight: x * responseTimeSeconds,
    busySeconds: { cpu: cpu * WINDOW_SECONDS },
    utilizationRatio: { cpu },
    serviceDemandSeconds: { cpu: cpu / x },
    serverCount: { cpu: 1 },
    littleResidualRatio: (x * (responseTimeSeconds + THINK_SECONDS) - users) / users,
    machineCpuRatio: machine / 100,
    loadPerCore,
    residentBytes: rss * 1e6,
    generator: { utilizationRatio: generator },
    valid: true,
    notices: [],
  };
}

function histogram(p50Seconds: number, p95Seconds: number): HistogramData {
  const recorder = new Histogram();
  for (let i = 0; i < 100; i += 1) recorder.record(i < 90 ? p50Seconds : p95Seconds);
  return recorder.toData();
}

const EMPTY = new Histogram().toData();

function routeMeasurement(route: string, timing: RoutePercentiles): RouteMeasurement {
  const times = histogram(timing.p50Seconds ?? 0, timing.p95Seconds ?? 0);
  const okCount = timing.sampleCount ?? 0;
  return {
    requestClassId: `GET ${route}`,
    route,
    sentCount: okCount,
    okCount,
    errorCount: 0,
    timeoutCount: 0,
    droppedCount: 0,
    receivedBytes: okCount * 512,
    responseTime: times,
    sendToReplyTime: times,
    failureTime: EMPTY,
  };
}

function measurement(row: StepRow, step: Step, startedAtSeconds: number): StepMeasurement {
  const byRoute = Object.entries(row.byRoute).map(([route, timing]) => routeMeasurement(route, timing));
  const times = histogram(row.overall.p50Seconds ?? 0, row.overall.p95Seconds ?? 0);
  return {
    step,
    startedAtSeconds,
    windowSeconds: WINDOW_SECONDS,
    completionCount: row.completionCount ?? 0,
    outcomeCounts: { ok: row.completionCount ?? 0, error: 0, timeout: 0, dropped: 0 },
    errorCodes: {},
    statusCounts: { '200': row.completionCount ?? 0 },
    responseTime: times,
    sendToReplyTime: times,
    byRoute,
    interference: [],
    meanInFlight: row.meanInFlight ?? 0,
    thinkTimeSeconds: THINK_SECONDS,
    retriedCount: 0,
    slices: [
      {
        atSeconds: startedAtSeconds,
        durationSeconds: 1,
        okCount: 1,
        errorCount: 0,
        timeoutCount: 0,
        meanInFlight: 0.1,
      },
    ],
    counters: [
      {
        source: 'process',
        quantity: 'cpuSeconds',
        unit: 'seconds',
        kind: 'cumulative',
        capacity: 1,
        points: [
          [startedAtSeconds, 0],
          [startedAtSeconds + WINDOW_SECONDS, row.busySeconds?.['cpu'] ?? 0],
        ],
      },
    ],
    generator: {
      cpuSeconds: 1,
      coreCount: 1,
      utilizationRatio: row.generator?.utilizationRatio ?? 0,
      scheduleLag: EMPTY,
      eventLoopDelayMaxSeconds: 0.004,
    },
    notices: [],
  };
}

function plan(rows: readonly Row[], names: SampleNames): LoadPlan {
  return {
    seed: 7,
    shape: 'steps',
    requests: [
      request(names.book, 0.75, ['/books/1', '/books/2'], 20000),
      request(names.search, 0.25, ['/search?q=history', '/search?q=poetry'], 10),
    ],
    thinkTimeSeconds: { kind: 'uniform', meanSeconds: 2, minSeconds: 1, maxSeconds: 3 },
    usersPerSecond: 50,
    requestTimeoutSeconds: 30,
    steps: rows.map(([users], index) => ({
      index,
      label: `${users} users`,
      driver: { kind: 'closed', users },
      warmupSeconds: 20,
      measureSeconds: WINDOW_SECONDS,
    })),
  };
}

const request = (route: string, shareRatio: number, targets: readonly string[], distinctCount: number) => ({
  id: `GET ${route}`,
  method: 'GET',
  route,
  shareRatio,
  targets: { draw: 'uniform' as const, targets, distinctCount },
});

function target(text: string, metric: Target['metric'], limit: number, route?: string): Target {
  const comparison = metric === 'errors' ? ('=' as const) : ('<=' as const);
  return { text, metric, comparison, limit, load: 200, ...(route === undefined ? {} : { route }) };
}

function targetsOf(names: SampleNames): readonly Target[] {
  return [
    target(`p95 of ${names.book} <= 100 ms at 200 users`, 'p95', 0.1, names.book),
    target(`p95 of ${names.search} <= 200 ms at 200 users`, 'p95', 0.2, names.search),
    target('errors = 0 at 200 users', 'errors', 0),
    target('cpu <= 70 % at 200 users', 'cpu', 0.7),
  ];
}

function manifest(label: string, rows: readonly Row[], names: SampleNames): RunManifest {
  return {
    kind: 'run',
    schemaVersion: 1,
    label,
    startedAt: '2025-03-01T10:00:00.000Z',
    state: 'completed',
    command: ['shipload', 'run', 'access.log', '--url', 'http://127.0.0.1:8080', '--label', label],
    plan: plan(rows, names),
    service: {
      url: 'http://127.0.0.1:8080',
      startCommand: 'node catalogue.js',
      serverCount: 1,
      serverCountSource: 'one thread carries 99 % of the CPU time',
      sameHost: true,
    },
    targets: targetsOf(names),
    marginRatio: 0.1,
    peakLoad: 200,
    environment: {
      shiploadVersion: '0.1.0',
      nodeVersion: 'v20.19.0',
      platform: 'linux x64',
      cpuModel: 'Example CPU at 3 GHz',
      machineCoreCount: 8,
      usableCoreCount: 8,
      memoryBytes: 16e9,
    },
  };
}

const KNEE_BEFORE: Knee = {
  seen: false,
  reason: 'the sweep ends where X is 89 % of the light-load line',
  lowerBound: 250,
  bend: [200, 250],
  peak: { load: 300, throughputPerSecond: 131.7, reached: false },
  capacityPerSecond: 134.4,
  capacitySource: 'asymptote',
  planForPerSecond: 94.1,
  operatingBand: [137, 192],
};

const KNEE_AFTER: Knee = {
  seen: false,
  reason: 'X is on the light-load line up to the last step',
  lowerBound: 300,
  peak: { load: 300, throughputPerSecond: 150.4, reached: false },
};

function findingsOf(names: SampleNames): readonly Finding[] {
  return [
    {
      ruleId: 'one-lane-bridge',
      claim: `${names.search} holds the event loop, and ${names.book} waits behind it`,
      confidence: 'high',
      resource: 'cpu',
      route: names.search,
      evidence: [
        {
          stepIndex: 5,
          quantity: 'p95Seconds',
          value: 0.105,
          unit: 'seconds',
          text: `p95 of ${names.book} is 105 ms at 200 users, 1 ms when it runs alone`,
        },
        {
          stepIndex: 7,
          quantity: 'utilizationRatio.cpu',
          value: 0.98,
          unit: 'ratio',
          text: 'one core is 98 % busy at 300 users while the machine shows 16 %',
        },
      ],
      counterEvidence: [
        {
          stepIndex: 0,
          quantity: 'p95Seconds',
          value: 0.044,
          unit: 'seconds',
          text: `p95 of ${names.book} is 44 ms with one user, where nothing can queue`,
        },
      ],
      nextExperiment: `run the mix without ${names.search}: the p95 of ${names.book} should fall to that of the route alone`,
    },
  ];
}

function checksBefore(names: SampleNames): readonly Check[] {
  const [book, search, errors, cpu] = targetsOf(names) as [Target, Target, Target, Target];
  return [
    {
      target: book,
      observed: 0.105,
      interval: [0.101, 0.109],
      neededForPass: 0.09,
      stepIndex: 5,
      result: 'fail',
      reason: '105 ms is above the limit of 100 ms',
    },
    {
      target: search,
      observed: 0.141,
      interval: [0.133, 0.15],
      neededForPass: 0.18,
      stepIndex: 5,
      result: 'pass',
      reason: '141 ms is within 180 ms',
    },
    {
      target: errors,
      observed: 0,
      neededForPass: 0,
      stepIndex: 5,
      result: 'pass',
      reason: 'no request failed',
    },
    {
      target: cpu,
      observed: 0.7,
      neededForPass: 0.63,
      stepIndex: 5,
      result: 'no-margin',
      reason: '70 % is at the limit; a margin of 10 % needs 63 %',
    },
  ];
}

function checksAfter(names: SampleNames): readonly Check[] {
  const [book, search, errors, cpu] = targetsOf(names) as [Target, Target, Target, Target];
  return [
    {
      target: book,
      observed: 0.002,
      neededForPass: 0.09,
      stepIndex: 2,
      result: 'pass',
      reason: '2 ms is within 90 ms',
    },
    {
      target: search,
      observed: 0.003,
      neededForPass: 0.18,
      stepIndex: 2,
      result: 'pass',
      reason: '3 ms is within 180 ms',
    },
    {
      target: errors,
      observed: 0,
      neededForPass: 0,
      stepIndex: 2,
      result: 'pass',
      reason: 'no request failed',
    },
    {
      target: cpu,
      observed: 0.04,
      neededForPass: 0.63,
      stepIndex: 2,
      result: 'pass',
      reason: '4 % is within 63 %',
    },
  ];
}

const LIMITS: readonly string[] = [
  'The generator ran on the same host over loopback: no network, no TLS. Demands carry over, response times are a lower bound.',
  'One run: differences below about 5 % are not shown by it.',
];

function optionsOf(names: SampleNames): readonly RemedyOption[] {
  const option = (
    id: string,
    verdict: RemedyOption['verdict'],
    [text, effect, reason]: readonly [string, string, string],
    [x, cpu, saturationUsers, book, search]: readonly [number, number, number, number, number],
  ): RemedyOption => ({
    id,
    option: text,
    effect,
    predicted: {
      users: 200,
      throughputPerSecond: x,
      utilizationRatio: cpu,
      saturationUsers,
      p95ByRoute: Object.fromEntries([
        [names.book, book],
        [names.search, search],
      ]),
    },
    verdict,
    reason,
  });
  return [
    option(
      'cache',
      'chosen',
      [
        `cache the results of ${names.search}`,
        'nearly every search becomes a lookup',
        'ten terms make up all searches',
      ],
      [99.9, 0.05, 4000, 0.002, 0.003],
    ),
    option(
      'second-process',
      'fallback',
      ['a second worker process', 'doubles capacity and memory', 'each worker still blocks'],
      [98.9, 0.35, 536, 0.048, 0.09],
    ),
    option(
      'thread-pool',
      'partial',
      ['the handler in a thread pool', 'frees the event loop', 'each search still costs 31 ms of CPU'],
      [98.2, 0.7, 268, 0.01, 0.12],
    ),
  ];
}

/** The routes alone. */
export function sampleIsolation(names: SampleNames = NAMES): Isolation {
  const common = { windowSeconds: WINDOW_SECONDS, errorCount: 0 };
  return {
    routes: [
      {
        ...common,
        route: names.search,
        requestClassId: `GET ${names.search}`,
        shareRatio: 0.25,
        users: 40,
        completionCount: 1164,
        throughputPerSecond: 19.4,
        utilizationRatio: 0.61,
        serviceDemandSeconds: 0.0313,
        p50Seconds: 0.044,
        p95Seconds: 0.117,
        shareOfWorkRatio: 0.98,
      },
      {
        ...common,
        route: names.book,
        requestClassId: `GET ${names.book}`,
        shareRatio: 0.75,
        users: 200,
        completionCount: 5964,
        throughputPerSecond: 99.4,
        utilizationRatio: 0.02,
        serviceDemandSeconds: 0.00021,
        p50Seconds: 0.001,
        p95Seconds: 0.001,
        shareOfWorkRatio: 0.02,
      },
    ],
    demandRatio: 149,
    mixDemandSeconds: 0.00798,
    serverCount: 1,
    notices: [],
  };
}

function record(
  label: string,
  rows: readonly Row[],
  names: SampleNames,
  rest: {
    readonly analysis: Omit<Analysis, 'steps'>;
    readonly verdict: Verdict;
    readonly isolation?: Isolation;
    readonly options?: readonly RemedyOption[];
  },
): RunRecord {
  const run = manifest(label, rows, names);
  const steps = rows.map((row, index) => stepRow(row, index, names));
  const measurements = steps.map((row, i) => measurement(row, run.plan.steps[i]!, 80 * i + 20));
  const { analysis, ...others } = rest;
  return { manifest: run, measurements, analysis: { steps, ...analysis }, limits: LIMITS, ...others };
}

/** The run before the fix: eight steps, a target missed, a one-lane bridge. */
export function sampleRecord(names: SampleNames = NAMES): RunRecord {
  return record('before', BEFORE, names, {
    analysis: {
      knee: KNEE_BEFORE,
      saturation: { users: 268, interval: [259, 277], method: '(D + Z) / D with D of the step of highest U' },
      usl: {
        throughputAtOnePerSecond: 0.5,
        contention: 0,
        contentionStandardError: 2e-4,
        coherency: 1.8e-6,
        coherencyStandardError: 1.6e-6,
        note: 'the coherency term is about its own standard error: no peak is claimed',
      },
      crossChecks: [
        { method: 'balanced job bounds', users: 268, note: 'from D and Z' },
        { method: 'Universal Scalability Law', note: 'no peak within the data' },
      ],
      findings: findingsOf(names),
      notices: [
        {
          code: 'machine-cpu-hides-one-core',
          severity: 'red-flag',
          message: 'the machine shows 16 % while one core is 98 % busy',
          advice: 'watch the process, not the machine',
        },
      ],
    },
    verdict: {
      checks: checksBefore(names),
      decision: 'fail',
      marginRatio: 0.1,
      reason: `p95 of ${names.book} is 105 ms at 200 users, above 100 ms; CPU has no margin`,
    },
    isolation: sampleIsolation(names),
    options: optionsOf(names),
  });
}

/** The run after the fix: four steps, all targets met. */
export function sampleAfterRecord(names: SampleNames = NAMES): RunRecord {
  return record('after', AFTER, names, {
    analysis: { knee: KNEE_AFTER, crossChecks: [], findings: [], notices: [] },
    verdict: {
      checks: checksAfter(names),
      decision: 'pass',
      marginRatio: 0.1,
      reason: 'all four targets pass with a margin of 10 %',
    },
  });
}

/** The run after the fix as that of a scenario, one of whose journeys breaks off now and then. */
export function sampleJourneyRecord(names: SampleNames = NAMES): RunRecord {
  const after = sampleAfterRecord(names);
  const duration = histogramOf([0.2, 0.3, 0.4, 0.5]);
  const counts = { kind: 'journey', endedCount: 6, failedCount: 2, duration } as const;
  const scenario: ScenarioMeasurement = {
    parts: [
      {
        ...counts,
        name: names.book,
        failedCheckCount: 3,
        brokeOffAfter: { '': 1, [`GET ${names.book}`]: 1 },
      },
      { ...counts, name: `${names.book}/pay`, kind: 'group', failedCount: 0 },
    ],
    checks: [{ name: `GET ${names.search}: status 200`, passedCount: 5, failedCount: 3 }],
  };
  const measurements = after.measurements.map((one) => ({ ...one, scenario }));
  return { ...after, measurements };
}

/** A closed sweep without think time on a pool of eight: nine steps, no targets, knee seen. */
export function samplePoolRecord(): RunRecord {
  const before = sampleRecord();
  const steps = POOL.map(([concurrency, x, p50, p99, cpu], index): StepRow => ({
    index,
    concurrency,
    windowSeconds: 10,
    completionCount: Math.round(10 * x),
    throughputPerSecond: x,
    errorCount: 0,
    errorRatio: 0,
    overall: { p50Seconds: p50, p99Seconds: p99, maxSeconds: p99 * 1.3 },
    byRoute: {},
    utilizationRatio: { cpu },
    serviceDemandSeconds: { cpu: cpu / x },
    serverCount: { cpu: 1 },
    valid: concurrency < 256,
    notices:
      concurrency < 256
        ? []
        : [{ code: 'generator-bound', severity: 'warning', message: 'the generator used 83 % of its core' }],
  }));
  return {
    manifest: { ...before.manifest, label: 'pool', targets: [] },
    measurements: [],
    analysis: {
      steps,
      knee: {
        seen: true,
        reason: 'X is flat within 1 % from 16 workers on',
        users: 8.5,
        interval: [8.3, 8.7],
        bend: [8, 16],
        peak: { load: 32, throughputPerSecond: 1544.8, reached: true },
        capacityPerSecond: 1542.4,
        capacitySource: 'plateau',
        planForPerSecond: 1080,
        operatingBand: [4.25, 5.95],
      },
      crossChecks: [],
      findings: [],
      notices: [],
    },
    verdict: { checks: [], decision: 'not-judged', marginRatio: 0.1, reason: 'no targets were given' },
    limits: LIMITS,
  };
}

/** The two sample runs compared, one run a side. */
export function sampleComparison(names: SampleNames = NAMES): Comparison {
  const metric = (
    name: string,
    before: number,
    after: number,
    unit: 'seconds' | 'perSecond' | 'ratio',
    better: 'lower' | 'higher',
  ) => ({
    name,
    load: 200,
    before,
    after,
    ratio: after / before,
    unit,
    better,
    verdict: 'indicative' as const,
  });
  return {
    before: { label: 'before', runCount: 1, decision: 'fail' },
    after: { label: 'after', runCount: 1, decision: 'pass' },
    metrics: [
      metric('throughputPerSecond at 200 users', 97.9, 100.2, 'perSecond', 'higher'),
      metric(`p95 ${names.book} at 200 users`, 0.105, 0.002, 'seconds', 'lower'),
      metric(`p95 ${names.search} at 200 users`, 0.141, 0.003, 'seconds', 'lower'),
      metric('utilizationRatio.cpu at 200 users', 0.7, 0.04, 'ratio', 'lower'),
    ],
    predictions: [
      {
        option: `cache the results of ${names.search}`,
        quantity: 'throughputPerSecond at 200 users',
        predicted: 99.9,
        measured: 100.2,
        unit: 'perSecond',
        errorRatio: 0.003,
        limitRatio: 0.1,
        outcome: 'kept',
      },
      {
        option: `cache the results of ${names.search}`,
        quantity: `p95 ${names.search} at 200 users`,
        predicted: 0.002,
        measured: 0.003,
        unit: 'seconds',
        errorRatio: 0.5,
        limitRatio: 0.3,
        outcome: 'missed',
      },
      {
        option: `cache the results of ${names.search}`,
        quantity: 'utilizationRatio.cpu at 200 users',
        predicted: 0.05,
        measured: 0.04,
        unit: 'ratio',
        errorRatio: -0.2,
      },
    ],
    kneeShift: {
      before: 220,
      beforeInterval: [200, 240],
      verdict: 'not shown',
      text: 'before at 220 users (200 to 240), after beyond what was measured: that it moved is not shown',
    },
    regression: false,
    notices: [
      {
        code: 'one-run-a-side',
        severity: 'info',
        message: 'one run a side: differences are indicative, not tested',
      },
    ],
  };
}

function requestClass(
  route: string,
  requestCount: number,
  parameter: string,
  distinctCount: number,
): RequestClass {
  const inPath = route.includes(`[${parameter}]`);
  return {
    id: `GET ${route}`,
    method: 'GET',
    route,
    requestCount,
    shareRatio: requestCount / 89345,
    responseTimeSeconds: { mean: 0.012, p50: 0.002, p95: 0.04, p99: 0.06, max: 0.11, count: requestCount },
    parameters: [
      {
        name: parameter,
        in: inPath ? 'path' : 'query',
        requestCount,
        distinctCount,
        zipfExponent: inPath ? 0 : 1,
        kind: inPath ? 'uniform' : 'zipf',
        top: inPath
          ? [{ value: '1204', count: 12 }]
          : [
              { value: 'history', count: 7610 },
              { value: 'poetry', count: 3801 },
            ],
      },
    ],
    targets: { draw: 'uniform', targets: ['/books/1204'], distinctCount },
  };
}

/** A workload of a quarter of an hour, 200 users. */
export function sampleWorkload(names: SampleNames = NAMES): WorkloadModel {
  return {
    kind: 'workload',
    schemaVersion: 1,
    files: ['access.log'],
    format: 'simple',
    timestampMeaning: 'start',
    lines: { total: 89350, blank: 1, comment: 2, ok: 89345, badRequest: 1, unparsed: 1 },
    lineExamples: [
      {
        file: 'access.log',
        line: 17,
        kind: 'badRequest',
        text: '\\x16\\x03\\x01',
        reason: 'TLS bytes on a plain port',
      },
    ],
    window: { rule: 'all', fromSeconds: 1735689600, toSeconds: 1735690500 },
    requestCount: 89345,
    clientCount: 200,
    spanSeconds: 900,
    throughputPerSecond: 99.27,
    busiestMinutePerSecond: 99.8,
    requestsPerMinute: [
      5921, 5957, 5990, 5940, 5961, 5970, 5948, 5955, 5962, 5949, 5980, 5938, 5951, 5966, 5957,
    ],
    thinkTimeSeconds: {
      mean: 2,
      p50: 2,
      count: 89145,
      distribution: { kind: 'empirical', meanSeconds: 2, quantileSeconds: [1, 1.5, 2, 2.5, 3] },
    },
    responseTimeSeconds: { mean: 0.012, p50: 0.002, p95: 0.045, p99: 0.061, max: 0.11, count: 89345 },
    activeUsers: 200,
    sessions: { timeoutSeconds: 1800, count: 200, requestsPerSession: 446.7 },
    requestClasses: [
      requestClass(names.book, 67009, 'id', 20000),
      requestClass(names.search, 22336, 'q', 10),
    ],
    warnings: [
      {
        code: 'bad-requests',
        severity: 'warning',
        message: '1 line holds no HTTP request',
        advice: 'check whether TLS reaches the plain port',
      },
    ],
  };
}
