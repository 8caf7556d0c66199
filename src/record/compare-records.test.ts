import assert from 'node:assert/strict';
import { test } from 'node:test';
import { publishedRows, stepRow } from '../../test/support/step-rows.ts';
import { ShiploadError } from '../errors.ts';
import type { RemedyOption, StepRow } from '../model/analysis.ts';
import type { ComparedMetric, Comparison, RunRecord } from '../model/record.ts';
import { createRandom, drawNormal } from '../stats/random.ts';
import type { Random } from '../stats/random.ts';
import { judge } from '../verdict/judge.ts';
import { parseTarget } from '../verdict/parse-target.ts';
import { compareRecords } from './compare-records.ts';
import { noiseFloorOf } from './noise-floor.ts';

const TARGETS = ['p95 of /books/[id] <= 100 ms at 200 users', 'cpu <= 70 % at 200 users'].map(parseTarget);

function record(label: string, steps: readonly StepRow[], more: Partial<RunRecord> = {}): RunRecord {
  return {
    manifest: {
      kind: 'run',
      schemaVersion: 1,
      label,
      startedAt: '2024-05-01T00:00:00Z',
      state: 'completed',
      command: [],
      plan: { seed: 1, shape: 'steps', requests: [], requestTimeoutSeconds: 30, steps: [] },
      service: { url: 'http://127.0.0.1:1/', sameHost: true },
      targets: TARGETS,
      marginRatio: 0.1,
      environment: {
        shiploadVersion: '0.1.0',
        nodeVersion: 'v20',
        platform: 'linux',
        cpuModel: 'one',
        machineCoreCount: 6,
        usableCoreCount: 6,
        memoryBytes: 8e9,
      },
    },
    measurements: [],
    analysis: {
      steps,
      knee: { seen: false, reason: 'straight' },
      crossChecks: [],
      findings: [],
      notices: [],
    },
    verdict: judge(TARGETS, steps),
    limits: [],
    ...more,
  };
}

const before = publishedRows('publishedBeforeFix');
const after = publishedRows('publishedAfterFix');

const metric = (comparison: Comparison, name: string): ComparedMetric =>
  comparison.metrics.find((one) => one.name === name)!;

test('one run a side: the common loads side by side, indicative, no regression', () => {
  const comparison = compareRecords([record('before', before)], [record('after', after)]);
  assert.deepEqual(comparison.before, { label: 'before', runCount: 1, decision: 'fail' });
  assert.deepEqual(comparison.after, { label: 'after', runCount: 1, decision: 'pass' });
  assert.deepEqual([...new Set(comparison.metrics.map(({ load }) => load))], [1, 100, 200, 300]);
  assert.ok(comparison.metrics.every(({ verdict }) => verdict === 'indicative'));
  const book = metric(comparison, 'p95 /books/[id] at 200 users');
  assert.deepEqual([book.before, book.after, book.better], [0.105, 0.002, 'lower']);
  assert.ok(Math.abs(book.ratio! - 2 / 105) < 1e-12);
  assert.equal(metric(comparison, 'errorRatio at 200 users').ratio, undefined);
  assert.equal(comparison.regression, false);
  assert.deepEqual(
    comparison.notices.map(({ code }) => code),
    ['few-runs'],
  );
});

test('one run a side the other way round is a regression: checks that passed no longer do', () => {
  const comparison = compareRecords([record('good', after)], [record('bad', before)]);
  assert.equal(comparison.regression, true);
  assert.match(comparison.notices[0]!.message, /no longer: p95 of \/books.*; cpu/);
});

/** Runs of one step whose throughput and demand scale with a factor each. */
const runs = (label: string, factors: readonly number[]): RunRecord[] =>
  factors.map((factor) =>
    record(label, [
      {
        ...before[3]!,
        throughputPerSecond: 50 * factor,
        serviceDemandSeconds: { cpu: 0.009 / factor },
      },
    ]),
  );

const NOISE = [0.98, 0.99, 1, 1.01, 1.02];
const CASES: readonly (readonly [
  title: string,
  factor: number,
  ComparedMetric['verdict'],
  regression: boolean,
])[] = [
  ['a loss of 20 % is a change for the worse', 0.8, 'changed', true],
  ['a gain of 20 % is a change', 1.2, 'changed', false],
  ['a loss of 4 % is within the noise floor though the runs agree', 0.957, 'no change shown', false],
  ['no effect shows no change', 1, 'no change shown', false],
];

