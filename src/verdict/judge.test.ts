import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RoutePercentiles, StepRow } from '../model/analysis.ts';
import { Histogram } from '../stats/histogram.ts';
import type { StepMeasurement } from '../model/measurement.ts';
import { publishedRows, stepRow } from '../../test/support/step-rows.ts';
import { judge } from './judge.ts';
import { parseTarget } from './parse-target.ts';

const TARGETS = [
  'p95 of /books/[id] <= 100 ms at 200 users',
  'p95 of /search <= 200 ms at 200 users',
  'errors = 0 at 200 users',
  'cpu <= 70 % at 200 users',
].map(parseTarget);

test('before the fix the worked case fails: book p95 105 ms, and 70 % CPU has no margin', () => {
  const verdict = judge(TARGETS, publishedRows('publishedBeforeFix'));
  assert.equal(verdict.decision, 'fail');
  assert.deepEqual(
    verdict.checks.map(({ result }) => result),
    ['fail', 'pass', 'pass', 'no-margin'],
  );
  assert.match(verdict.checks[0]!.reason, /105 ms at 200 users is above the limit of 100 ms; .*not known/);
  assert.match(verdict.checks[3]!.reason, /70 % at 200 users is within the limit .* needs <= 63 %/);
  assert.match(verdict.reason, /^1 of 4 fail: p95 of \/books.*105 ms.*others: 1 no-margin, 2 pass/);
  assert.deepEqual(
    verdict.checks.map(({ neededForPass }) => Number(neededForPass.toFixed(9))),
    [0.09, 0.18, 0, 0.63],
  );
});

test('after the fix it passes with margin', () => {
  const verdict = judge(TARGETS, publishedRows('publishedAfterFix'));
  assert.equal(verdict.decision, 'pass');
  assert.match(verdict.reason, /all 4 checks pass with a margin of 10 %/);
});

const at = (fields: Partial<StepRow>): StepRow => stepRow({ users: 10, ...fields });
const p95 = (overall: RoutePercentiles): StepRow => at({ overall });

const CASES: readonly (readonly [
  title: string,
  target: string,
  row: StepRow,
  result: string,
  says: RegExp,
])[] = [
  [
    '199 samples leave nine beyond p95',
    'p95 <= 1 s',
    p95({ p95Seconds: 0.1, sampleCount: 199 }),
    'inconclusive',
    /only 9 samples beyond p95/,
  ],
  [
    '200 samples leave ten',
    'p95 <= 1 s',
    p95({ p95Seconds: 0.1, sampleCount: 200 }),
    'pass',
    /from 200 samples/,
  ],
  [
    'an interval beyond the limit',
    'p95 <= 1 s',
    p95({ p95Seconds: 0.8, p95Interval: { low: 0.5, high: 1.1 }, sampleCount: 300 }),
    'no-margin',
    /95 % interval \(500 ms to 1.1 s\) reaches beyond 1 s/,
  ],
  [
    'an interval without an end',
    'p99 <= 1 s',
    p95({ p99Seconds: 0.8, p99Interval: { low: 0.5 } }),
    'no-margin',
    /no finite upper limit/,
  ],
  [
    'a value within its interval but without margin',
    'p95 <= 1 s',
    p95({ p95Seconds: 0.95, p95Interval: { low: 0.9, high: 0.99 }, sampleCount: 900 }),
    'no-margin',
    /without margin: passing needs <= 900 ms/,
  ],
  [
    'a throughput floor missed',
    'throughput >= 110/s',
    at({}),
    'fail',
    /100\/s at 10 users is below the limit of 110\/s/,
  ],
  [
    'a throughput whose interval reaches below',
    'throughput >= 90/s',
    at({ throughputStandardErrorPerSecond: 10 }),
    'no-margin',
    /interval \(77.4\/s to 123\/s\)/,
  ],
  [
    'no throughput of the route',
    'throughput of /x >= 9/s',
    at({ byRoute: { '/x': {} } }),
    'inconclusive',
    /no throughput of \/x/,
  ],
  [
    'one failed request',
    'errors = 0',
    at({ errorCount: 1, errorRatio: 0.001 }),
    'fail',
    /1 at 10 users where exactly 0 was asked for/,
  ],
  [
    'an error rate',
    'errors <= 1 %',
    at({ errorCount: 1, errorRatio: 0.001 }),
    'pass',
    /0.1 % at 10 users meets <= 0.9 %/,
  ],
  [
    'errors of a route that are not known apart',
    'errors of /x = 0',
    at({ errorCount: 3 }),
    'inconclusive',
    /not known apart from the 3/,
  ],
  [
    'errors that the table lacks',
    'errors = 0',
    at({ errorCountUnknown: true, errorRatioUnknown: true }),
    'inconclusive',
    /errors are not in the table \(10 users\)/,
  ],
  [
    'a share of errors that the table lacks',
    'error rate <= 1 %',
    at({ errorCountUnknown: true, errorRatioUnknown: true }),
    'inconclusive',
    /errors are not in the table/,
  ],
  [
    'a share of errors without a count, where none may fail',
    'errors = 0',
    at({ errorRatio: 0.03, errorCountUnknown: true }),
    'fail',
    /3 % of the requests failed, and none may/,
  ],
  [
    'a count of errors without a share, where none may fail',
    'error rate = 0',
    at({ errorCount: 2, errorRatioUnknown: true }),
    'fail',
    /2 requests failed, and none may/,
  ],
  [
    'the machine known, the process not',
    'cpu <= 70 %',
    at({ machineCpuRatio: 0.16 }),
    'inconclusive',
    /only the machine's CPU \(16 %\)/,
  ],
  ['nothing known of the CPU', 'cpu <= 70 %', at({}), 'inconclusive', /not watched/],
  ['a route without figures', 'p95 of /x <= 1 s', at({}), 'inconclusive', /no response times of \/x/],
  [
    'a percentile the table lacks',
    'p90 <= 1 s',
    p95({ p95Seconds: 1 }),
    'inconclusive',
    /p90 is not in this table/,
  ],
  [
    'a load that is no step',
    'p95 <= 1 s at 20 users',
    p95({ p95Seconds: 0.1 }),
    'inconclusive',
    /no step at 20 users: the steps are 10 users/,
  ],
  [
    'a load of another kind',
    'p95 <= 1 s at 10 workers',
    p95({ p95Seconds: 0.1 }),
    'inconclusive',
    /no step at 10 workers/,
  ],
  ['a mean', 'mean <= 1 s', p95({ meanSeconds: 0.5 }), 'pass', /500 ms/],
];

