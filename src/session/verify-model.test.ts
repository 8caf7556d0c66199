import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loopingUser, tableOf } from '../../test/support/log-table.ts';
import { renderModelCheck } from '../report/model-check-text.ts';
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
    'steps of a session',
    'session length',
    'share of GET /books/[id]',
  ])
    assert.ok(names.includes(name), name);
  assert.ok(names.some((name) => name.startsWith('share of q = ')));
});

test('sessions of few steps are as long as those of the log, and a model with other pauses is found out', () => {
  const random = createRandom(23);
  const requests = Array.from({ length: 600 }, (_, index) => {
    let at = random.next() * 3600;
    return Array.from({ length: 1 + Math.floor(random.next() * 6) }, () => {
      const request = { at, client: `s${index}`, target: '/page', seconds: 0.2 };
      at += 0.2 - 8 * Math.log(random.next());
      return request;
    });
  }).flat();
  const model = buildWorkload(tableOf(requests), { window: 'all' });
  const check = checkModel(model, 7);
  const length = check.quantities.find(({ name }) => name === 'session length')!;
  assert.equal(length.log, model.sessions!.meanLengthSeconds);
  assert.equal(length.holds, true, JSON.stringify(length));
  const longer = { ...model, sessions: { ...model.sessions!, meanLengthSeconds: length.log * 1.2 } };
  assert.equal(checkModel(longer, 7).quantities.find(({ name }) => name === 'session length')!.holds, false);
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

test('open arrivals of the model have the rate of the log, and the dispersion of a log at random', () => {
  const random = createRandom(5);
  const requests = [];
  for (let at = -Math.log(random.next()) / 10; at < SPAN; at += -Math.log(random.next()) / 10)
    requests.push({ at, client: 'proxy', target: `/books/${Math.floor(random.next() * 1e5)}`, seconds: 0.1 });
  const model = buildWorkload(tableOf(requests), { window: 'all' });
  assert.equal(model.activeUsers, undefined);
  const check = checkModel(model, 7);
  assert.equal(check.users, undefined);
  const [rate, dispersion] = check.quantities;
  assert.equal(rate!.name, 'open arrivals: rate');
  assert.equal(rate!.log, model.throughputPerSecond);
  assert.equal(dispersion!.holds, true, JSON.stringify(dispersion));
  assert.ok(check.holds, JSON.stringify(check.quantities.filter(({ holds }) => holds === false)));
});

for (const [what, extra, word] of [
  ['steadier', 0, /steadier/],
  ['burstier', 40, /bursts/],
] as const)
  test(`a log that is ${what} than arrivals at random is not judged by them, and the check says so`, () => {
    const beats = Array.from({ length: SPAN * 4 }, (_, index) => index / 4);
    const crowd = Array.from({ length: extra * 60 }, (_, index) => 300 + index / extra);
    const requests = [...beats, ...crowd].map((at) => ({ at, client: 'proxy', target: '/x', seconds: 0.1 }));
    const { quantities, holds } = checkModel(buildWorkload(tableOf(requests), { window: 'all' }), 7);
    const dispersion = quantities.find(({ name }) => name === 'open arrivals: dispersion a minute')!;
    assert.equal(dispersion.holds, undefined);
    assert.match(dispersion.whyNot!, word);
    assert.ok(holds);
  });

test('where nothing can be sent there is nothing to verify', () => {
  const model = buildWorkload(tableOf([{ at: 1, target: '/x', seconds: 0.1, status: 500 }]));
  assert.throws(() => checkModel(model, 7), { code: 'workload-nothing-to-send' });
});

test('classes that a run does not send are named with their share, and the others are judged by the rest', () => {
  const table = log();
  const half = {
    ...table,
    methods: ['GET', 'POST'],
    methodIds: Uint32Array.from({ length: table.rowCount }, (_, row) => row % 2),
  };
  const model = buildWorkload(half, { window: 'all' });
  const check = checkModel(model, 7);
  const posts = model.requestClasses.filter(({ method }) => method === 'POST');
  assert.deepEqual(
    check.leftOut!.classIds,
    posts.map(({ id }) => id),
  );
  assert.ok(Math.abs(check.leftOut!.shareRatio - 0.5) < 0.001);
  assert.match(
    renderModelCheck(check).replaceAll(/\s+/g, ' '),
    /Left out, as a run leaves them: POST .*\(50\.00% of the log's requests\)\. The shares below are of the rest\./,
  );
  assert.equal(checkModel(buildWorkload(log(), { window: 'all' }), 7).leftOut, undefined);
});
