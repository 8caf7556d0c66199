import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ShiploadError } from '../errors.ts';
import { isOwnAddress } from './own-address.ts';
import type { Permissions } from './permissions.ts';
import { type GuardWorld, proveTarget, requireOwnAddresses } from './target-guard.ts';

const OUTSIDE = '192.0.2.7';
const NOW = Date.parse('2026-06-01T12:00:00Z');
const NONE: Permissions = { schemaVersion: 1, allowed: [], owned: [] };

/** A world without a network: names by a table, each look-up taking the next answer; proofs by address. */
function world(
  names: Readonly<Record<string, readonly (readonly string[])[]>>,
  more: Partial<GuardWorld> & { readonly proofs?: Readonly<Record<string, string>> } = {},
) {
  const lookups: string[] = [];
  const asked: string[] = [];
  const { proofs = {}, ...given } = more;
  const guard: GuardWorld = {
    resolve: (name) => {
      const answers = names[name] ?? [];
      const turn = Math.min(lookups.filter((seen) => seen === name).length, answers.length - 1);
      lookups.push(name);
      return answers[turn] === undefined
        ? Promise.reject(new Error('ENOTFOUND'))
        : Promise.resolve(answers[turn]);
    },
    isOwn: isOwnAddress,
    fetchProof: (_, address) => {
      asked.push(address);
      return Promise.resolve(proofs[address] ?? '');
    },
    nowMilliseconds: () => NOW,
    permissions: NONE,
    ...given,
  };
  return { guard, lookups, asked };
}

const refusal = (message: RegExp) => (error: unknown) =>
  error instanceof ShiploadError &&
  error.code === 'url-not-yours' &&
  error.exitCode === 2 &&
  message.test(error.message);

test('loopback in every writing is ours, and the address is the one to connect to', async () => {
  const cases = [
    '127.0.0.1',
    '127.1.2.3:80',
    '[::1]',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '[::ffff:127.0.0.1]',
  ];
  for (const host of cases) {
    const { guard, lookups } = world({});
    const { addresses, proof } = await proveTarget(new URL(`http://${host}/`), guard);
    assert.ok(addresses.every(isOwnAddress), host);
    assert.deepEqual(proof, { kind: 'own-address' });
    assert.deepEqual(lookups, []);
  }
});

test('addresses outside in every writing are refused, and nobody is asked anything', async () => {
  const cases =
    '192.0.2.1 3221225985 0300.0.2.1 0xc0000201 0xc0.0.0x201 192.0.513 [2001:db8::1] [::ffff:192.0.2.1] [::ffff:c000:201] [::] [::127.0.0.1] 0.0.0.0 0 [64:ff9b::c000:201] [64:ff9b::7f00:1] [2002:7f00:1::]'.split(
      ' ',
    );
  for (const host of cases) {
    const { guard, asked } = world({});
    await assert.rejects(
      proveTarget(new URL(`http://${host}/`), guard),
      refusal(/not an address of this machine/),
      host,
    );
    assert.deepEqual(asked, []);
  }
});

test('for the address that services listen on the hint is where they are', async () => {
  for (const [given, meant] of [
    ['http://0.0.0.0:8000/x', 'http://127.0.0.1:8000'],
    ['https://[::]/', 'https://127.0.0.1'],
  ] as const) {
    const isHint = (error: unknown): boolean =>
      error instanceof ShiploadError && error.hint?.endsWith(`at ${meant}`) === true;
    await assert.rejects(proveTarget(new URL(given), world({}).guard), isHint);
  }
});

test('a name with one address here and one outside is refused whole', async () => {
  for (const answer of [
    ['127.0.0.1', OUTSIDE],
    [OUTSIDE, '127.0.0.1'],
    ['::1', `::ffff:${OUTSIDE}`],
  ]) {
    const { guard, asked } = world({ 'both.example': [answer] });
    await assert.rejects(
      proveTarget(new URL('http://both.example/'), guard),
      refusal(/leads to .*192\.0\.2\.7/),
    );
    assert.deepEqual(asked, []);
  }
});

test('a name is looked up once: an answer that changes afterwards leads nowhere', async () => {
  const { guard, lookups } = world({ 'turns.example': [['127.0.0.1'], [OUTSIDE]] });
  const proven = await proveTarget(new URL('http://turns.example/'), guard);
  assert.deepEqual(proven.addresses, ['127.0.0.1']);
  assert.deepEqual(lookups, ['turns.example']);
});

test('a name that does not resolve is not proven', async () => {
  await assert.rejects(
    proveTarget(new URL('http://no.example/'), world({}).guard),
    refusal(/does not resolve/),
  );
});

test('a name that only looks like loopback is looked up like any other', async () => {
  for (const name of ['localhost.example', '127.0.0.1.example', 'localhost.']) {
    const { guard } = world({ [name]: [[OUTSIDE]] });
    await assert.rejects(proveTarget(new URL(`http://${name}/`), guard), refusal(/leads to/), name);
  }
});

