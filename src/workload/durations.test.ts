import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loopingUser, tableOf, type MadeRequest } from '../../test/support/log-table.ts';
import { near } from '../../test/support/truth.ts';
import type { WorkloadModel } from '../model/workload.ts';
import { renderWorkload } from '../report/workload-text.ts';
import { createRandom } from '../stats/random.ts';
import { buildWorkload } from './build-workload.ts';
import { timeSummaryOf, weightedSummaryOf } from './summary.ts';

const SLOW = '/report';

/** Twenty users whose answers take 0.4 s on average, those of a fifth of the pages 2 s more. */
function log(): MadeRequest[] {
  return Array.from({ length: 20 }, (_, user) =>
    loopingUser(`10.0.0.${user}`, { seconds: 0.4, pause: 8, span: 1800, seed: user + 1 }).map((one, index) =>
      index % 5 === 0 ? { ...one, seconds: one.seconds! + 2, target: SLOW } : one,
    ),
  )
    .flat()
    .sort((a, b) => a.at - b.at);
}

const without = (request: MadeRequest): MadeRequest => {
  const { seconds, ...rest } = request;
  assert.notEqual(seconds, undefined);
  return rest;
};
const modelOf = (requests: readonly MadeRequest[]): WorkloadModel =>
  buildWorkload(tableOf(requests), { window: 'all' });
const codesOf = ({ warnings }: WorkloadModel): string[] => warnings.map(({ code }) => code);

const whole = log();
const timed = modelOf(whole);
const random = createRandom(3);
const kept = whole.map(() => random.next());

test('R and Z of a log of which a third has durations are those of the whole', () => {
  // Nine of ten slow requests have one, and a fifth of the others: plain means would be far off.
  const model = modelOf(
    whole.map((one, index) => (kept[index]! < (one.target === SLOW ? 0.9 : 0.2) ? one : without(one))),
  );
  const share = model.timedRequestCount! / model.requestCount;
  assert.ok(share > 0.25 && share < 0.45);
  // About 800 exponential times of mean 0.4 s, weighted by 0.8: three standard errors are 0.034 s of 0.8 s.
  near(model.responseTimeSeconds!.mean, timed.responseTimeSeconds!.mean, 0.05, 'R');
  near(model.thinkTimeSeconds!.mean, timed.thinkTimeSeconds!.mean, 0.01, 'Z');
  near(model.activeUsers, timed.activeUsers!, 0.01, 'M');
  const plain = whole.filter((one, index) => kept[index]! < (one.target === SLOW ? 0.9 : 0.2));
  const plainMean = plain.reduce((sum, { seconds }) => sum + seconds!, 0) / plain.length;
  assert.ok(plainMean > timed.responseTimeSeconds!.mean * 1.5);
  const said = model.warnings.find(({ code }) => code === 'some-durations')!;
  assert.equal(said.severity, 'warning');
  assert.match(said.message, new RegExp(`^${model.timedRequestCount} of ${model.requestCount} requests`));
  assert.match(
    renderWorkload(model, { color: false, width: 200 }),
    /response time R .* that have one \([\d.]+ %\)/,
  );
});

test('durations of one kind of request only do not speak for all, and the number is said', () => {
  const model = modelOf(whole.map((one) => (one.target === SLOW ? one : without(one))));
  assert.equal(model.responseTimeSeconds, undefined);
  assert.ok(codesOf(model).includes('few-durations'));
  assert.ok(!codesOf(model).includes('no-durations'));
  near(model.activeUsers, timed.activeUsers!, 0.02, 'M');
  const text = renderWorkload(model, { color: false, width: 200 });
  assert.match(
    text,
    new RegExp(
      `response time R\\s+not known: only ${model.timedRequestCount} of [\\d,]+ requests have a duration`,
    ),
  );
  assert.doesNotMatch(text, /the log has no durations/);
});

test('a handful of durations is too few', () => {
  const model = modelOf(whole.map((one, index) => (index % 200 === 0 ? one : without(one))));
  assert.ok(model.timedRequestCount! > 10);
  assert.deepEqual([model.responseTimeSeconds, codesOf(model).includes('few-durations')], [undefined, true]);
});

test('durations of the first minute only do not speak for half an hour', () => {
  const model = modelOf(whole.map((one) => (one.at < 60 ? one : without(one))));
  assert.ok(model.timedRequestCount! > 30);
  assert.deepEqual([model.responseTimeSeconds, codesOf(model).includes('few-durations')], [undefined, true]);
});

test('without any, and with all, it is as it was', () => {
  const none = modelOf(whole.map(without));
  assert.deepEqual([none.responseTimeSeconds, none.timedRequestCount], [undefined, undefined]);
  assert.ok(codesOf(none).includes('no-durations'));
  assert.equal(timed.timedRequestCount, undefined);
});

test('values that stand for one each make the plain summary, and for more, that of as many', () => {
  const values = Float64Array.of(3, 1, 4, 1, 5, 9, 2, 6);
  assert.deepEqual(weightedSummaryOf(values, new Float64Array(8).fill(1)), timeSummaryOf(values));
  const weighted = weightedSummaryOf(Float64Array.of(1, 10), Float64Array.of(97, 3))!;
  const repeated = Float64Array.from({ length: 100 }, (_, index) => (index < 97 ? 1 : 10));
  assert.deepEqual({ ...weighted, count: 100 }, timeSummaryOf(repeated));
});
