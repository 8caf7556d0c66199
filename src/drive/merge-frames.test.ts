import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Frame } from '../model/measurement.ts';
import { Histogram } from '../stats/histogram.ts';
import type { Channel } from '../protocols/protocol.ts';
import { mergeFrames } from './merge-frames.ts';
import { Recorder } from './recorder.ts';

interface Sample {
  readonly sentAtSeconds: number;
  readonly responseTimeSeconds: number;
  readonly status: number;
}

const sample: fc.Arbitrary<Sample> = fc.record({
  sentAtSeconds: fc.double({ min: 0, max: 0.4, noNaN: true }),
  responseTimeSeconds: fc.double({ min: 1e-6, max: 0.5, noNaN: true }),
  status: fc.constantFrom(200, 304, 503),
});

const request = {
  id: 'GET /',
  method: 'GET',
  route: '/',
  shareRatio: 1,
  targets: { draw: 'uniform' as const, targets: ['/'], distinctCount: 1 },
};

/** What a generator records that saw these samples, between two edges of its own. */
function frameOf(samples: readonly Sample[], endedAtSeconds = 1): Frame {
  const probe = { read: () => ({ cpuSeconds: 0.1, eventLoopDelayMaxSeconds: 0 }) };
  const recorder = new Recorder([request], 0, probe);
  for (const { sentAtSeconds, responseTimeSeconds, status } of samples) {
    const mask = recorder.sent(0, sentAtSeconds, sentAtSeconds);
    const channel: Channel = {
      send: () => {},
      close: () => {},
      outcome: status < 400 ? 'ok' : 'error',
      status,
      errorCode: status < 400 ? '' : `http-${status}`,
      receivedBytes: 100,
      sentAtSeconds,
      endedAtSeconds: sentAtSeconds + responseTimeSeconds,
      retried: false,
    };
    recorder.done(channel, 0, sentAtSeconds, mask);
  }
  return recorder.cut(endedAtSeconds, 0, 'measure', 1);
}

const named = (frames: readonly Frame[]) => frames.map((frame, i) => ({ name: `worker ${i + 1}`, frame }));

test('the merged histogram is the one of all samples, bin for bin, however they were split', () => {
  fc.assert(
    fc.property(fc.array(fc.array(sample, { maxLength: 40 }), { minLength: 1, maxLength: 5 }), (split) => {
      const merged = mergeFrames(named(split.map((samples) => frameOf(samples))));
      const all = new Histogram();
      for (const { status, sentAtSeconds, responseTimeSeconds } of split.flat()) {
        if (status < 400) all.record(sentAtSeconds + responseTimeSeconds - sentAtSeconds);
      }
      const { sumSeconds, ...expected } = all.toData();
      const { sumSeconds: mergedSum, ...found } = merged.routes[0]!.responseTime;
      assert.deepEqual(found, expected);
      // Adding in another order: one rounding of 2^-53 an addition.
      assert.ok(Math.abs(mergedSum - sumSeconds) <= split.flat().length * 2 ** -52 * Math.max(1, sumSeconds));
    }),
    { seed: 5 },
  );
});

test('counts by outcome, status and error add up to the samples', () => {
  fc.assert(
    fc.property(fc.array(fc.array(sample, { maxLength: 40 }), { minLength: 1, maxLength: 5 }), (split) => {
      const merged = mergeFrames(named(split.map((samples) => frameOf(samples))));
      const all = split.flat();
      const failedCount = all.filter(({ status }) => status >= 400).length;
      const [route] = merged.routes;
      assert.equal(route!.sentCount, all.length);
      assert.equal(route!.errorCount, failedCount);
      assert.equal(route!.okCount, all.length - failedCount);
      assert.equal(merged.errorCodes['http-503'] ?? 0, failedCount);
      const statusSum = Object.values(merged.statusCounts).reduce((sum, count) => sum + count, 0);
      assert.equal(statusSum, all.length);
    }),
    { seed: 6 },
  );
});

test('requests in flight stay as many when one generator was woken later than the other', () => {
  // Each has one request in flight for its whole frame, of 1 s and of 1.1 s.
  const busy = (endedAtSeconds: number): Frame => ({
    ...frameOf([], endedAtSeconds),
    inFlightSeconds: endedAtSeconds,
  });
  const merged = mergeFrames(named([busy(1), busy(1.1)]));
  assert.equal(merged.endedAtSeconds, 1.05);
  assert.ok(Math.abs(merged.inFlightSeconds - 2 * 1.05) < 1e-12);
});

test('nothing to merge is a fault of the caller', () => {
  assert.throws(() => mergeFrames([]), RangeError);
});
