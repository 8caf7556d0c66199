import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tableOf, type MadeRequest } from '../../test/support/log-table.ts';
import { createRandom, drawExponential } from '../stats/random.ts';
import { buildWorkload } from './build-workload.ts';
import { etaSquared } from './selectors.ts';

test('η² is the between-group share of the sum of squares', () => {
  // Groups {1, 2, 3} and {5, 6, 7}: between 24, within 4.
  assert.equal(
    etaSquared([
      [3, 6, 14],
      [3, 18, 110],
    ]),
    24 / 28,
  );
  assert.equal(etaSquared([[3, 6, 12]]), 0);
  assert.equal(etaSquared([]), 0);
});

function routesOf(
  make: (index: number, random: ReturnType<typeof createRandom>) => Partial<MadeRequest>,
): string[] {
  const random = createRandom(3);
  const log = Array.from({ length: 300 }, (_, index) => ({
    at: 1_796_000_000 + index,
    ...make(index, random),
  }));
  return buildWorkload(tableOf(log))
    .requestClasses.map(({ route }) => route)
    .sort();
}

const WORDS = ['cat', 'dog', 'owl'];
const word = (index: number): string => WORDS[index % 3]!;
const JUDGED = [
  ['the name of a dispatcher selects', (index) => ({ target: `/x?action=${word(index)}` }), 3],
  [
    'a word that changes nothing is data',
    (index, random) => ({ target: `/x?q=${word(index)}`, seconds: drawExponential(random, 0.1) }),
    1,
  ],
  [
    'a word on which the time hangs selects',
    (index, random) => ({
      target: `/x?q=${word(index)}`,
      seconds: drawExponential(random, 0.01 * 20 ** (index % 3)),
    }),
    3,
  ],
  [
    'a word on which failure hangs selects',
    (index) => ({ target: `/x?q=${word(index)}`, status: index % 3 === 0 ? 500 : 200 }),
    3,
  ],
  [
    'numbers are data',
    (index, random) => ({
      target: `/x?page=${index % 3}`,
      seconds: drawExponential(random, 0.01 * 20 ** (index % 3)),
    }),
    1,
  ],
  ['thirteen values are data', (index) => ({ target: `/x?action=w${'abcdefghijklm'[index % 13]}` }), 1],
  [
    'what counts visits or defeats caches is noise',
    (index) => ({ target: `/x?utm_source=${word(index)}&_=${index}` }),
    1,
  ],
] as const satisfies readonly (readonly [string, Parameters<typeof routesOf>[0], number])[];

for (const [what, make, count] of JUDGED)
  test(what, () => {
    assert.equal(routesOf(make).length, count);
  });
