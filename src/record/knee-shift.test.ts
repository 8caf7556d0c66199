import assert from 'node:assert/strict';
import test from 'node:test';
import { sampleRecord } from '../../test/support/sample-record.ts';
import type { Interval } from '../model/distribution.ts';
import type { Prediction } from '../model/prediction.ts';
import type { RunRecord } from '../model/record.ts';
import { kneeShift } from './knee-shift.ts';
import { scorePredictions } from './score-predictions.ts';

function withKnee(users: number | undefined, interval?: Interval): RunRecord {
  const record = sampleRecord();
  const knee =
    users === undefined
      ? { seen: false, reason: 'the curve is straight up to 300' }
      : { seen: true, reason: 'it bends', users, ...(interval && { interval }) };
  return { ...record, analysis: { ...record.analysis, knee } };
}

const CASES = [
  {
    title: 'knees whose intervals lie apart have moved',
    before: [withKnee(8, [7, 9])],
    after: [withKnee(16, [14.5, 17])],
    verdict: 'moved',
    text: /moved from 8 \(7–9\) to 16 \(14.5–17\) \(× 2\)/,
  },
  {
    title: 'knees whose intervals overlap are not shown to have moved',
    before: [withKnee(8, [7, 9])],
    after: [withKnee(9.5, [8.5, 11])],
    verdict: 'not shown',
    text: /overlap/,
  },
  {
    title: 'of several runs the widest span counts, and the median',
    before: [withKnee(8, [7, 9]), withKnee(10, [9, 15]), withKnee(9, [8, 10])],
    after: [withKnee(16, [14.5, 17])],
    verdict: 'not shown',
    text: /from 9 \(7–15\)/,
  },
  {
    title: 'a side without a knee says why',
    before: [withKnee(8, [7, 9])],
    after: [withKnee(undefined)],
    verdict: 'unknown',
    text: /after, the curve is straight up to 300/,
  },
] as const;

for (const { title, before, after, verdict, text } of CASES) {
  test(title, () => {
    const shift = kneeShift(before, after);
    assert.equal(shift.verdict, verdict);
    assert.match(shift.text, text);
  });
}

test('a change that was asked about is scored at every load both have, and kept or missed by its limits', () => {
  const after = sampleRecord();
  const rows = after.analysis.steps.filter(({ valid }) => valid);
  const [low, high] = [rows[0]!, rows.at(-1)!].map((row) => row.users!);
  const [route] = Object.keys(rows.at(-1)!.byRoute);
  const step = (users: number, throughputPerSecond: number) => ({
    users,
    throughputPerSecond,
    responseTimeSeconds: 0.01,
    byRoute: {},
    p95ByRoute: { [route!]: 0.5 * rows.at(-1)!.byRoute[route!]!.p95Seconds! },
    utilizationRatio: { cpu: 0.5 },
  });
  const prediction: Prediction = {
    basis: 'isolated routes',
    method: 'mean values',
    whatIf: ['pool=16'],
    thinkTimeSeconds: 0,
    serverCount: { cpu: 1 },
    serviceDemandSeconds: { cpu: 0.01 },
    bottleneck: 'cpu',
    throughputLimitPerSecond: 100,
    saturationUsers: 10,
    steps: [
      step(low!, rows[0]!.throughputPerSecond / 1.05),
      step(high!, 0.8 * rows.at(-1)!.throughputPerSecond),
      step(1e6, 1),
    ],
    notices: [],
  };
  const scored = scorePredictions([], [after], [prediction]);
  const at = (quantity: RegExp, users: number) =>
    scored.find((one) => quantity.test(one.quantity) && new RegExp(` ${users} users?$`).test(one.quantity))!;
  assert.equal(scored[0]!.option, 'what if pool=16');
  const low5 = at(/^throughput/, low!);
  assert.ok(Math.abs(low5.errorRatio! - 0.05) < 1e-9);
  assert.deepEqual([low5.limitRatio, low5.outcome], [0.1, 'kept']);
  const high25 = at(/^throughput/, high!);
  assert.ok(Math.abs(high25.errorRatio! - 0.25) < 1e-9);
  assert.equal(high25.outcome, 'missed');
  const late = at(/^p95/, high!);
  assert.ok(Math.abs(late.errorRatio! - 1) < 1e-9);
  assert.deepEqual([late.limitRatio, late.outcome], [0.3, 'missed']);
  // U and the saturation belong to the whole curve, and have no limit.
  const whole = scored.filter(({ quantity }) => /^(utilization|saturation)/.test(quantity));
  assert.ok(
    whole.every(
      ({ outcome, quantity }) => outcome === undefined && !new RegExp(` ${low} users?$`).test(quantity),
    ),
  );
});
