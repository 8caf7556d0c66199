import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diagnosisInput } from '../../../test/support/diagnosis-input.ts';
import { stepMeasurement } from '../../../test/support/step-measurement.ts';
import { publishedRows, stepRow } from '../../../test/support/step-rows.ts';
import type { Finding, StepRow } from '../../model/analysis.ts';
import { DIAGNOSIS_RULES } from './index.ts';
import type { DiagnosisInput } from './rule.ts';

type RuleId = (typeof DIAGNOSIS_RULES)[number]['id'];

function examine(
  id: RuleId,
  rows: readonly StepRow[],
  more: Partial<DiagnosisInput> = {},
): readonly Finding[] {
  return DIAGNOSIS_RULES.find((rule) => rule.id === id)!.examine(diagnosisInput(rows, more));
}

const idsOf = (input: DiagnosisInput): string[] =>
  DIAGNOSIS_RULES.flatMap((rule) => rule.examine(input)).map(({ ruleId }) => ruleId);

/** Steps of 100, 200, … users with the given fields. */
const steps = (...fields: Partial<StepRow>[]): StepRow[] =>
  fields.map((more, index) => stepRow({ index, users: 100 * (index + 1), ...more }));

test('every rule has an id of its own, and its findings carry it', () => {
  assert.equal(new Set(DIAGNOSIS_RULES.map(({ id }) => id)).size, DIAGNOSIS_RULES.length);
  const input = diagnosisInput(publishedRows('publishedBeforeFix'));
  for (const rule of DIAGNOSIS_RULES) {
    for (const finding of rule.examine(input)) assert.equal(finding.ruleId, rule.id);
  }
});

test('the worked case before the fix: the lane, the core, and CPU above 70 %; after the fix: nothing', () => {
  const ids = idsOf(diagnosisInput(publishedRows('publishedBeforeFix'), { machineCoreCount: 6 }));
  assert.deepEqual(ids, ['one-lane-bridge', 'cpu-bound', 'cpu-above-70']);
  assert.deepEqual(idsOf(diagnosisInput(publishedRows('publishedAfterFix'))), []);
});

test('no steps give no findings', () => assert.deepEqual(idsOf(diagnosisInput([])), []));

test('the process at the limit of its one core is said beside the idle machine', () => {
  const [finding] = examine('cpu-bound', publishedRows('publishedBeforeFix'), { machineCoreCount: 6 });
  assert.match(finding!.claim, /limit of its one core: 98 % at 300 users while the machine is 84 % idle/);
  assert.equal(finding!.confidence, 'high');
  const texts = finding!.evidence.map(({ text }) => text);
  assert.ok(texts.some((text) => /16 % of 6 cores/.test(text)));
  // 0.98 / 131.7 = 7.44 ms, so at most 134/s.
  assert.ok(texts.some((text) => /D = 7.44 ms allows at most m\/D = 134\/s, measured 132\/s/.test(text)));
});

test('a demand that grows with load speaks against plain work', () => {
  const demand = (cpu: number, seconds: number): Partial<StepRow> => ({
    utilizationRatio: { cpu },
    serviceDemandSeconds: { cpu: seconds },
  });
  const [finding] = examine('cpu-bound', steps(demand(0.5, 0.005), demand(0.97, 0.008)));
  assert.equal(finding!.confidence, 'medium');
  assert.match(finding!.counterEvidence[0]!.text, /grew from 5 ms to 8 ms/);
});

test('one full thread is a limit though the process has more cores; 44 % is none', () => {
  const thread = { utilizationRatio: { cpu: 0.25, busiestThread: 0.99 }, serverCount: { cpu: 4 } };
  assert.match(examine('cpu-bound', steps(thread))[0]!.claim, /one thread of the process is at the limit/);
  assert.deepEqual(examine('cpu-bound', steps({ utilizationRatio: { cpu: 0.44 } })), []);
  assert.deepEqual(examine('cpu-bound', steps({ utilizationRatio: { cpu: 0.99 }, valid: false })), []);
});

