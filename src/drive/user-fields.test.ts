import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UserFields } from './user-fields.ts';

const answer = (cookie: string) => ({
  fields: [['Set-Cookie', cookie]] as const,
  body: () => new Uint8Array(),
});

test('cookies that answers set stand before those of the run, which no other user sees', () => {
  const fields = new UserFields({ Cookie: 'theme=dark', Accept: '*/*' }, () => 0);
  assert.equal(fields.of({}, '/')['Cookie'], 'theme=dark');
  fields.take(answer('sid=1; Path=/'), '/');
  assert.deepEqual(fields.of({}, '/'), { Accept: '*/*', Cookie: 'sid=1; theme=dark' });
  assert.equal(fields.of({ Cookie: 'own=1' }, '/')['Cookie'], 'own=1');
  const lower = new UserFields({ cookie: 'theme=dark' }, () => 0);
  lower.take(answer('sid=1; Path=/'), '/');
  assert.deepEqual(lower.of({}, '/'), { Cookie: 'sid=1; theme=dark' });
  assert.deepEqual(new UserFields({ Cookie: '' }, () => 0).of({}, '/'), {});
  const empty = new UserFields({ Cookie: '' }, () => 0);
  empty.take(answer('sid=2; Path=/'), '/');
  assert.equal(empty.of({}, '/')['Cookie'], 'sid=2');
});
