import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redactCommand, redactPlan } from './redact.ts';

const SECRET = 's3cr3t-value';

test('secrets of the command line do not reach a record, however they are given', () => {
  const commands = [
    ['run', '-H', `Authorization: Bearer ${SECRET}`],
    ['run', `-HCookie: session=${SECRET}`],
    ['run', `--header=X-Api-Key: ${SECRET}`],
    ['run', '--header', `x-auth-token:${SECRET}`],
    ['run', '--url', `http://user:${SECRET}@127.0.0.1/`],
    ['run', `--url=http://user:${SECRET}@127.0.0.1/`],
  ];
  for (const command of commands) {
    assert.ok(!redactCommand(command).join(' ').includes(SECRET), command.join(' '));
  }
  const plain = ['run', 'access.log', '-H', 'Accept: text/html', '--url', 'http://127.0.0.1:8080/a@b'];
  assert.deepEqual(redactCommand(plain), plain);
});

test('secrets of the plan do not reach a record, other headers do', () => {
  const plan = redactPlan({
    seed: 1,
    shape: 'steps',
    requestTimeoutSeconds: 30,
    steps: [],
    requests: [
      {
        id: 'GET /',
        method: 'GET',
        route: '/',
        shareRatio: 1,
        targets: { draw: 'uniform', targets: ['/'], distinctCount: 1 },
        headers: { Authorization: SECRET, Accept: 'text/html' },
      },
    ],
  });
  assert.ok(!JSON.stringify(plan).includes(SECRET));
  assert.ok(JSON.stringify(plan).includes('text/html'));
});
