import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loopingUser, tableOf, type MadeRequest } from '../../test/support/log-table.ts';
import { createRandom, drawExponential } from '../stats/random.ts';
import { targetKinds } from './target-kinds.ts';
import { findUsers, type UserFindings } from './users.ts';

const SPAN = 3600;

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

const near = (value: number | undefined, wanted: number, ratio: number): void =>
  assert.ok(Math.abs(value! - wanted) <= ratio * wanted, `${value} is not ${wanted} ± ${100 * ratio} %`);

/** `count` users for an hour, each at the address that `addressOf` gives. */
const users = (count: number, addressOf = (index: number): string => `a${index}`): MadeRequest[] =>
  Array.from({ length: count }, (_, index) =>
    loopingUser(addressOf(index), { seconds: 0.25, pause: 8, span: SPAN, seed: 1000 + index }),
  ).flat();

// Each user makes about 436 pauses with a standard deviation of 1.3 means: 200 users give the mean to
// 1.3/√87,000 = 0.4 %, and the pause that runs beyond the end is missing: another 0.4 %. Three of them: 3 %.
test('two hundred users, each alone: Z, M and their session', () => {
  const { thinkTime, activeUsers, shared, sessions, steps, clientKey } = find(users(200));
  near(thinkTime!.mean, 8, 0.03);
  near(activeUsers, 200, 0.03);
  near(steps!.responseTimeSeconds, 0.25, 0.03);
  near(sessions!.activeMean, 200, 0.01);
  assert.deepEqual([shared.clientCount, sessions!.count, clientKey], [0, 200, 'address']);
});

test('half the users behind five addresses: found, and M as if each were alone', () => {
  const { activeUsers, thinkTime, shared, sessions } = find(
    users(200, (index) => (index < 100 ? `proxy${index % 5}` : `a${index}`)),
  );
  assert.equal(shared.clientCount, 5);
  near(thinkTime!.mean, 8, 0.03);
  near(activeUsers, 200, 0.03);
  near(sessions!.activeMean, 200, 0.03);
});

test('the margin of Z covers the true mean about as often as it says', () => {
  let covered = 0;
  for (let round = 0; round < 40; round += 1) {
    const requests = Array.from({ length: 20 }, (_, index) =>
      loopingUser(`a${index}`, { seconds: 0.1, pause: 8, span: 1200, seed: 100 * round + index }),
    ).flat();
    const { mean, marginSeconds } = find(requests).thinkTime!;
    if (Math.abs(mean - 8) <= marginSeconds!) covered += 1;
  }
  // 38 expected; fewer than 33 of 40 has a chance of 0.3 % under the binomial law.
  assert.ok(covered >= 33, `${covered} of 40`);
});

test('short sessions: M is the users who must loop, the open sessions are fewer by the pause after the last step', () => {
  const random = createRandom(5);
  const requests: MadeRequest[] = [];
  for (let session = 0; session < 4000; session += 1) {
    let at = random.next() * SPAN;
    for (let page = 0; page < 3; page += 1) {
      requests.push({ at, client: `s${session}`, seconds: 0.25 });
      at += 0.25 + drawExponential(random, 8);
    }
  }
  const { activeUsers, sessions, thinkTime } = find(requests);
  // λ = 4000/3600 sessions a second; 3 steps of 8.25 s make M, two pauses and three answers the open session.
  near(activeUsers, (4000 / SPAN) * 3 * 8.25, 0.03);
  near(sessions!.activeMean, (4000 / SPAN) * (3 * 0.25 + 2 * 8), 0.03);
  near(thinkTime!.mean, 8, 0.03);
  assert.deepEqual([sessions!.count, sessions!.stepsPerSession], [4000, 3]);
  assert.deepEqual(
    sessions!.timeoutCurve!.map(({ timeoutSeconds, sessionCount }) => [timeoutSeconds, sessionCount]),
    [
      [600, 4000],
      [1800, 4000],
      [3600, 4000],
    ],
  );
});

test('a page and its six pictures are one step, whose pauses are those between pages', () => {
  const pages = users(50);
  const withAssets = pages.flatMap((page) => [
    page,
    ...Array.from({ length: 6 }, (_, index) => ({
      ...page,
      at: page.at + page.seconds! + 0.01 * index,
      seconds: 0.02,
      target: `/img/${index}.png?x=1`,
    })),
  ]);
  const { steps, thinkTime, activeUsers } = find(withAssets);
  assert.equal(steps!.count, pages.length);
  assert.equal(steps!.requestsPerStep, 7);
  near(steps!.responseTimeSeconds, 0.25 + 0.07, 0.03);
  // Pictures take 0.07 s of the pause; a pause shorter than that has its page within the step before.
  near(thinkTime!.mean, 7.93, 0.03);
  near(activeUsers, 50, 0.03);
});

test('where pictures are all that is asked for, each is a step', () => {
  const pictures = users(20).map((request, index) => ({ ...request, target: `/p/${index % 9}.jpg` }));
  near(find(pictures).activeUsers, 20, 0.05);
});

test('calls fired together are one step', () => {
  const calls = users(50).flatMap((call) => [
    { ...call, seconds: 0.3 },
    { ...call, at: call.at + 0.02, seconds: 0.3, target: '/api/b' },
    { ...call, at: call.at + 0.03, seconds: 0.4, target: '/api/c' },
  ]);
  const { steps, shared, activeUsers } = find(calls);
  assert.equal(shared.clientCount, 0);
  near(steps!.requestsPerStep, 3, 0.03);
  near(steps!.responseTimeSeconds, 0.43, 0.03);
  near(activeUsers, 50, 0.05);
});

