import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tableOf } from '../../test/support/log-table.ts';
import { buildWorkload } from '../workload/build-workload.ts';
import { renderWorkload } from './workload-text.ts';

/** Sixty pages with long names of their own, each asked for once more than the last. */
const MODEL = buildWorkload(
  tableOf(
    Array.from({ length: 60 }, (_, page) => {
      const name = `${String.fromCharCode(97 + (page % 26))}${'x'.repeat(Math.floor(page / 26) + 1)}`;
      return Array.from({ length: page + 5 }, (_, index) => ({
        at: index + page / 100,
        target: `/${name}/${'long'.repeat(30)}/${name}?q=${'value'.repeat(40)}`,
      }));
    }).flat(),
  ),
  { window: 'all' },
);

for (const width of [60, 80, 200])
  test(`at ${width} columns no line of a workload with long paths and values is wider`, () => {
    const wide = renderWorkload(MODEL, { color: false, width })
      .split('\n')
      .filter((line) => [...line].length > width);
    assert.deepEqual(wide, []);
  });

test('of many routes the largest are shown, and the rest is summed up', () => {
  const text = renderWorkload(MODEL, { color: false, width: 100 });
  const [first] = MODEL.requestClasses;
  assert.ok(text.includes(first!.id.slice(0, 20)));
  assert.match(text, /and 20 routes more with 14 % of the requests; --json has them all/);
  assert.match(text, /and 20 parameters more; --json has them all/);
});

test('a log without durations has no columns of dashes', () => {
  assert.doesNotMatch(renderWorkload(MODEL, { color: false, width: 100 }), /R mean/);
});
