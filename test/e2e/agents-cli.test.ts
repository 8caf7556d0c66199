import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCli, temporaryFolder } from '../support/cli.ts';

const URL = 'http://127.0.0.1:1/';

test('what agents cannot do, or lack, is refused with the option before anything starts', async (t) => {
  const folder = temporaryFolder(t);
  await runCli(['agent', '--make-key', 'team'], folder);
  const nats = ['--nats', 'nats://127.0.0.1:1'];
  const agents = ['--agents', '2', ...nats, '--sign', 'team.key'];
  const cases: readonly (readonly [args: readonly string[], message: RegExp])[] = [
    [['run', URL, '--agents', '2'], /--nats is missing/],
    [['run', URL, '--agents', '2', ...nats], /--sign is missing: agents follow signed orders only/],
    [['run', URL, ...nats], /--agents is missing/],
    [['run', URL, ...agents, '--samples'], /--samples one row a request is not sent by agents/],
    [['run', URL, ...agents, '--generators', '2'], /--generators is for this process/],
    [['run', URL, '--rate', '10', '--extend', ...agents], /made by one generator/],
    [['run', URL, '--agents', '2', ...nats, '--sign', 'team.pub'], /team\.pub holds no key for --sign/],
    [['run', URL, ...agents, '--tls-cert', 'team.pub'], /a certificate for the broker needs its key/],
    [['run', URL, ...agents, '--tls-ca', 'team.pub'], /team\.pub holds no certificate/],
    [['run', URL, '--tls-cert', 'c.pem'], /--agents is missing.*\n.*--cacert, --cert and --key/],
    [['agent', ...nats, '--trust', 'team.pub', '--agents', '3'], /--agents is for --manifest/],
    [['agent', '--manifest', 'k8s', '--image', 'a b: c'], /"a b: c" is no name of an image/],
    [
      ['agent', ...nats, '--trust', '/dev/null'],
      /it is no PEM of a key.*\n.*agent --make-key NAME writes a pair/,
    ],
    [['agent', ...nats], /whose runs shall this agent make/],
    [
      ['agent', ...nats, '--trust', 'team.key'],
      /team\.key holds no key for --trust: this is the private half/,
    ],
    [['agent', '--trust', 'team.pub'], /where is the broker/],
    [['agent', '--nats', 'http://h', '--trust', 'team.pub'], /names no broker/],
    [['report'], /which run/],
  ];
  for (const [args, message] of cases) {
    const { code, stderr } = await runCli(args, folder);
    assert.match(stderr, message, args.join(' '));
    assert.equal(code, 2, args.join(' '));
  }
  assert.ok(!existsSync(join(folder, 'runs')));
});

test('a broker that does not answer is said, and a key is for its owner and never overwritten', async (t) => {
  const folder = temporaryFolder(t);
  const made = await runCli(['agent', '--make-key', 'keys/team'], folder);
  assert.equal(made.code, 0, made.stderr);
  assert.equal(statSync(join(folder, 'keys', 'team.key')).mode & 0o777, 0o600);
  const again = await runCli(['agent', '--make-key', 'keys/team'], folder);
  assert.equal(again.code, 4);
  assert.match(again.stderr, /a file of that name is in the way \[cannot-write\]/);
  const { code, stderr } = await runCli(['report', '--nats', 'nats://127.0.0.1:1'], folder);
  assert.equal(code, 4);
  assert.match(stderr, /the broker at 127\.0\.0\.1:1 cannot be used: .*\[broker-unreachable\]/);
});
