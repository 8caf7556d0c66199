import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import { test } from 'node:test';
import { ShiploadError } from '../errors.ts';
import { isOwnAddress, requireOwnAddress } from './own-address.ts';

test('loopback in every writing is ours', async () => {
  const cases = [
    'http://127.0.0.1/',
    'http://127.1.2.3:80/',
    'http://[::1]/',
    'http://localhost/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://[::ffff:127.0.0.1]/',
  ];
  for (const url of cases) assert.ok(isOwnAddress(await requireOwnAddress(new URL(url))), url);
});

test('the machine’s own addresses are ours', async () => {
  const own = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
  for (const { address, family } of own) {
    if (family === 'IPv4') assert.equal(await requireOwnAddress(new URL(`http://${address}/`)), address);
  }
});

test('everything else is refused with exit 2 before a packet leaves', async () => {
  const cases = [
    'http://192.0.2.1/',
    'http://3221225985/',
    'http://0300.0.2.1/',
    'http://[2001:db8::1]/',
    'http://[::ffff:192.0.2.1]/',
    'http://0.0.0.0/',
  ];
  for (const url of cases) {
    await assert.rejects(
      requireOwnAddress(new URL(url)),
      (error) => {
        return error instanceof ShiploadError && error.code === 'url-not-yours' && error.exitCode === 2;
      },
      url,
    );
  }
});
