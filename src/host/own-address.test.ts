import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import { test } from 'node:test';
import { isOnOwnNetwork, isOwnAddress, plainAddress } from './own-address.ts';

test('loopback is ours, also in IPv6 clothes', () => {
  for (const address of ['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1', '::FFFF:7f00:1'])
    assert.ok(isOwnAddress(address), address);
});

test('the addresses of this machine’s interfaces are ours and on our networks', () => {
  for (const { address } of Object.values(networkInterfaces()).flatMap((entries) => entries ?? [])) {
    assert.ok(isOwnAddress(address), address);
    assert.ok(isOnOwnNetwork(address), address);
  }
});

test('no other address is ours, however close it looks', () => {
  const cases = [
    '192.0.2.1',
    '0.0.0.0',
    '::',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '2001:db8::1',
    '::ffff:192.0.2.1',
  ];
  for (const address of [...cases, '128.0.0.1', '1.127.0.0']) assert.ok(!isOwnAddress(address), address);
  for (const address of ['198.51.100.1', '2001:db8::1', '::ffff:198.51.100.1'])
    assert.ok(!isOnOwnNetwork(address), address);
});

test('an address has one writing', () => {
  assert.equal(plainAddress('::ffff:c000:201'), '192.0.2.1');
  assert.equal(plainAddress('FE80::1%eth0'), 'fe80::1');
});
