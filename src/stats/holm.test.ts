import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holm } from './holm.ts';

test('each p-value is held against what the smaller ones left', () => {
  // 0.01 ≤ 0.05/4 and 0.015 ≤ 0.05/3 pass; 0.03 > 0.05/2 stops it, and 0.04 with it.
  assert.deepEqual(holm([0.04, 0.01, 0.03, 0.015]), [false, true, false, true]);
  assert.deepEqual(holm([0.001, 0.002]), [true, true]);
  assert.deepEqual(holm([0.2]), [false]);
  assert.deepEqual(holm([]), []);
});