for (const [title, target, row, result, says] of CASES) {
  test(`${title}: ${result}`, () => {
    const verdict = judge([parseTarget(target)], [row]);
    assert.equal(verdict.checks[0]!.result, result);
    assert.match(verdict.checks[0]!.reason, says);
    assert.equal(verdict.decision, result);
  });
}

test('a step that is not valid draws no verdict, whatever the others say', () => {
  const message = 'the generator was at 93 % of its cores';
  const row = p95({ p95Seconds: 9 });
  const bad = { ...row, valid: false, notices: [{ code: 'x', severity: 'warning' as const, message }] };
  const verdict = judge([parseTarget('p95 <= 1 s')], [bad]);
  assert.equal(verdict.decision, 'invalid');
  assert.match(verdict.reason, /step at 10 users is not valid: the generator was at 93 %/);
});

test('an invalid step that no target needs does not matter', () => {
  const rows = [at({ index: 0, users: 1, valid: false }), p95({ p95Seconds: 0.1 })];
  assert.equal(judge([parseTarget('p95 <= 1 s at 10 users')], rows).decision, 'pass');
});

test('a target without a load is judged at the peak load, or else at the highest', () => {
  const rows = [100, 300, 200].map((users, index) => stepRow({ index, users }));
  const target = [parseTarget('throughput >= 1/s')];
  assert.equal(judge(target, rows, { peakLoad: 200 }).checks[0]!.stepIndex, 2);
  assert.equal(judge(target, rows).checks[0]!.stepIndex, 1);
});

test('without targets nothing is judged', () => {
  assert.equal(judge([], []).decision, 'not-judged');
  assert.match(judge([parseTarget('errors = 0')], []).checks[0]!.reason, /no steps to judge/);
});

test('the decision is the worst of the checks', () => {
  const rows = [at({ overall: { p95Seconds: 0.095 }, utilizationRatio: { cpu: 0.1 } })];
  const decide = (...texts: string[]): string => judge(texts.map(parseTarget), rows).decision;
  assert.equal(decide('cpu <= 70 %', 'p99 <= 1 s'), 'inconclusive');
  assert.equal(decide('cpu <= 70 %', 'p99 <= 1 s', 'p95 <= 100 ms'), 'no-margin');
  assert.equal(decide('cpu <= 5 %', 'p99 <= 1 s', 'p95 <= 100 ms'), 'fail');
});

test('other percentiles and errors by route come from the measurement', () => {
  const times = new Histogram();
  for (let i = 1; i <= 1000; i += 1) times.record(i / 1000);
  const route = {
    requestClassId: 'GET /x',
    route: '/x',
    okCount: 997,
    errorCount: 2,
    timeoutCount: 1,
    droppedCount: 0,
    responseTime: times.toData(),
  };
  const measurement = {
    step: { index: 0 },
    byRoute: [route],
    responseTime: times.toData(),
  } as unknown as StepMeasurement;
  const rows = [
    at({ errorCount: 3, overall: { sampleCount: 1000 }, byRoute: { '/x': { sampleCount: 1000 } } }),
  ];
  const check = (text: string) =>
    judge([parseTarget(text)], rows, { measurements: [measurement] }).checks[0]!;
  assert.ok(Math.abs(check('p90 <= 2 s').observed! - 0.9) <= 0.9 / 1024);
  assert.ok(Math.abs(check('p75 of /x <= 2 s').observed! - 0.75) <= 0.75 / 1024);
  assert.equal(check('p99.9 <= 2 s').result, 'inconclusive');
  assert.equal(check('errors of /x = 0').observed, 3);
  assert.equal(check('error rate of GET /x <= 1 %').observed, 0.003);
});