const allowed = (more: Partial<Permissions['allowed'][number]> = {}): Permissions => ({
  ...NONE,
  allowed: [
    {
      origin: 'http://staging.example:8080',
      addresses: [OUTSIDE],
      ratePerSecond: 50,
      until: '2026-06-02T00:00:00Z',
      ...more,
    },
  ],
});
const STAGING = { 'staging.example': [[OUTSIDE]] };

test('an allow entry permits its origin up to its rate and end', async () => {
  const { guard, asked } = world(STAGING, { permissions: allowed() });
  const proven = await proveTarget(new URL('http://staging.example:8080/x'), guard);
  assert.deepEqual(proven, {
    addresses: [OUTSIDE],
    proof: { kind: 'allow-list', ratePerSecond: 50, until: '2026-06-02T00:00:00Z' },
  });
  assert.deepEqual(asked, []);
});

const refusedEntries: readonly {
  title: string;
  url: string;
  names?: typeof STAGING;
  permissions: Permissions;
  message: RegExp;
}[] = [
  {
    title: 'an entry that ended',
    url: 'http://staging.example:8080/',
    permissions: allowed({ until: '2026-06-01T11:59:59Z' }),
    message: /ended at 2026-06-01T11:59:59Z/,
  },
  { title: 'another port', url: 'http://staging.example:8081/', permissions: allowed(), message: /leads to/ },
  {
    title: 'another scheme',
    url: 'https://staging.example:8080/',
    permissions: allowed(),
    message: /leads to/,
  },
  {
    title: 'a name that leads elsewhere than when it was allowed',
    url: 'http://staging.example:8080/',
    names: { 'staging.example': [[OUTSIDE, '198.51.100.3']] },
    permissions: allowed(),
    message: /leads to 198\.51\.100\.3 now/,
  },
];
for (const { title, url, names = STAGING, permissions, message } of refusedEntries) {
  test(`an allow entry does not cover ${title}`, async () => {
    const { guard } = world(names, { permissions });
    await assert.rejects(proveTarget(new URL(url), guard), refusal(message));
  });
}

const TOKEN = 'shipload-0123456789abcdef0123456789abcdef';
const owned: Permissions = { ...NONE, owned: [{ origin: 'https://mine.example', token: TOKEN }] };

test('a token proves a service where every address of the name serves it', async () => {
  const names = { 'mine.example': [[OUTSIDE, '198.51.100.3']] };
  const line = `someone-else\r\n ${TOKEN} \n`;
  const both = world(names, { permissions: owned, proofs: { [OUTSIDE]: line, '198.51.100.3': TOKEN } });
  const proven = await proveTarget(new URL('https://mine.example/'), both.guard);
  assert.deepEqual(proven, {
    addresses: [OUTSIDE, '198.51.100.3'],
    proof: { kind: 'well-known' },
  });
  assert.deepEqual(both.asked, [OUTSIDE, '198.51.100.3']);
  const one = world(names, { permissions: owned, proofs: { [OUTSIDE]: line } });
  await assert.rejects(
    proveTarget(new URL('https://mine.example/'), one.guard),
    refusal(/at 198\.51\.100\.3 does not hold your token/),
  );
  const part = world(names, {
    permissions: owned,
    proofs: { [OUTSIDE]: `x${TOKEN}`, '198.51.100.3': TOKEN },
  });
  await assert.rejects(proveTarget(new URL('https://mine.example/'), part.guard), refusal(/does not hold/));
});

test('no proof is asked for where the user made no token for the url', async () => {
  const { guard, asked } = world(
    { 'other.example': [[OUTSIDE]] },
    { permissions: owned, proofs: { [OUTSIDE]: TOKEN } },
  );
  await assert.rejects(proveTarget(new URL('https://other.example/'), guard), refusal(/leads to/));
  assert.deepEqual(asked, []);
});

test('a container of this host is reached by its name or address, and only it', async () => {
  const container = { name: 'db', addresses: ['172.18.0.3'] };
  const { guard } = world({ other: [['172.18.0.4']] }, { container });
  for (const host of ['db', '172.18.0.3', '[::ffff:172.18.0.3]']) {
    const { proof } = await proveTarget(new URL(`http://${host}:5432/`), guard);
    assert.deepEqual(proof, { kind: 'container', name: 'db' }, host);
  }
  for (const host of ['172.18.0.4', 'other'])
    await assert.rejects(proveTarget(new URL(`http://${host}:5432/`), guard), refusal(/172\.18\.0\.4/), host);
});

test('a page of counters elsewhere is refused by its own option, with no advice on permissions that would not help', async () => {
  await assert.rejects(
    requireOwnAddresses(new URL('http://198.51.100.7:9100/metrics'), '--metrics, --stats'),
    (error: unknown) => {
      assert.ok(error instanceof ShiploadError);
      assert.equal(error.code, 'url-not-yours');
      assert.equal(error.where, '--metrics, --stats');
      assert.match(
        error.message,
        /^198\.51\.100\.7 is not an address of this machine: http:\/\/198\.51\.100\.7:9100$/,
      );
      assert.doesNotMatch(`${error.message} ${error.hint}`, /--own|shipload allow|--url/);
      return true;
    },
  );
});
