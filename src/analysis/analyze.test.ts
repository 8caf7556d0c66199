import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { StepRow } from '../model/analysis.ts';
import { fixture } from '../../test/support/paths.ts';
import { analyze as analyzeFully } from './analyze.ts';
import type { AnalysisOptions } from './analyze.ts';
import { importTable } from './import-table.ts';

const published = JSON.parse(readFileSync(fixture('case', 'published-tables.json'), 'utf8')) as {
  publishedBeforeFix: { users: number; X: number; U: number }[];
  publishedAfterFix: { users: number; X: number; U: number }[];
  workerSweep: { workers: number[]; readHeavyX: number[]; writeHeavyX: number[] };
  poolSweep: { concurrency: number[]; X: number[]; appCpu: number[] };
  cpuRoute: { c1: { X: number }; c50: { X: number } };
};

/** With fewer replicates than usual, for speed. */
const analyze = (rows: readonly StepRow[], options: AnalysisOptions = {}) =>
  analyzeFully(rows, { replicates: 100, ...options });

interface Curve {
  readonly loads: readonly number[];
  readonly throughputs: readonly number[];
  readonly utilizations?: readonly number[];
}

const rowsOf = ({ loads, throughputs, utilizations }: Curve, more: Partial<StepRow> = {}): StepRow[] =>
  loads.map((users, index) => {
    const cpu = utilizations?.[index];
    const throughputPerSecond = throughputs[index]!;
    return {
      index,
      users,
      throughputPerSecond,
      errorCount: 0,
      errorRatio: 0,
      overall: {},
      byRoute: {},
      utilizationRatio: cpu === undefined ? {} : { cpu },
      serviceDemandSeconds: cpu === undefined ? {} : { cpu: cpu / throughputPerSecond },
      serverCount: cpu === undefined ? {} : { cpu: 1 },
      valid: true,
      notices: [],
      ...more,
    };
  });

const usersTable = (table: { users: number; X: number; U: number }[]): Curve => ({
  loads: table.map((row) => row.users),
  throughputs: table.map((row) => row.X),
  utilizations: table.map((row) => row.U),
});
const BEFORE = usersTable(published.publishedBeforeFix);
const AFTER = usersTable(published.publishedAfterFix);
const POOL: Curve = {
  loads: published.poolSweep.concurrency,
  throughputs: published.poolSweep.X,
  utilizations: published.poolSweep.appCpu,
};

/** The same service on another clock and with other users: X times 1.7, loads times 3. */
const SCALES = [
  { loads: 1, throughputs: 1 },
  { loads: 3, throughputs: 1.7 },
] as const;
const scaled = (curve: Curve, by: (typeof SCALES)[number]): Curve => ({
  ...curve,
  loads: curve.loads.map((n) => n * by.loads),
  throughputs: curve.throughputs.map((x) => x * by.throughputs),
});
const within = (value: number | undefined, low: number, high: number): void =>
  assert.ok(value !== undefined && value >= low && value <= high, `${value} not in ${low}–${high}`);

for (const by of SCALES) {
  const scale = by.loads;
  test(`before the fix, loads × ${scale}: bend at 200–250, no knee, saturation about 268, no USL peak`, () => {
    const { knee, saturation, usl, notices } = analyze(rowsOf(scaled(BEFORE, by)));
    assert.equal(knee.seen, false);
    assert.match(knee.reason, /89 % of the light-load line/);
    assert.deepEqual(knee.bend, [200 * scale, 250 * scale]);
    within(saturation?.users, 266 * scale, 270 * scale);
    assert.ok(saturation!.interval[0] >= 250 * scale && saturation!.interval[1] <= 288 * scale);
    // N* is 266; 10 % below what the fit and its noise allow.
    within(knee.lowerBound, 225 * scale, 266 * scale);
    assert.deepEqual(knee.peak, {
      load: 300 * scale,
      throughputPerSecond: 131.7 * by.throughputs,
      reached: false,
    });
    assert.equal(knee.capacitySource, 'asymptote');
    within(knee.capacityPerSecond, 134 * by.throughputs, 135 * by.throughputs);
    assert.ok(Math.abs(knee.planForPerSecond! / knee.capacityPerSecond! - 0.7) < 1e-12);
    within(knee.operatingBand?.[0], 130 * scale, 140 * scale);
    within(knee.operatingBand?.[1], 185 * scale, 200 * scale);
    assert.equal(usl?.peakUsers, undefined);
    assert.match(usl!.note, /within its 95 % error/);
    assert.deepEqual(
      notices.map((n) => n.code),
      ['sweep-too-short'],
    );
  });

  test(`after the fix, loads × ${scale}: a straight line, no knee, no bend, no saturation`, () => {
    const { knee, saturation, usl } = analyze(rowsOf(scaled(AFTER, by)));
    assert.equal(knee.seen, false);
    assert.equal(knee.bend, undefined);
    assert.equal(saturation, undefined);
    assert.equal(usl?.peakUsers, undefined);
    assert.equal(knee.capacitySource, 'highest-measured');
    within(knee.lowerBound, 250 * scale, 300 * scale);
  });

  test(`the pool of 8, loads × ${scale}: N* 8.5, bend at 8–16, capacity 1542/s`, () => {
    const { knee, saturation, crossChecks } = analyze(rowsOf(scaled(POOL, by)));
    assert.equal(knee.seen, true);
    within(knee.users, 8 * scale, 9 * scale);
    assert.ok(knee.interval![0] <= 8.5 * scale && knee.interval![1] >= 8.5 * scale);
    assert.deepEqual(knee.bend, [8 * scale, 16 * scale]);
    within(knee.capacityPerSecond, 1537 * by.throughputs, 1545 * by.throughputs);
    assert.equal(knee.peak!.reached, true);
    assert.equal(knee.degradation, undefined);
    within(saturation?.users, 8 * scale, 9 * scale);
    assert.equal(crossChecks.find((c) => c.method === '(R₀+Z)·m/D')?.users, undefined);
  });
}

