import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { KeptOctets, LastHead, MOST_KEPT_BYTES } from './kept-answer.ts';

/** The answer in reads of `size` octets. */
function kept(octets: Buffer, size = octets.length): KeptOctets {
  const answer = new KeptOctets(new LastHead());
  for (let at = 0; at < octets.length; at += size) {
    const read = octets.subarray(at, at + size);
    answer.add(read, read.length);
  }
  return answer;
}

const textOf = (answer: KeptOctets): string => Buffer.from(answer.body()).toString();

test('fields and content come out of an answer, however it was cut into reads', () => {
  const octets = Buffer.from(
    'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nA:  b \r\nset-cookie: x=1\r\n' +
      'Transfer-Encoding: chunked\r\n\r\n5;ext=1\r\nhello\r\n7\r\n world!\r\n0\r\nTrailer: t\r\n\r\n',
  );
  for (const size of [1, 7, 64, octets.length]) {
    const answer = kept(octets, size);
    assert.deepEqual(answer.fields.slice(0, 2), [
      ['A', 'b'],
      ['set-cookie', 'x=1'],
    ]);
    assert.equal(textOf(answer), 'hello world!');
  }
});

test('content codings are undone, unknown ones and broken ones are said', () => {
  const text = Buffer.from('the content');
  const cases = [
    ['gzip', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['br', brotliCompressSync(text)],
    ['gzip, br', brotliCompressSync(gzipSync(text))],
    ['identity', text],
  ] as const;
  for (const [coding, body] of cases) {
    const head = Buffer.from(`HTTP/1.1 200 OK\r\nContent-Encoding: ${coding}\r\n\r\n`);
    assert.equal(textOf(kept(Buffer.concat([head, body]))), 'the content', coding);
  }
  assert.throws(
    () => kept(Buffer.from('HTTP/1.1 200 OK\r\nContent-Encoding: zz\r\n\r\nx')).body(),
    /coded as "zz"/,
  );
});

test('the shared read buffer may be written over, and what is too long is not kept', () => {
  const buffer = Buffer.from('HTTP/1.1 200 OK\r\n\r\nfirst');
  const answer = new KeptOctets(new LastHead());
  answer.add(buffer, buffer.length);
  buffer.fill(0);
  assert.equal(textOf(answer), 'first');
  answer.add(Buffer.alloc(MOST_KEPT_BYTES), MOST_KEPT_BYTES);
  assert.throws(() => answer.body(), /longer than the 16 MiB/);
});
