import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Frame } from '../model/measurement.ts';
import { COARSE_BITS, Histogram } from '../stats/histogram.ts';
import { decodeEvent, encodeEvent } from './event-codec.ts';

const seconds = fc.double({ min: 0, max: 3600, noNaN: true });
const count = fc.nat(1e9);
const histogram = (bits?: number) =>
  fc.array(seconds, { maxLength: 40 }).map((values) => {
    const recorder = new Histogram(bits);
    for (const value of values) recorder.record(value);
    return recorder.toData();
  });
const counts = fc.dictionary(fc.string({ minLength: 1, maxLength: 12 }), count, { noNullPrototype: true });

const frame: fc.Arbitrary<Frame> = fc.record({
  stepIndex: fc.nat(100),
  phase: fc.constantFrom('warmup', 'measure', 'drain'),
  startedAtSeconds: seconds,
  endedAtSeconds: seconds,
  routes: fc.array(
    fc.record({
      requestClassId: fc.string(),
      route: fc.string(),
      sentCount: count,
      okCount: count,
      errorCount: count,
      timeoutCount: count,
      droppedCount: count,
      receivedBytes: fc.nat(2 ** 40),
      responseTime: histogram(),
      sendToReplyTime: histogram(),
      failureTime: histogram(COARSE_BITS),
    }),
    { maxLength: 3 },
  ),
  errorCodes: counts,
  statusCounts: counts,
  inFlightSeconds: seconds,
  thinkingSeconds: seconds,
  thinkTimeSumSeconds: seconds,
  thinkTimeCount: count,
  retriedCount: count,
  connectionCount: count,
  interference: fc.constant([]),
  generator: fc.record({
    cpuSeconds: seconds,
    coreCount: seconds,
    utilizationRatio: seconds,
    scheduleLag: histogram(COARSE_BITS),
    eventLoopDelayMaxSeconds: seconds,
  }),
});

test('a frame comes back as it was sent, bin for bin', () => {
  fc.assert(
    fc.property(frame, seconds, (one, cpuSeconds) => {
      const event = {
        event: { kind: 'frame', frame: one },
        health: { cpuSeconds, waitedSeconds: 0 },
      } as const;
      // Objects of the generator have no prototype.
      assert.deepEqual(structuredClone(decodeEvent(encodeEvent(event))), structuredClone(event));
    }),
    { numRuns: 60 },
  );
});

test('the rare events come back as they were sent', () => {
  const totals = { byRoute: [], retriedCount: 0 };
  for (const event of [
    { kind: 'step-started', stepIndex: 2, atSeconds: 1.5 },
    { kind: 'step-finished', stepIndex: 2, endedEarly: 'interrupted' },
    { kind: 'finished', reason: 'completed', totals },
  ] as const)
    assert.deepEqual(decodeEvent(encodeEvent({ event })), { event });
});

test('bytes that hold no event are refused, wherever they were cut or changed', () => {
  const [one] = fc.sample(frame, { numRuns: 1, seed: 7 });
  const bytes = encodeEvent({ event: { kind: 'frame', frame: one! } });
  for (let length = 0; length < bytes.length; length += 1)
    assert.throws(() => decodeEvent(bytes.subarray(0, length)), `cut after ${length}`);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (noise) => {
      try {
        decodeEvent(noise);
      } catch (error) {
        assert.ok(error instanceof Error);
      }
    }),
  );
});