for (const [title, factor, verdict, regression] of CASES) {
  test(`five runs a side: ${title}`, () => {
    const comparison = compareRecords(
      runs('before', NOISE),
      runs(
        'after',
        NOISE.map((noise) => noise * factor),
      ),
    );
    const throughput = metric(comparison, 'throughputPerSecond at 100 users');
    assert.equal(throughput.verdict, verdict);
    assert.ok(throughput.interval![0] <= factor && factor <= throughput.interval![1]);
    assert.equal(metric(comparison, 'serviceDemandSeconds.cpu at 100 users').verdict, verdict);
    assert.equal(comparison.regression, regression);
    assert.ok(comparison.notices.some(({ code }) => code === 'many-metrics'));
  });
}

test('three runs a side are too few for an interval: indicative', () => {
  const comparison = compareRecords(runs('before', [1, 1.01, 0.99]), runs('after', [0.5, 0.51, 0.49]));
  assert.equal(metric(comparison, 'throughputPerSecond at 100 users').verdict, 'indicative');
  assert.equal(metric(comparison, 'errorRatio at 100 users').verdict, 'indicative');
  assert.equal(comparison.regression, false);
});

test('errors that appear in every run are a regression though there is no ratio', () => {
  const failing = runs('after', NOISE).map((run) => ({
    ...run,
    analysis: { ...run.analysis, steps: run.analysis.steps.map((row) => ({ ...row, errorRatio: 0.02 })) },
  }));
  const comparison = compareRecords(runs('before', NOISE), failing);
  assert.equal(metric(comparison, 'errorRatio at 100 users').verdict, 'changed');
  assert.equal(comparison.regression, true);
});

test('predictions of the run before are scored against the runs after: the chosen option, and no other', () => {
  const option = (id: string, verdict: RemedyOption['verdict'], p95: number): RemedyOption => ({
    id,
    option: id,
    effect: '',
    predicted: {
      users: 200,
      throughputPerSecond: 99,
      utilizationRatio: 0.05,
      saturationUsers: 3000,
      p95ByRoute: { '/search': p95 },
    },
    verdict,
    reason: '',
  });
  const options = [option('second process', 'fallback', 0.06), option('cache', 'chosen', 0.004)];
  const { predictions } = compareRecords([record('before', before, { options })], [record('after', after)]);
  assert.deepEqual(
    predictions.slice(0, 3).map(({ option, quantity, measured }) => [option, quantity, measured]),
    [
      ['cache', 'throughputPerSecond at 200 users', 100.2],
      ['cache', 'utilizationRatio.cpu at 200 users', 0.04],
      ['cache', 'p95 /search at 200 users', 0.003],
    ],
  );
  assert.ok(Math.abs(predictions[2]!.errorRatio! - (0.003 / 0.004 - 1)) < 1e-12);
  assert.ok(predictions.every(({ option }) => option === 'cache'));
});

test('another machine, another mix and no common load are told', () => {
  const other = record('after', after.slice(1, 2));
  const manifest = {
    ...other.manifest,
    environment: { ...other.manifest.environment, cpuModel: 'two' },
    plan: { ...other.manifest.plan, thinkTimeSeconds: { kind: 'constant' as const, meanSeconds: 1 } },
  };
  const comparison = compareRecords([record('before', before.slice(0, 1))], [{ ...other, manifest }]);
  assert.deepEqual(
    comparison.notices.map(({ code }) => code),
    ['no-common-load', 'few-runs', 'environment-differs', 'plan-differs'],
  );
});

test('knee, saturation and capacity stand beside the steps; a highest measured X is no capacity', () => {
  const withCurve = (users: number, capacitySource: 'plateau' | 'highest-measured'): RunRecord => {
    const run = record('x', before);
    const knee = { seen: true, reason: '', users, capacityPerSecond: users / 2, capacitySource };
    const saturation = { users, interval: [users, users] as const, method: '' };
    return { ...run, analysis: { ...run.analysis, knee, saturation } };
  };
  const names = (source: 'plateau' | 'highest-measured'): string[] =>
    compareRecords([withCurve(100, source)], [withCurve(200, source)])
      .metrics.filter(({ load }) => load === undefined)
      .map(({ name, ratio }) => `${name} ${ratio}`);
  assert.deepEqual(names('plateau'), ['knee 2', 'saturation 2', 'capacityPerSecond 2']);
  assert.deepEqual(names('highest-measured'), ['knee 2', 'saturation 2']);
});

