import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPaint, hanging, table, wrap } from './text-layout.ts';

const plain = createPaint(false);
const column = (heading: string, group?: string) => ({
  heading,
  cells: ['1', '22'],
  ...(group === undefined ? {} : { group }),
});
const routes = Array.from({ length: 30 }, (_, i) => [
  column('p50', `/route/${i}`),
  column('p95', `/route/${i}`),
]);

test('thirty routes wrap into blocks, each with the load again, none split from its name', () => {
  const lines = table([column('users'), column('X/s'), ...routes.flat()], 80, plain);
  assert.ok(lines.every((line) => line.length <= 80));
  const headings = lines.filter((line) => line.includes('users'));
  assert.ok(headings.length > 2);
  for (const heading of headings.slice(1))
    assert.equal(heading.match(/p50/g)?.length, heading.match(/p95/g)?.length);
  assert.equal(lines.join('\n').match(/\/route\/\d+/g)?.length, 30);
});

test('a table that fits stays one block in the order of its columns', () => {
  assert.deepEqual(table([column('users'), column('p50', '/a'), column('err')], 80, plain), [
    '        /a',
    'users  p50  err',
    '    1    1    1',
    '   22   22   22',
  ]);
});

test('no columns make no lines', () => {
  assert.deepEqual(table([], 80, plain), []);
});

test('a word longer than the line keeps a line of its own', () => {
  assert.deepEqual(wrap('a bbbbbbbb c', 4), ['a', 'bbbbbbbb', 'c']);
});

test('later lines stand under the first', () => {
  assert.deepEqual(hanging('  - ', 'one two three four five six seven', 28), [
    '  - one two three four five',
    '    six seven',
  ]);
});
