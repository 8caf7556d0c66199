import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesText, countText, figure, loadOf, loadText, percentText, secondsText } from './wording.ts';

const CASES: readonly (readonly [string, string])[] = [
  [figure(1234.5), '1230'],
  [figure(0), '0'],
  [secondsText(0.105), '105 ms'],
  [secondsText(0.00021), '0.21 ms'],
  [secondsText(1.25), '1.25 s'],
  [percentText(0.7), '70 %'],
  [percentText(0.0004), '0.04 %'],
  [bytesText(113e6), '113 MB'],
  [countText(1, 'step'), '1 step'],
  [countText(2, 'step'), '2 steps'],
  [loadText({ index: 0, users: 200 }), '200 users'],
  [loadText({ index: 0, concurrency: 1 }), '1 worker'],
  [loadText({ index: 0, arrivalRatePerSecond: 12.5 }), '12.5/s'],
  [loadText({ index: 3 }), 'step 3'],
  [loadText({ index: 1, users: 8, part: 'window 2' }), '8 users (window 2)'],
];

for (const [text, expected] of CASES) {
  test(`a reader sees ${expected}`, () => assert.equal(text, expected));
}

test('a row without a load has none', () => assert.equal(loadOf({}), undefined));
