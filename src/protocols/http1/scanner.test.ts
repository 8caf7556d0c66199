import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ANSWER_CASES, type AnswerCase } from '../../../test/support/http1-answers.ts';
import { asciiBytes } from './bytes.ts';
import { KnownHead, ReadBuffer } from './known-head.ts';
import { ResponseScanner } from './scanner.ts';

const READ_BUFFER = new ReadBuffer(128 * 1024);

/** Feeds the octets in pieces that end at `cuts`, then the end of the connection; returns what an `AnswerCase` expects. */
function scan(
  answer: Uint8Array,
  cuts: readonly number[],
  known = new KnownHead(true),
  scanner = new ResponseScanner(),
): AnswerCase['expected'] {
  scanner.begin(known);
  let from = 0;
  for (const to of [...cuts, answer.length]) {
    READ_BUFFER.bytes.set(answer.subarray(from, to));
    if (scanner.read(READ_BUFFER, to - from)) break;
    from = to;
  }
  if (scanner.fault !== '') return scanner.fault;
  if (!scanner.complete && !scanner.end()) return 'cut short';
  return { status: scanner.status, bodyBytes: scanner.bodyBytes, keepAlive: scanner.keepAlive };
}

const memoryFor = (sample: AnswerCase): KnownHead => new KnownHead(sample.method !== 'HEAD');
const SHORT_CASES = ANSWER_CASES.filter((sample) => sample.answer.length < 1000);

for (const sample of ANSWER_CASES) {
  test(`${sample.title}: ${typeof sample.expected === 'string' ? sample.expected : 'read'}`, () => {
    assert.deepEqual(scan(asciiBytes(sample.answer), [], memoryFor(sample)), sample.expected);
  });
}

test('an answer reads the same octet by octet and split at every place', () => {
  for (const sample of SHORT_CASES) {
    const bytes = asciiBytes(sample.answer);
    const everywhere = Array.from(bytes.keys());
    if (sample.expected !== 'bytes follow the answer') {
      assert.deepEqual(scan(bytes, everywhere, memoryFor(sample)), sample.expected, sample.title);
    }
    for (const cut of everywhere) {
      const seen = scan(bytes, [cut], memoryFor(sample));
      // What follows an answer in a read of its own is the connection's matter, no longer the scanner's.
      if (sample.expected === 'bytes follow the answer' && typeof seen !== 'string') continue;
      assert.deepEqual(seen, sample.expected, `${sample.title}, cut at ${cut}`);
    }
  }
});

test('an answer reads the same in any pieces', () => {
  const pieces = fc.tuple(
    fc.constantFrom(...SHORT_CASES.filter((sample) => sample.expected !== 'bytes follow the answer')),
    fc.array(fc.nat(1000), { maxLength: 8 }),
  );
  fc.assert(
    fc.property(pieces, ([sample, places]) => {
      const bytes = asciiBytes(sample.answer);
      const cuts = places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b);
      assert.deepEqual(scan(bytes, cuts, memoryFor(sample)), sample.expected, sample.title);
    }),
    { seed: 3, numRuns: 2000 },
  );
});

test('a head that is known already changes nothing in what is read', () => {
  const scanner = new ResponseScanner();
  for (const first of SHORT_CASES) {
    const known = memoryFor(first);
    scan(asciiBytes(first.answer), [], known, scanner);
    for (const second of SHORT_CASES) {
      if (second.method !== first.method) continue;
      const title = `${second.title} after ${first.title}`;
      assert.deepEqual(scan(asciiBytes(second.answer), [], known, scanner), second.expected, title);
      assert.deepEqual(
        scan(asciiBytes(second.answer), [], known, scanner),
        second.expected,
        `${title}, again`,
      );
    }
  }
});

test('a status line that came is kept when the rest does not', () => {
  const scanner = new ResponseScanner();
  for (const [text, status] of [
    ['HTTP/1.1 20', 0],
    ['HTTP/1.1 200', 200],
    ['HTTP/1.1 503 Busy\r\nRetry-', 503],
    ['HTTP/1.1 100 Continue\r\n\r\n', 0],
    ['HTTP/1.1 200 OK\r\nContent-Length: x', 200],
  ] as const) {
    scan(asciiBytes(text), [], new KnownHead(true), scanner);
    assert.equal(scanner.status, status, text);
  }
});

test('all octets of an answer are counted: interim heads, head, framing and content', () => {
  for (const sample of ANSWER_CASES) {
    if (typeof sample.expected === 'string') continue;
    const scanner = new ResponseScanner();
    scan(
      asciiBytes(sample.answer),
      [7, 40].filter((cut) => cut < sample.answer.length),
      memoryFor(sample),
      scanner,
    );
    assert.equal(scanner.receivedBytes, sample.answer.length, sample.title);
  }
});

test('a Location is read the same in any two pieces, known head or not, and forgotten with the next answer', () => {
  const scanner = new ResponseScanner();
  const known = new KnownHead(true);
  const moved = asciiBytes('HTTP/1.1 302 Found\r\nLOCATION:  /a?b=c \r\nContent-Length: 0\r\n\r\n');
  const plain = asciiBytes('HTTP/1.1 200 OK\r\nX-Location: /x\r\nContent-Length: 0\r\n\r\n');
  for (let cut = 0; cut <= moved.length; cut++) {
    scan(moved, [cut], known, scanner);
    assert.equal(scanner.location.trim(), '/a?b=c', `cut at ${cut}`);
    scan(moved, [], known, scanner);
    assert.equal(scanner.location.trim(), '/a?b=c', `known after ${cut}`);
    scan(plain, [], known, scanner);
    assert.equal(scanner.location, '');
  }
});

test('octets from anywhere never make the scanner throw, hang or read beyond what came', () => {
  const scanner = new ResponseScanner();
  const mutation = fc.record({
    at: fc.nat(200),
    octet: fc.nat(255),
    kind: fc.constantFrom('replace', 'insert', 'remove'),
  });
  const mutated = fc
    .tuple(fc.constantFrom(...SHORT_CASES), fc.array(mutation, { minLength: 1, maxLength: 6 }))
    .map(([sample, mutations]) => {
      const octets = Array.from(asciiBytes(sample.answer));
      for (const { at, octet, kind } of mutations) {
        octets.splice(
          at % (octets.length + 1),
          kind === 'insert' ? 0 : 1,
          ...(kind === 'remove' ? [] : [octet]),
        );
      }
      return Uint8Array.from(octets);
    });
  fc.assert(
    fc.property(fc.oneof(mutated, fc.uint8Array({ maxLength: 200 })), fc.nat(200), (bytes, cut) => {
      const whole = scan(bytes, [], new KnownHead(true), scanner);
      assert.ok(scanner.receivedBytes <= bytes.length && scanner.bodyBytes <= scanner.receivedBytes);
      const split = scan(bytes, [Math.min(cut, bytes.length)]);
      if (whole !== 'bytes follow the answer') assert.deepEqual(split, whole);
    }),
    { seed: 4, numRuns: 20_000, interruptAfterTimeLimit: 2000 },
  );
});
