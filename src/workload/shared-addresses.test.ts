import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loopingUser, tableOf, type MadeRequest } from '../../test/support/log-table.ts';
import { buildWorkload } from './build-workload.ts';

const SPAN = 3600;

/** So many users with a pause of 8 s and an answer of 50 ms. */
const users = (
  count: number,
  seed: number,
  nameOf: (index: number) => { readonly client: string; readonly agent: string },
): MadeRequest[] =>
  Array.from({ length: count }, (_, index) =>
    loopingUser('', { seconds: 0.05, pause: 8, span: SPAN, seed: seed + index }).map((request) => ({
      ...request,
      ...nameOf(index),
    })),
  ).flat();

test('two or three users with the same agent behind a shared address count, and Z is that of one user', () => {
  for (const seed of [100, 5000]) {
    const requests = [
      ...users(100, seed, (index) => ({ client: `own${index}`, agent: `a${index % 7}` })),
      ...users(100, seed + 1000, (index) => ({ client: `nat${index % 5}`, agent: `a${index % 40}` })),
    ];
    const model = buildWorkload(tableOf(requests), { window: 'all' });
    // 100 users of some 445 pauses with a standard deviation of 1.3 means: Z is known to 0.6 %, so is M.
    assert.ok(Math.abs(model.thinkTimeSeconds!.mean / 8 - 1) < 0.03, `${model.thinkTimeSeconds!.mean}`);
    assert.ok(Math.abs(model.activeUsers! / 200 - 1) < 0.03, `${model.activeUsers}`);
    assert.equal(model.sharedClients!.clientCount, 40);
  }
});

test('users behind shared addresses, one an agent, are taken for what they are', () => {
  const requests = [
    ...users(50, 1, (index) => ({ client: `own${index}`, agent: 'a' })),
    ...users(50, 500, (index) => ({ client: `nat${index % 5}`, agent: `a${index}` })),
  ];
  const model = buildWorkload(tableOf(requests), { window: 'all' });
  assert.equal(model.sharedClients, undefined);
  assert.ok(Math.abs(model.activeUsers! / 100 - 1) < 0.03, `${model.activeUsers}`);
});

test('where nobody has an address of his own, M is doubted', () => {
  const requests = users(100, 1, (index) => ({ client: `nat${index % 5}`, agent: `a${index % 40}` }));
  const model = buildWorkload(tableOf(requests), { window: 'all' });
  const found = model.warnings.find(({ code }) => code === 'addresses-crowded')!;
  assert.match(found.message, /^100 % of the requests .* too low$/);
  assert.match(found.advice!, /open arrivals at/);
});

test('addresses of many users in a log of whole seconds without durations tell no M', () => {
  const requests = users(200, 1, (index) => ({ client: `nat${index % 10}`, agent: '' })).map(
    ({ at, client, agent, target }) => ({ at: Math.floor(at), client, agent, target }),
  );
  const model = buildWorkload(tableOf(requests, 1), { window: 'all' });
  assert.equal(model.activeUsers, undefined);
  const found = model.warnings.find(({ code }) => code === 'think-time-not-identifiable')!;
  assert.match(found.message, /shorter than the 1 s in which times are stamped/);
  assert.match(found.advice!, /open arrivals at/);
});
