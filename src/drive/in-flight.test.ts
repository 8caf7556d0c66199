import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { OwnInFlight, SharedInFlight } from './in-flight.ts';

const CLASSES = 3;
/** Microseconds from event to event, the thread and the class; a request is sent, or the oldest of its class ends. */
const event = fc.record({
  afterMicroseconds: fc.integer({ min: 1, max: 3e7 }),
  thread: fc.nat(3),
  classIndex: fc.nat(CLASSES - 1),
  isSend: fc.boolean(),
});

test('threads that share memory see what one generator sees: who is in flight, and how long nobody was answered', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), (events) => {
      const own = new OwnInFlight(CLASSES);
      const memory = SharedInFlight.memory(CLASSES);
      const threads = Array.from({ length: 4 }, () => new SharedInFlight(memory));
      const flying = [0, 0, 0];
      let microseconds = 0;
      for (const { afterMicroseconds, thread, classIndex, isSend } of events) {
        microseconds += afterMicroseconds;
        const at = microseconds / 1e6;
        const shared = threads[thread]!;
        if (isSend) {
          assert.equal(shared.sent(classIndex, at), own.sent(classIndex, at));
          flying[classIndex]! += 1;
        } else if (flying[classIndex]! > 0) {
          const difference = shared.ended(classIndex, at) - own.ended(classIndex, at);
          assert.ok(Math.abs(difference) <= 2e-6, `${difference} s`);
          flying[classIndex]! -= 1;
        }
      }
    }),
    { seed: 5, numRuns: 500 },
  );
});

test('an answer that is heard after a later one of another thread makes no gap below zero', () => {
  const memory = SharedInFlight.memory(1);
  const [first, second] = [new SharedInFlight(memory), new SharedInFlight(memory)];
  first.sent(0, 1);
  second.sent(0, 1);
  assert.ok(Math.abs(second.ended(0, 1.5) - 0.5) < 1e-6);
  assert.equal(first.ended(0, 1.4), 0);
});