for (const mix of ['readHeavyX', 'writeHeavyX'] as const) {
  test(`worker sweep ${mix}: peak at 8 workers, knee near 1.2, and no degradation in the noise`, () => {
    const curve = { loads: published.workerSweep.workers, throughputs: published.workerSweep[mix] };
    for (const by of SCALES) {
      const { knee } = analyze(rowsOf(scaled(curve, by)));
      assert.equal(knee.peak!.load, 8 * by.loads);
      assert.equal(knee.peak!.reached, true);
      assert.equal(knee.degradation, undefined);
      assert.deepEqual(knee.bend, [1 * by.loads, 2 * by.loads]);
      within(knee.users, 1.1 * by.loads, 1.4 * by.loads);
    }
  });
}

test("Gunther's e-business test: N* 4.1, and the loss beyond the peak is told", () => {
  const { knee, usl } = analyze(
    rowsOf({ loads: [1, 2, 4, 7, 10, 20], throughputs: [24, 48, 85, 100, 99, 94] }),
  );
  within(knee.users, 3.9, 4.3);
  within(usl?.peakUsers, 10.4, 10.6);
});

test('throughput that falls in two steps beyond the peak is degradation, and the knee stays', () => {
  const { knee } = analyze(rowsOf({ loads: [1, 2, 4, 8, 16, 32], throughputs: [10, 20, 39, 60, 50, 40] }));
  assert.deepEqual(knee.degradation, { fromLoad: 16, lossRatio: 1 - 40 / 60 });
  assert.equal(knee.peak!.load, 8);
  assert.equal(knee.peak!.reached, true);
});

test('a pool of 8 swept from 16 on: at or below, no bend, no loads to operate at, the capacity all the same', () => {
  const { knee, saturation, notices } = analyze(
    rowsOf({ loads: [16, 32, 64, 128], throughputs: [1540, 1543, 1538, 1541] }),
  );
  assert.equal(knee.seen, false);
  assert.match(
    knee.reason,
    /nothing shows that the first step, 16, is at light load: the knee may lie at or below it/,
  );
  within(knee.upperBound, 16, 18.5);
  assert.equal(knee.lowerBound, undefined);
  assert.equal(knee.bend, undefined);
  assert.equal(knee.operatingBand, undefined);
  within(knee.capacityPerSecond, 1538, 1543);
  assert.equal(knee.capacitySource, 'plateau');
  assert.equal(knee.peak!.reached, true);
  assert.equal(saturation!.isUpperBound, true);
  assert.equal(notices[0]!.code, 'sweep-starts-too-high');
});

test('one collapsed last step is told and does not bend the knee', () => {
  const { knee } = analyze(
    rowsOf({ loads: [1, 2, 4, 8, 16, 32], throughputs: [180, 361, 720, 1440, 1543, 1126] }),
  );
  assert.deepEqual(knee.degradation, { fromLoad: 32, lossRatio: 1 - 1126 / 1543, isLastStepOnly: true });
  within(knee.users ?? 8.5, 8, 9);
  if (knee.seen) assert.ok(knee.interval![1] <= 4 * knee.interval![0]);
});

test('too few loads carry a peak and nothing more', () => {
  const { c1, c50 } = published.cpuRoute;
  const { knee } = analyze(rowsOf({ loads: [1, 50], throughputs: [c1.X, c50.X] }));
  assert.equal(knee.seen, false);
  assert.match(knee.reason, /too few/);
  assert.deepEqual(knee.peak, { load: 1, throughputPerSecond: 227, reached: true });
  assert.equal(analyze([]).knee.reason, 'no valid step with any throughput');
});

test('steps that are not valid are left out and named', () => {
  const rows = rowsOf(BEFORE).map((row) => (row.index === 7 ? { ...row, valid: false } : row));
  const { knee, notices, steps } = analyze(rows);
  assert.equal(knee.peak!.load, 250);
  assert.equal(notices[0]!.code, 'steps-left-out');
  assert.equal(notices[0]!.where, '300 users');
  assert.equal(steps.length, 8);
});

