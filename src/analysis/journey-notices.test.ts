import assert from 'node:assert/strict';
import { test } from 'node:test';
import { histogramOf, soundStep } from '../../test/support/measurements.ts';
import { journeyNotices } from './journey-notices.ts';
import { stepTable } from './step-table.ts';

const journey = (endedCount: number, failedCount: number) => ({
  name: 'order',
  kind: 'journey' as const,
  endedCount,
  failedCount,
  duration: histogramOf([]),
});

test('journeys that break off are told, and spoil a step where most of them do', () => {
  for (const [ended, failed, expected] of [
    [100, 0, []],
    [100, 1, []],
    [100, 2, ['warning']],
    [100, 51, ['red-flag']],
    [3, 3, ['red-flag']],
    [0, 0, []],
  ] as const) {
    const notices = journeyNotices({ scenario: { parts: [journey(ended, failed)], checks: [] } });
    assert.deepEqual(
      notices.map(({ severity }) => severity),
      expected,
      `${failed} of ${ended}`,
    );
  }
});

test('arrivals of journeys with three requests each keep their rate, though three times as many requests are sent', () => {
  const driver = { kind: 'open', arrivalRatePerSecond: 20, arrivals: 'constant', maxInFlight: 100 } as const;
  const base = soundStep();
  const step = { ...base.step, driver };
  const byRoute = [{ ...base.byRoute[0]!, sentCount: Math.round(60 * base.windowSeconds) }];
  const scenario = { parts: [journey(20, 0)], checks: [] };
  const codes = (more: object): readonly string[] =>
    stepTable([soundStep({ step, byRoute, ...more })])[0]!.notices.map(({ code }) => code);
  assert.ok(codes({}).includes('load-not-reached'));
  assert.ok(!codes({ scenario }).includes('load-not-reached'));
});
