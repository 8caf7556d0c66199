import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logText } from '../../test/support/log-source.ts';
import { loopingUser, tableOf, type MadeRequest } from '../../test/support/log-table.ts';
import { readLog } from '../access-log/read-log.ts';
import { createRandom } from '../stats/random.ts';
import { targetKinds } from './target-kinds.ts';
import { findUsers, type UserFindings } from './users.ts';

const SPAN = 1800;

function find(requests: readonly MadeRequest[], resolutionSeconds = 0.001): UserFindings {
  const table = tableOf(requests, resolutionSeconds);
  return findUsers({
    table,
    rows: Uint32Array.from(requests.keys()),
    kinds: targetKinds(table),
    hasDurations: requests.some(({ seconds }) => seconds !== undefined),
    spanSeconds: SPAN,
    timeoutSeconds: 1800,
  });
}

/** Forty readers of pages, eight seconds on each. */
const pages: readonly MadeRequest[] = Array.from({ length: 40 }, (_, index) =>
  loopingUser(`u${index}`, { seconds: 0.1, pause: 8, span: SPAN, seed: 300 + index }),
).flat();

/** What each page asks for by itself: an avatar and two pictures without an extension. */
const withPictures = (page: MadeRequest, index: number): MadeRequest[] => [
  page,
  { ...page, at: page.at + 0.2, seconds: 0.05, target: '/avatar', referer: page.target! },
  { ...page, at: page.at + 0.3, seconds: 0.05, target: `/image/${index}/200x200`, referer: page.target! },
  { ...page, at: page.at + 0.3, seconds: 0.05, target: `/image/${index + 7}/60x60`, referer: page.target! },
];

test('pictures without an extension whose referer is the page just got are part of its step', () => {
  const alone = find(pages);
  const found = find(pages.flatMap(withPictures));
  assert.equal(found.embeddedCount, 3 * pages.length);
  assert.equal(found.steps!.count, pages.length);
  assert.equal(found.steps!.requestsPerStep, 4);
  // A step ends with its last picture, a quarter of a second or so after the page.
  assert.ok(Math.abs(found.thinkTime!.mean - alone.thinkTime!.mean) < 0.3);
});

test('stamped to the second, in any order of the lines, they are found alike', () => {
  const requests = pages.flatMap(withPictures).map(({ at, client, target, referer }) => ({
    at: Math.floor(at),
    client: client!,
    target: target!,
    ...(referer !== undefined && { referer }),
  }));
  const found = find(requests, 1);
  const random = createRandom(3);
  const shuffled = requests
    .map((request) => ({ request, order: random.next() }))
    .sort((a, b) => a.order - b.order)
    .map(({ request }) => request);
  assert.deepEqual(find(shuffled, 1), found);
  assert.equal(found.steps!.count, pages.length);
});

const APART: readonly (readonly [what: string, requests: readonly MadeRequest[]])[] = [
  [
    'calls that a user makes from a page, one by one',
    pages.map((page, index) => ({
      ...page,
      target: index % 9 === 0 ? '/app' : `/api/items/${index}`,
      referer: '/app',
    })),
  ],
  [
    'calls that pages make now and then and programs make all the time',
    pages.flatMap((page, index) =>
      index % 4 === 0
        ? [page, { ...page, at: page.at + 0.2, target: `/api/items/${index}`, referer: page.target! }]
        : [{ ...page, target: `/api/items/${index}`, client: `program ${page.client}` }],
    ),
  ],
  [
    'pages that a fast program walks through',
    pages.flatMap((page) => [
      { ...page, target: '/a', referer: '/b' },
      { ...page, at: page.at + 0.4, target: '/b', referer: '/a' },
    ]),
  ],
  ['writes', pages.map((page) => ({ ...page, target: '/a', referer: '/a' }))],
];

for (const [what, requests] of APART)
  test(`no part of a page are ${what}`, () => assert.equal(find(requests).embeddedCount, 0));

test('the referer of a line is the target of another, whatever its host and scheme', async () => {
  const line = (path: string, referer: string): string =>
    `1.2.3.4 - - [30/Nov/2026:12:00:00 +0000] "GET ${path} HTTP/1.1" 200 1 "${referer}" "agent"\n`;
  const text =
    line('/p?x=1', 'https://search.example/') +
    line('/a', 'http://shop.example:8080/p?x=1') +
    line('/b', '-') +
    line('/c', 'https://shop.example') +
    line('/d', '/b');
  const table = await readLog([logText(text)]);
  const names = Array.from(table.refererTargetIds!, (id) =>
    id === 0 ? undefined : table.targets.at(id - 1),
  );
  assert.deepEqual(names, [undefined, '/p?x=1', undefined, undefined, '/b']);
});