test('an empty side is refused', () => {
  assert.throws(
    () => compareRecords([], [record('x', before)]),
    (error: unknown) => error instanceof ShiploadError && error.code === 'usage',
  );
});

/** Runs with noise between runs, and correlated noise within them, over four loads. */
function noisyRuns(random: Random, label: string, factor: number, count = 5): RunRecord[] {
  return Array.from({ length: count }, () => {
    const between = Math.exp(0.05 * drawNormal(random));
    const steps = [1, 50, 100, 200].map((users) => {
      let within = 0;
      let sum = 0;
      for (let window = 0; window < 40; window += 1) {
        within = 0.6 * within + 0.08 * drawNormal(random);
        sum += users * factor * between * (1 + within);
      }
      return stepRow({
        users,
        throughputPerSecond: sum / 40,
        serviceDemandSeconds: { cpu: Math.exp(0.04 * drawNormal(random)) / between / factor },
      });
    });
    return record(label, steps);
  });
}

const anyChanged = (random: Random, factor: number): boolean =>
  compareRecords(noisyRuns(random, 'a', 1), noisyRuns(random, 'b', factor)).metrics.some(
    ({ verdict }) => verdict === 'changed',
  );

test('of 1000 pairs of equal sides at most 5 % have any figure called changed, noise between runs and all', () => {
  // Not a seed the level was chosen with; at 3 % the six of those (101 … 106) have 18 to 32.
  const random = createRandom(20);
  const called = Array.from({ length: 1000 }, () => anyChanged(random, 1)).filter(Boolean).length;
  assert.ok(called <= 50, `${called} of 1000`);
});

test('a fifth less is seen in at least 95 % of 200 pairs of sides', () => {
  const random = createRandom(21);
  const seen = Array.from({ length: 200 }, () => anyChanged(random, 0.8)).filter(Boolean).length;
  assert.ok(seen >= 190, `${seen} of 200`);
});

test('a change below the noise floor of the plan is none, and the comparison says so', () => {
  const before = runs('before', NOISE);
  const after = runs(
    'after',
    NOISE.map((noise) => noise * 0.8),
  );
  const equal = noisyRuns(createRandom(5), 'a', 1);
  const floor = {
    ...noiseFloorOf(equal, { planHash: 'x' }),
    ratios: { 'throughputPerSecond at 100 users': 0.3 },
  };
  const comparison = compareRecords(before, after, floor);
  const throughput = metric(comparison, 'throughputPerSecond at 100 users');
  assert.equal(throughput.noiseFloorRatio, 0.3);
  assert.equal(throughput.verdict, 'no change shown');
  assert.equal(metric(comparison, 'serviceDemandSeconds.cpu at 100 users').verdict, 'changed');
  const notice = comparison.notices.find(({ code }) => code === 'noise-floor');
  assert.match(notice!.message, /^1 of 1 difference lie within|^1 of 1 difference/);
});

test('the noise floor is the 95 % quantile over all pairs of runs; figures that are 0 somewhere have none', () => {
  const equal = [100, 101, 110].map((throughputPerSecond) =>
    record('a', [stepRow({ users: 100, throughputPerSecond })]),
  );
  const { ratios, runCount } = noiseFloorOf(equal, { planHash: 'x' });
  assert.equal(runCount, 3);
  const largest = ratios['throughputPerSecond at 100 users']!;
  assert.ok(largest > 0.085 && largest <= 0.1 + 1e-12, `${largest}`);
  assert.equal(ratios['errorRatio at 100 users'], undefined);
});

test('a run far from the others of its side is named and kept; of four runs none can be told', () => {
  const runs = (values: readonly number[]) =>
    values.map((throughputPerSecond, i) =>
      record(`run ${i + 1}`, [stepRow({ users: 100, throughputPerSecond })]),
    );
  const calm = runs([100, 101, 100.5, 99.5, 100.2]);
  const odd = runs([100, 101, 40, 99.5, 100.2]);
  const named = (before: RunRecord[], after: RunRecord[]) =>
    compareRecords(before, after).notices.filter(({ code }) => code === 'run-unlike-others');
  assert.match(
    named(calm, odd)[0]!.message,
    /^throughput X at 100 users of run 3 is 40, of the runs beside it 100/,
  );
  assert.deepEqual(named(calm, calm), []);
  assert.deepEqual(named(calm, odd.slice(1)), []);
});
