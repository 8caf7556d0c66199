import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hideSecrets, hideSecretsIn, markSecret, secret } from './secret-values.ts';

test('before a value is marked nothing is hidden, and data come back as they are', () => {
  const data = { text: 'anything' };
  assert.equal(hideSecretsIn(data), data);
});

test('a marked value goes in every spelling that a text may have of it, and nothing else does', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', minLength: 4, maxLength: 30 }).map((text) => `%§${text}`),
      (value) => {
        secret(value);
        const encoded = encodeURIComponent(value.replace(/\p{Cs}/gu, ''));
        for (const spelling of [value, JSON.stringify(value).slice(1, -1), encoded])
          assert.equal(hideSecrets(`<${spelling}>`), '<(redacted)>');
        assert.equal(hideSecrets('an ordinary line'), 'an ordinary line');
      },
    ),
    { seed: 9, numRuns: 300 },
  );
});

test('of two secrets the one that holds the other goes whole', () => {
  secret('inner-part');
  secret('the-inner-part-of-it');
  assert.equal(hideSecrets('a the-inner-part-of-it b inner-part'), 'a (redacted) b (redacted)');
});

test('keys, lists and own `__proto__` of data are looked through; figures stay', () => {
  secret('s3cr3t-value');
  const data = JSON.parse('{"__proto__": ["s3cr3t-value", 1], "of s3cr3t-value": {"n": null, "t": true}}');
  assert.equal(
    JSON.stringify(hideSecretsIn(data)),
    '{"__proto__":["(redacted)",1],"of (redacted)":{"n":null,"t":true}}',
  );
});

test('a value of the environment is named by its variable; one that is missing or too short is refused', (t) => {
  process.env['SHIPLOAD_TEST_SECRET'] = 'of-the-environment';
  process.env['SHIPLOAD_TEST_SHORT'] = 'abc';
  t.after(() => {
    delete process.env['SHIPLOAD_TEST_SECRET'];
    delete process.env['SHIPLOAD_TEST_SHORT'];
  });
  assert.equal(markSecret('Bearer ${SHIPLOAD_TEST_SECRET}', '--secret'), 'Bearer of-the-environment');
  assert.equal(hideSecrets('sent of-the-environment'), 'sent (redacted)');
  const refused = (text: string, message: RegExp): void =>
    assert.throws(() => markSecret(text, '--secret'), { code: 'option-invalid', message });
  refused('${SHIPLOAD_TEST_NONE}', /SHIPLOAD_TEST_NONE is not set/);
  refused('x${SHIPLOAD_TEST_SHORT}x', /fewer than 4 characters/);
  refused('', /fewer than 4 characters/);
  assert.throws(() => secret('abc'), { code: 'scenario-invalid' });
});

test('many marked values, one for each user, stay quick, and the last ones are hidden', () => {
  for (let i = 0; i < 5000; i += 1) secret(`of-user-${i}-marked`);
  const line = 'of-user-4999-marked and of-user-4100-marked. '.repeat(1000);
  const start = process.cpuUsage();
  assert.doesNotMatch(hideSecrets(line), /marked/);
  const { user } = process.cpuUsage(start);
  assert.ok(user < 2e6, `${user} µs`);
});
