import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ShiploadError } from '../errors.ts';
import { AddressBook } from './address-book.ts';

const turns = (book: AddressBook, count: number): readonly string[] =>
  Array.from({ length: count }, () => {
    try {
      return book.next();
    } catch (error) {
      return error instanceof ShiploadError ? error.code : 'thrown';
    }
  });

test('addresses are given out in turn', () => {
  const book = new AddressBook('service', ['127.0.0.1', '127.0.0.2']);
  assert.deepEqual(turns(book, 3), ['127.0.0.1', '127.0.0.2', '127.0.0.1']);
});

for (const [title, found, expected] of [
  ['a name that moved leads to its new address', ['127.0.0.9'], ['127.0.0.9', '127.0.0.9']],
  [
    'an address that is not this machine’s fails, before and after ours',
    ['127.0.0.1', '192.0.2.1'],
    ['127.0.0.1', 'url-not-yours'],
  ],
  ['a name that left this machine fails altogether', ['192.0.2.1'], ['url-not-yours', 'url-not-yours']],
  ['an address where nobody listened stays left out', ['127.0.0.1', '::1'], ['127.0.0.1', '127.0.0.1']],
  ['a look-up without an answer changes nothing', [], ['127.0.0.1', '127.0.0.1']],
] as const) {
  test(`at the next look-up, ${title}`, async () => {
    const book = new AddressBook('service', ['127.0.0.1'], () => Promise.resolve(found));
    await book.refresh();
    assert.deepEqual(turns(book, 2), expected);
  });
}

test('a resolver that fails changes nothing, and an address admitted at the start stays admitted', async () => {
  const failing = new AddressBook('service', ['192.0.2.1'], () => Promise.reject(new Error('down')));
  await failing.refresh();
  const steady = new AddressBook('service', ['192.0.2.1'], () => Promise.resolve(['192.0.2.1']));
  await steady.refresh();
  assert.deepEqual([...turns(failing, 1), ...turns(steady, 1)], ['192.0.2.1', '192.0.2.1']);
});
