import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { OwnInFlight, SharedInFlight } from './in-flight.ts';

const CLASSES = 3;
const THREADS = 4;
/** Microseconds from event to event, the thread and the class; a request is sent, or the oldest of its class ends. */
const event = (leastMicroseconds: number) =>
  fc.record({
    afterMicroseconds: fc.integer({ min: leastMicroseconds, max: 1e4 }),
    thread: fc.nat(THREADS - 1),
    classIndex: fc.nat(CLASSES - 1),
    isSend: fc.boolean(),
  });

interface Seen {
  readonly sharedMasks: number[];
  readonly ownMasks: number[];
  readonly gaps: { readonly shared: number; readonly own: number }[];
}

/** The same events told to threads that share memory and to one generator. A thread ends only what it sent. */
function replay(events: readonly { [K in 'afterMicroseconds' | 'thread' | 'classIndex']: number }[]): Seen {
  const own = new OwnInFlight(CLASSES);
  const memory = SharedInFlight.memory(THREADS);
  const threads = Array.from({ length: THREADS }, (_, i) => new SharedInFlight(memory, i, CLASSES));
  const flying = threads.map(() => Array.from({ length: CLASSES }, () => 0));
  const seen: Seen = { sharedMasks: [], ownMasks: [], gaps: [] };
  let microseconds = 0;
  for (const one of events) {
    microseconds += one.afterMicroseconds;
    const at = microseconds / 1e6;
    const { thread, classIndex } = one;
    const shared = threads[thread]!;
    if ('isSend' in one && one.isSend) {
      seen.sharedMasks.push(shared.sent(classIndex, at));
      seen.ownMasks.push(own.sent(classIndex, at));
      flying[thread]![classIndex]! += 1;
    } else if (flying[thread]![classIndex]! > 0) {
      seen.gaps.push({ shared: shared.ended(classIndex, at), own: own.ended(classIndex, at) });
      flying[thread]![classIndex]! -= 1;
    }
  }
  return seen;
}

test('threads that share memory see what one generator sees: who is in flight, and how long nobody was answered', () => {
  fc.assert(
    fc.property(fc.array(event(51), { maxLength: 60 }), (events) => {
      const { sharedMasks, ownMasks, gaps } = replay(events);
      assert.deepEqual(sharedMasks, ownMasks);
      for (const { shared, own } of gaps) {
        if (shared >= 0.0005) assert.equal(shared, own);
        else assert.ok(own <= shared, `${own} s, not ${shared}`);
      }
    }),
    { seed: 5, numRuns: 500 },
  );
});

test('a silence of half a millisecond and more is told to the microsecond, however fast events follow each other', () => {
  fc.assert(
    fc.property(fc.array(event(0), { maxLength: 200 }), (events) => {
      for (const { shared, own } of replay(events).gaps) {
        if (own >= 0.0005) assert.equal(shared, own);
        else assert.ok(shared < 0.0005 || shared === own, `${shared} s, not ${own}`);
      }
    }),
    { seed: 6, numRuns: 500 },
  );
});

test('what another thread sent less than 50 µs ago may be missed, and is seen afterwards', () => {
  const memory = SharedInFlight.memory(2);
  const [first, second] = [new SharedInFlight(memory, 0, 2), new SharedInFlight(memory, 1, 2)];
  assert.equal(first.sent(0, 1), 0);
  assert.equal(second.sent(1, 1.00001), 0b01);
  assert.equal(first.sent(0, 1.00002), 0b01);
  assert.equal(first.sent(0, 1.00006), 0b11);
});

test('an answer that is heard after a later one of another thread makes no gap below zero', () => {
  const memory = SharedInFlight.memory(2);
  const [first, second] = [new SharedInFlight(memory, 0, 1), new SharedInFlight(memory, 1, 1)];
  first.sent(0, 1);
  second.sent(0, 1);
  assert.equal(second.ended(0, 1.5), 0.5);
  assert.equal(first.ended(0, 1.4), 0);
});

test('a thread that was idle for hours hides no silence', () => {
  const memory = SharedInFlight.memory(2);
  const first = new SharedInFlight(memory, 0, 1);
  first.sent(0, 8000);
  assert.equal(first.ended(0, 8001), 1);
});