const FLAGS: readonly (readonly [RuleId, Partial<StepRow>, Partial<StepRow>, RegExp])[] = [
  [
    'cpu-above-70',
    { utilizationRatio: { cpu: 0.7 } },
    { utilizationRatio: { cpu: 0.71 } },
    /from 200 users on, up to 71 %/,
  ],
  [
    'disk-above-20',
    { diskBusyRatio: 0.2 },
    { diskBusyRatio: 0.5 },
    /20 % of the time from 200 users on, up to 50 %/,
  ],
  ['run-queue-above-2', { runQueuePerCore: 2 }, { runQueuePerCore: 3.5 }, /every processor .* up to 3.5/],
  ['run-queue-above-2', { loadPerCore: 1 }, { loadPerCore: 2.1 }, /up to 2.1/],
  [
    'generator-at-limit',
    { generator: { utilizationRatio: 0.6 } },
    { generator: { utilizationRatio: 0.75 } },
    /near its limit from 200 users/,
  ],
  [
    'generator-at-limit',
    { generator: { utilizationRatio: 0.6 } },
    { generator: { utilizationRatio: 0.8 } },
    /at its limit from 200 users/,
  ],
  [
    'generator-at-limit',
    { generator: { utilizationRatio: 0.1, scheduleLagP99Seconds: 0.004 } },
    { generator: { utilizationRatio: 0.1, scheduleLagP99Seconds: 0.2 } },
    /at its limit/,
  ],
  ['error-bound', { errorRatio: 0.005 }, { errorRatio: 0.2 }, /fail from 200 users on: 20 %/],
];

for (const [id, healthy, flagged, claim] of FLAGS) {
  test(`${id} is raised at the step beyond the limit, not at the one on it: ${claim.source}`, () => {
    assert.deepEqual(examine(id, steps(healthy, healthy)), []);
    const [finding] = examine(id, steps(healthy, flagged));
    assert.match(finding!.claim, claim);
    assert.deepEqual([...new Set(finding!.evidence.map(({ stepIndex }) => stepIndex))], [1]);
  });
}

test('errors at every load are a fault of the requests, and successes that still grow are told', () => {
  const [constant] = examine('failing-at-any-load', steps({ errorRatio: 0.3 }, { errorRatio: 0.31 }));
  assert.match(constant!.claim, /whatever the load \(2 steps of 2\)/);
  const [alone] = examine('failing-at-any-load', steps({ errorRatio: 0.3 }));
  assert.match(alone!.claim, /^requests fail at the only load that was measured/);
  assert.match(alone!.nextExperiment!, /a lighter load as well/);
  assert.equal(alone!.confidence, 'low');
  const growing = steps({ throughputPerSecond: 100 }, { throughputPerSecond: 190, errorRatio: 0.02 });
  const [bound] = examine('error-bound', growing);
  assert.equal(bound!.confidence, 'medium');
  assert.match(
    bound!.counterEvidence[0]!.text,
    /^no step lies beyond the first failing one, .* from 100\/s at 100 users to 190\/s at 200 users$/,
  );
  const failing = { errorRatio: 0.02 };
  const beyond = (last: number) =>
    examine(
      'error-bound',
      steps({}, { throughputPerSecond: 150, ...failing }, { throughputPerSecond: last, ...failing }),
    )[0]!;
  assert.match(
    beyond(190).counterEvidence[0]!.text,
    /^successes still rise beyond the first failing step, from 150\/s at 200 users to 190\/s/,
  );
  // More than before the first failing step, and no more than at it.
  assert.deepEqual(beyond(155).counterEvidence, []);
  const flattering = steps(
    { responseTimeSeconds: 0.2 },
    { responseTimeSeconds: 0.05, errorRatio: 0.5, throughputPerSecond: 60 },
  );
  assert.ok(
    examine('error-bound', flattering)[0]!.evidence.some(({ text }) =>
      /fell from 200 ms to 50 ms/.test(text),
    ),
  );
});