test('bots, health checks and scanners are apart, and the users as without them', () => {
  const alone = users(50);
  const times = (count: number, make: (index: number) => MadeRequest): MadeRequest[] =>
    Array.from({ length: count }, (_, index) => make(index));
  const automatic = [
    ...times(100, (index) => ({
      at: 31 * index,
      client: 'x1',
      seconds: 0.1,
      agent: 'Googlebot/2.1',
      target: `/item/${index}`,
    })),
    ...times(300, (index) => ({ at: 10 * index, client: 'lb', seconds: 0.001, target: '/healthz' })),
    ...times(20, (index) => ({
      at: 3 * index * index,
      client: 'evil',
      seconds: 0.001,
      target: `/.git/${index}`,
      status: 404,
    })),
    { at: 7, client: 'crawler', seconds: 0.01, target: '/robots.txt' },
  ];
  const found = find([...alone, ...automatic]);
  assert.deepEqual(
    found.automated.map(({ kind, clientCount, requestCount }) => [kind, clientCount, requestCount]),
    [
      ['health-check', 1, 300],
      ['bot', 2, 101],
      ['scanner', 1, 20],
    ],
  );
  assert.deepEqual(found.thinkTime, find(alone).thinkTime);
  assert.equal(found.activeUsers, find(alone).activeUsers);
});

test('what every client does is nobody’s mark: a log of pollers has users', () => {
  const pollers = Array.from({ length: 40 }, (_, client) =>
    Array.from({ length: 60 }, (_, index) => ({ at: client + 30 * index, client: `p${client}`, seconds: 1 })),
  ).flat();
  const { automated, thinkTime } = find(pollers);
  assert.deepEqual([automated, thinkTime!.mean], [[], 29]);
});

test('one address with two user agents is two clients, with two session ids too', () => {
  const base = { client: 'a', seconds: 1 };
  assert.equal(
    find([
      { ...base, at: 0 },
      { ...base, at: 1, agent: 'other' },
    ]).clientKeyCount,
    2,
  );
  const named = find([
    { ...base, at: 0, user: 'u1' },
    { ...base, at: 1, user: 'u2' },
    { ...base, at: 2, user: 'u1', client: 'b' },
  ]);
  assert.deepEqual([named.clientKeyCount, named.clientKey], [2, 'user']);
});

/** A site with all that sets requests apart: pages with pictures, an office behind one address, a bot, probes. */
const site = (): MadeRequest[] => [
  ...users(12).flatMap((page) => [page, { ...page, at: page.at + 0.1, target: '/a.css', seconds: 0.02 }]),
  ...users(12, () => 'office'),
  ...users(1).map((request) => ({ ...request, client: 'x', agent: 'Bingbot/2' })),
  ...Array.from({ length: 9 }, (_, index) => ({
    at: 60 * index,
    client: 'y',
    target: `/${index}.env`,
    status: 404,
    seconds: 0.001,
  })),
];

test('shuffled lines give the same users', () => {
  const inOrder = find(site());
  for (const seed of [1, 2, 3]) {
    const random = createRandom(seed);
    const keyed = site().map((request) => [random.next(), request] as const);
    const shuffled = keyed.sort((a, b) => a[0] - b[0]).map(([, request]) => request);
    assert.deepEqual(find(shuffled), inOrder);
  }
});

test('shifted in time, the same users', () => {
  const inOrder = find(site());
  assert.equal(inOrder.shared.clientCount, 1);
  for (const shift of [1_796_000_000, -86_400])
    assert.deepEqual(find(site().map((request) => ({ ...request, at: request.at + shift }))), inOrder);
});

const crowd = (client: string, count: number): MadeRequest[] => users(count, () => client);
const NOT_TOLD = [
  ['one client', users(1), /one client/],
  [
    'two gaps',
    [
      { at: 0, client: 'a' },
      { at: 5, client: 'a' },
      { at: 0, client: 'b' },
      { at: 9, client: 'b' },
    ],
    /only 2 gaps/,
  ],
  [
    'addresses that all stand for many',
    ['a', 'b', 'c'].flatMap((client) => crowd(client, 20)),
    /3 of 3 clients/,
  ],
  ['clients without a name', [...crowd('-', 3), ...users(1)], /of 2 clients 1 stand/],
  [
    'a burst within one step of the stamps',
    ['a', 'b', 'c'].flatMap((client) => Array.from({ length: 20 }, () => ({ at: 5, client, seconds: 0 }))),
    /mean gap of a client is 0\.0 s/,
  ],
  ['a log without clients', crowd('-', 3), /does not say which client/],
  ['robots only', [{ at: 1, agent: 'curl/8.1' }], /its only client is a program/],
] as const satisfies readonly (readonly [string, readonly MadeRequest[], RegExp])[];

for (const [what, requests, reason] of NOT_TOLD)
  test(`think time cannot be told from ${what}`, () => {
    const { notIdentifiable, activeUsers } = find(requests);
    assert.match(notIdentifiable ?? '', reason);
    assert.equal(activeUsers, undefined);
  });

test('gaps too short for the stamps and negative ones are counted, and both stay in the mean', () => {
  const clients = Array.from({ length: 10 }, (_, index) => `a${index}`);
  const requests = clients.flatMap((client, index) =>
    Array.from({ length: 21 }, (_, turn) => ({
      at: index + 10 * turn,
      client,
      // One answer lasts until the next request, one a fifth of a second longer.
      seconds: turn === 3 ? 10 : turn === 4 ? 10.2 : 0.5,
    })),
  );
  const { thinkTime } = find(requests, 0.01);
  assert.deepEqual([thinkTime!.count, thinkTime!.unresolvedCount, thinkTime!.negativeCount], [200, 10, 10]);
  near(thinkTime!.mean, (18 * 9.5 - 0.2) / 20, 1e-9);
});
