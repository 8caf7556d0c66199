import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loopingUser, tableOf } from '../../test/support/log-table.ts';
import { createRandom, weightedSampler } from '../stats/random.ts';
import { buildWorkload } from '../workload/build-workload.ts';
import { checkModel } from './verify-model.ts';

const SPAN = 900;
const RANKS = Array.from({ length: 30 }, (_, index) => 1 / (index + 1));

/** Forty users for a quarter of an hour: three books to one search, terms by 1/rank. */
function log(): ReturnType<typeof tableOf> {
  const random = createRandom(11);
  const drawTerm = weightedSampler(RANKS);
  const requests = Array.from({ length: 40 }, (_, index) =>
    loopingUser(`u${index}`, { seconds: 0.05, pause: 4, span: SPAN, seed: 50 + index }),
  ).flat();
  return tableOf(
    requests.map((request) => {
      const isBook = random.next() < 0.75;
      const target = isBook
        ? `/books/${Math.floor(random.next() * 1e5)}`
        : `/search?q=term${String.fromCharCode(97 + drawTerm(random))}`;
      return { ...request, target };
    }),
  );
}

test('a model sends what its log has: X, Z, mix and popularity, each within three standard errors', () => {
  const check = checkModel(buildWorkload(log(), { window: 'all' }), 7);
  assert.deepEqual(
    check.quantities.filter(({ holds }) => holds === false),
    [],
  );
  assert.ok(check.holds);
  assert.equal(check.users, 40);
  const names = check.quantities.map(({ name }) => name);
  for (const name of [
    'throughput X',
    'pause before a request',
    'requests of a session',
    'share of GET /books/[id]',
  ])
    assert.ok(names.includes(name), name);
  assert.ok(names.some((name) => name.startsWith('share of q = ')));
});

test('a page with pictures is sent request by request, and X is that of the log', () => {
  const pages = Array.from({ length: 40 }, (_, index) =>
    loopingUser(`u${index}`, { seconds: 0.05, pause: 6, span: SPAN, seed: 90 + index }),
  ).flat();
  const withPictures = pages.flatMap((page) => [
    page,
    { ...page, at: page.at + 0.05, target: '/a.png' },
    { ...page, at: page.at + 0.06, target: '/b.css' },
  ]);
  const model = buildWorkload(tableOf(withPictures), { window: 'all' });
  const check = checkModel(model, 7);
  const [throughput] = check.quantities;
  assert.ok(Math.abs(throughput!.sent / model.throughputPerSecond - 1) < 0.03);
  assert.ok(check.holds, JSON.stringify(check.quantities.filter(({ holds }) => holds === false)));
});

test('a model that was tampered with does not hold', () => {
  const model = buildWorkload(log(), { window: 'all' });
  const [first, second, ...rest] = model.requestClasses;
  const swapped = [{ ...first!, targets: second!.targets }, { ...second!, targets: first!.targets }, ...rest];
  assert.equal(checkModel({ ...model, requestClasses: swapped }, 7).holds, false);
  assert.equal(
    checkModel({ ...model, throughputPerSecond: model.throughputPerSecond * 1.2 }, 7).holds,
    false,
  );
});

test('without users there is nothing to verify', () => {
  const model = buildWorkload(tableOf([{ at: 1, target: '/x', seconds: 0.1 }]));
  assert.throws(() => checkModel(model, 7), { code: 'workload-nothing-to-send' });
});