test('a saturated generator under an idle service is the limit; a busy service casts doubt', () => {
  const strained = { generator: { utilizationRatio: 0.97 }, utilizationRatio: { cpu: 0.3 } };
  assert.equal(examine('generator-bound', steps(strained))[0]!.confidence, 'high');
  const both = { ...strained, utilizationRatio: { cpu: 0.95 } };
  const [finding] = examine('generator-bound', steps(both));
  assert.equal(finding!.confidence, 'low');
  assert.match(finding!.counterEvidence[0]!.text, /the service was busy too: CPU 95 %/);
});

const LATE = { utilizationRatio: 0.016, scheduleLagP99Seconds: 0.2 };

test('a p99 of seven sends is no p99: late sends count from a hundred on', () => {
  const sent = (completionCount: number): StepRow[] => steps({ generator: LATE, completionCount });
  for (const id of ['generator-at-limit', 'generator-bound'] as const) {
    assert.deepEqual(examine(id, sent(7)), []);
    assert.deepEqual(examine(id, sent(99)), []);
    assert.equal(examine(id, sent(100))[0]!.confidence, 'medium');
  }
});

test('arrivals that all came, dropped by a slow service, are not the generator’s limit; missing ones are', () => {
  const open = (notices: StepRow['notices']): StepRow[] => [
    stepRow({
      arrivalRatePerSecond: 400,
      throughputPerSecond: 180,
      completionCount: 6000,
      generator: { utilizationRatio: 0.2, scheduleLagP99Seconds: 0.012 },
      notices,
    }),
  ];
  const notice = (code: string) => ({ code, severity: 'red-flag' as const, message: '' });
  assert.deepEqual(examine('generator-bound', open([notice('requests-dropped')])), []);
  const [finding] = examine('generator-bound', open([notice('load-not-reached')]));
  assert.equal(finding!.confidence, 'medium');
  const saturated = { ...open([])[0]!, generator: { utilizationRatio: 0.95 } };
  assert.equal(examine('generator-bound', [saturated])[0]!.confidence, 'high');
});

test('of several workers the busiest is named, and it alone makes the generator the limit', () => {
  const worker = (name: string, utilizationRatio: number) => ({
    name,
    cpuSeconds: 1,
    utilizationRatio,
    eventLoopDelayMaxSeconds: 0,
  });
  const workers = [worker('worker 1', 0.2), worker('worker 2', 0.96)];
  const generator = { utilizationRatio: 0.58, workers };
  const [finding] = examine('generator-bound', steps({ generator, utilizationRatio: { cpu: 0.3 } }));
  assert.equal(finding!.confidence, 'high');
  assert.match(finding!.evidence[0]!.text, /worker 2 used 96/);
});

test('late sends on a busy machine are the machine’s; those of a saturated generator stay its own', () => {
  for (const busy of [{ runQueuePerCore: 3 }, { machineCpuRatio: 0.97 }]) {
    const late = steps({ generator: LATE, completionCount: 6000, ...busy });
    const [finding, ...others] = examine('generator-at-limit', late);
    assert.match(finding!.claim, /^the machine is too busy for the generator to send on time from 100 users/);
    assert.equal(finding!.resource, 'machineCpu');
    assert.deepEqual(others, []);
    assert.deepEqual(examine('generator-bound', late), []);
    const saturated = steps({ generator: { ...LATE, utilizationRatio: 0.95 }, ...busy });
    assert.equal(examine('generator-at-limit', saturated)[0]!.resource, 'generator');
    assert.equal(examine('generator-bound', saturated).length, 1);
  }
});