test('an open loop bends where the offered rate is no longer answered, and has no N*', () => {
  const rows = rowsOf({ loads: [50, 100, 150, 200], throughputs: [50, 99.8, 141, 143] }).map(
    ({ users, ...row }) => ({ ...row, arrivalRatePerSecond: users! }),
  );
  const { knee, saturation } = analyze(rows);
  assert.deepEqual(knee.bend, [100, 150]);
  assert.equal(knee.users, undefined);
  assert.equal(knee.capacityPerSecond, 143);
  assert.equal(saturation, undefined);
  const straight = analyze(rows.slice(0, 2)).knee;
  assert.equal(straight.seen, false);
  assert.equal(straight.lowerBound, 100);
});

test('rules are asked with the rows and the analysis, and their findings stand in order', () => {
  const finding = {
    ruleId: 'told',
    claim: 'x',
    confidence: 'low',
    evidence: [],
    counterEvidence: [],
  } as const;
  const { findings } = analyze(rowsOf(BEFORE), {
    machineCoreCount: 4,
    rules: [
      { id: 'silent', examine: () => [] },
      {
        id: 'told',
        examine: ({ rows, analysis, machineCoreCount }) =>
          rows.length === 8 && !analysis.knee.seen && machineCoreCount === 4 ? [finding] : [],
      },
    ],
  });
  assert.deepEqual(findings, [finding]);
});

test('the same rows give the same analysis, to the last digit, through JSON', () => {
  const first = analyze(rowsOf(POOL));
  assert.deepEqual(JSON.parse(JSON.stringify(first)), JSON.parse(JSON.stringify(analyze(rowsOf(POOL)))));
});

test('a table of another tool goes all the way: text, rows, saturation, notices', () => {
  const names = Object.keys(published.publishedBeforeFix[0]!);
  const lines = published.publishedBeforeFix.map((row) => Object.values(row).join(','));
  const { rows, notices } = importTable([names.join(','), ...lines].join('\n'), { file: 'steps.csv' });
  const analysis = analyze(rows, { notices });
  within(analysis.saturation?.users, 266, 270);
  assert.deepEqual(analysis.knee.bend, [200, 250]);
  assert.deepEqual(
    analysis.notices.map((n) => n.code),
    ['latency-unit-decided', 'sweep-too-short'],
  );
});

test('an asymptote far from the knee is told as a disagreement', () => {
  const utilizations = POOL.loads.map((load) => (load === 4 ? 0.9 : 0.4));
  const { notices } = analyze(rowsOf({ ...POOL, utilizations }));
  assert.ok(notices.some((notice) => notice.code === 'knee-methods-disagree'));
});

test('a first step unlike the other light steps is told', () => {
  const { notices } = analyze(
    rowsOf({ loads: [1, 10, 20, 40, 80, 160], throughputs: [0.7, 10, 20, 40, 80, 160] }),
  );
  assert.equal(notices[0]?.code, 'light-load-unsteady');
});

test('users who get more done each where there are more of them are no queue: said, and no N* claimed', () => {
  const { knee, notices } = analyze(rowsOf({ loads: [2, 4, 8, 16], throughputs: [48, 112, 860, 1534] }));
  assert.match(notices[0]!.message, /4\.48 times as many requests at 8 as at 2/);
  assert.equal(notices[0]!.code, 'faster-under-load');
  assert.equal(knee.seen, false);
  assert.equal(knee.lowerBound, undefined);
  const straight = analyze(rowsOf({ loads: [2, 4, 8, 16], throughputs: [50, 104, 200, 401] }));
  assert.deepEqual(straight.notices, []);
});

test('parts of a run in time are no curve: no peak, capacity or knee of them', () => {
  const rows = rowsOf({ loads: [8, 8, 8, 8, 8], throughputs: [10, 11, 10, 12, 10] });
  const { knee } = analyze(rows.map((row, i) => ({ ...row, part: `window ${i + 1}` })));
  assert.deepEqual(knee, {
    seen: false,
    reason: 'the steps are parts of one run in time, not loads of a curve',
  });
});

test('where X still rises the capacity is a lower bound, and the crossing of X is none to disagree with', () => {
  // X = 100·N/(1 + (N/10)²)^½ up to 1.6 N*: bent, and 8 % above the step before.
  const loads = [1, 2, 4, 6, 8, 10, 13, 16];
  const throughputs = loads.map((n) => (100 * n) / Math.sqrt(1 + (n / 10) ** 2));
  const { knee, saturation, crossChecks, notices } = analyze(rowsOf({ loads, throughputs }));
  assert.equal(knee.seen, true);
  assert.equal(knee.capacitySource, 'highest-measured');
  assert.equal(knee.capacityPerSecond, throughputs.at(-1));
  assert.equal(knee.peak!.reached, false);
  assert.deepEqual([knee.rise!.fromLoad, knee.rise!.toLoad], [13, 16]);
  assert.ok(Math.abs(knee.rise!.gainRatio - (1 - throughputs.at(-2)! / throughputs.at(-1)!)) < 1e-9);
  assert.match(knee.reason, /does not level off: it rose by 7 % from 13 to 16/);
  assert.equal(saturation!.isLowerBound, true);
  assert.match(crossChecks[0]!.note, /a lower bound/);
  assert.deepEqual(notices, []);
});
