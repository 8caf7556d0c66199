import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BORDER_PER_SECOND, searchOnMm1 } from '../support/search-mm1.ts';

test('searches on M/M/1 end within 5 % of μ − ln 20/R95 (npm run bench:search: 95 of 100 seeds)', () => {
  const runs = Array.from({ length: 8 }, (_, i) => searchOnMm1(i + 1));
  const found = runs.map(({ result }) => result.highestPassing! / BORDER_PER_SECOND - 1);
  // 95 of 100 leave room for one of eight.
  assert.ok(found.filter((error) => Math.abs(error) <= 0.05).length > 6, found.join(', '));
  for (const { result } of runs) {
    assert.ok(result.isNarrow, result.reason);
    assert.ok(result.lowestFailing! <= 1.03 * result.highestPassing!);
  }
});