test('a throughput that the think time of the users sets is not the generator’s', () => {
  const thinking = { completionCount: 6000, thinkTimeSeconds: 1.95, utilizationRatio: { cpu: 0.3 } };
  const light = { ...thinking, responseTimeSeconds: 0.05, throughputPerSecond: 50 };
  // N/(R+Z) = 200/2 = 100/s is what 200 users make; 80/s with R = 0.55 s only if the service itself is slow.
  const cases: readonly (readonly [
    throughput: number,
    response: number,
    generator: number,
    found: boolean,
  ])[] = [
    [100, 0.05, 0.016, false],
    [80, 0.55, 0.016, false],
    [100, 0.05, 0.9, false],
    [80, 0.55, 0.9, true],
    [80, 0.05, 0.016, true],
  ];
  for (const [throughputPerSecond, responseTimeSeconds, utilizationRatio, found] of cases) {
    const generator = { ...LATE, utilizationRatio };
    const rows = steps(light, { ...thinking, throughputPerSecond, responseTimeSeconds, generator });
    assert.equal(examine('generator-bound', rows).length > 0, found, `${throughputPerSecond}/s`);
  }
  const full = { ...light, utilizationRatio: { cpu: 0.97 }, generator: LATE };
  assert.equal(examine('generator-bound', steps(full))[0]!.confidence, 'low');
});

test('users that are missing from the law support what the generator shows, and claim nothing alone', () => {
  const residual = (more: Partial<StepRow>): StepRow[] =>
    steps({ littleResidualRatio: -0.2, completionCount: 10_000, ...more });
  assert.deepEqual(examine('generator-bound', residual({})), []);
  const [finding] = examine('generator-bound', residual({ generator: { utilizationRatio: 0.9 } }));
  assert.equal(finding!.confidence, 'high');
  assert.ok(finding!.evidence.some(({ quantity }) => quantity === 'littleResidualRatio'));
});

const rss = (megabytes: (block: number) => number) => ({
  source: 'process',
  quantity: 'rssBytes',
  unit: 'bytes' as const,
  kind: 'gauge' as const,
  points: Array.from({ length: 60 }, (_, i) => [i, 1e6 * megabytes(i)] as const),
});

test('memory that rises at constant load is told from a sawtooth, from noise and from a warming-up', () => {
  const rises = (...series: ((i: number) => number)[]): readonly Finding[] =>
    examine('rss-rising', steps(...series.map(() => ({}))), {
      measurements: series.map((one, index) => stepMeasurement(index, { counters: [rss(one)] })),
    });
  const leak = (i: number): number => 100 + 0.5 * i;
  const flat = (): number => 110;
  assert.equal(rises(leak, leak)[0]!.confidence, 'high');
  assert.equal(rises(leak)[0]!.confidence, 'medium');
  assert.match(rises(leak)[0]!.claim, /27.5 MB \(27.5 %\) within the step at 100 users/);
  assert.deepEqual(
    rises((i) => 100 + 4 * (i % 5)),
    [],
  );
  assert.deepEqual(rises(flat), []);
  assert.deepEqual(rises(leak, flat), []);
  assert.equal(rises(flat, leak)[0]!.confidence, 'medium');
});

test('without a series, growth over the window is enough for a low confidence', () => {
  const [finding] = examine('rss-rising', steps({ residentBytes: 120e6, residentGrowthBytes: 20e6 }));
  assert.equal(finding!.confidence, 'low');
  assert.deepEqual(examine('rss-rising', steps({ residentBytes: 120e6, residentGrowthBytes: 5e6 })), []);
});

test('a runtime that warms up by some megabytes is no leak, whatever share of its memory they are', () => {
  const warmingUp = [4.4e6, 2.7e6, 0.1e6].map((residentGrowthBytes) => ({
    residentBytes: 48e6,
    residentGrowthBytes,
  }));
  assert.deepEqual(examine('rss-rising', steps(...warmingUp)), []);
});

test('evidence of a red flag is told in words, not in names of columns', () => {
  const busy = { utilizationRatio: { cpu: 0.8 }, runQueuePerCore: 3.5, diskBusyRatio: 0.5 };
  const texts = (['cpu-above-70', 'run-queue-above-2', 'disk-above-20'] as const).map(
    (id) => examine(id, steps(busy))[0]!.evidence[0]!.text,
  );
  const expected = ['CPU 80 %', 'run queue per core 3.5', 'disk busy 50 %'];
  assert.deepEqual(
    texts,
    expected.map((words) => `${words} at 100 users`),
  );
});
