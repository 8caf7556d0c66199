import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tableOf, type MadeRequest } from '../../test/support/log-table.ts';
import { buildWorkload } from './build-workload.ts';

interface Case {
  /** Request of number `index` of 600, one each six seconds. */
  readonly request: (index: number) => Pick<MadeRequest, 'client' | 'user' | 'agent'>;
  readonly key: string;
  readonly sessions: number;
  readonly says: RegExp;
}

const CASES: Readonly<Record<string, Case>> = {
  'one login that all addresses share tells nobody apart': {
    request: (index) => ({ client: `10.0.0.${index % 8}`, user: 'web' }),
    key: 'address',
    sessions: 8,
    says: /names 1 user at 8 addresses: a name that several share tells nobody apart, so clients are told apart by address$/,
  },
  'nor does one of two or three addresses': {
    request: (index) => ({ client: `10.0.0.${index % 2}`, user: 'web' }),
    key: 'address',
    sessions: 2,
    says: /told apart by address$/,
  },
  'few names over many addresses are accounts': {
    request: (index) => ({
      client: `10.0.0.${index % 30}`,
      user: `role${index % 3}`,
      agent: `a${index % 2}`,
    }),
    key: 'address-and-agent',
    sessions: 30,
    says: /names 3 users at 30 addresses: names that so many share .* by address and user agent$/,
  },
  'people behind one address are told apart by name': {
    request: (index) => ({ client: '10.0.0.1', user: `user${index % 12}` }),
    key: 'user',
    sessions: 12,
    says: /names 12 users at one address, and clients are told apart by name: none is shared/,
  },
  'people who move from one address to the next stay one client': {
    request: (index) => ({
      client: `10.0.${index % 20}.${Math.floor(index / 200)}`,
      user: `user${index % 20}`,
    }),
    key: 'user',
    sessions: 20,
    says: /names 20 users at 60 addresses, and clients are told apart by name/,
  },
  'one shared account among people goes by address, and they by name': {
    request: (index) =>
      index % 4 === 0
        ? { client: `10.1.0.${(index / 4) % 10}`, user: 'kiosk' }
        : { client: '10.0.0.1', user: `user${index % 20}` },
    key: 'user',
    sessions: 25,
    says: /1 name shared by many addresses within an hour is set aside/,
  },
};

for (const [what, { request, key, sessions, says }] of Object.entries(CASES))
  test(what, () => {
    const requests = Array.from({ length: 600 }, (_, index) => ({
      at: 1_796_000_400 + 6 * index,
      seconds: 0.1,
      target: `/page/${(index * 7) % 11}`,
      ...request(index),
    }));
    const model = buildWorkload(tableOf(requests), { window: 'all' });
    assert.equal(model.clientKey, key);
    assert.equal(model.sessions?.count, sessions);
    assert.match(model.warnings.find(({ code }) => code === 'client-key')!.message, says);
  });

test('a log that names nobody says nothing of names', () => {
  const { warnings } = buildWorkload(tableOf([{ at: 1 }, { at: 2 }]), { window: 'all' });
  assert.ok(warnings.every(({ code }) => code !== 'client-key'));
});
