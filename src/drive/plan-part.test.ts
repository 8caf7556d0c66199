import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { firstOwn, isOwn, ownShare, partsOf } from './plan-part.ts';

const SEED = { seed: 11 };
const count = fc.integer({ min: 1, max: 9 });

test('every user and every arrival belongs to exactly one part', () => {
  fc.assert(
    fc.property(count, fc.nat(1000), (parts, number) => {
      assert.equal(partsOf(parts).filter((part) => isOwn(number, part)).length, 1);
    }),
    SEED,
  );
});

test('shares add up to the whole and differ by one at most', () => {
  fc.assert(
    fc.property(count, fc.nat(1000), (parts, total) => {
      const shares = partsOf(parts).map((part) => ownShare(total, part));
      assert.equal(
        shares.reduce((sum, share) => sum + share, 0),
        total,
      );
      assert.ok(Math.max(...shares) - Math.min(...shares) <= 1);
    }),
    SEED,
  );
});

test('counting from the first own number in steps of the part count gives the own numbers and no other', () => {
  fc.assert(
    fc.property(count, fc.nat(50), fc.nat(50), (parts, from, length) => {
      for (const part of partsOf(parts)) {
        const counted: number[] = [];
        for (let i = firstOwn(from, part); i < from + length; i += part.count) counted.push(i);
        const expected = Array.from({ length }, (_, i) => from + i).filter((i) => isOwn(i, part));
        assert.deepEqual(counted, expected);
      }
    }),
    SEED,
  );
});

for (const wrong of [0, -1, 1.5, Number.NaN]) {
  test(`a plan cannot be split into ${wrong} parts`, () => {
    assert.throws(() => partsOf(wrong), RangeError);
  });
}
