import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importUrls } from './urls.ts';

const mixOf = (text: string) =>
  importUrls(text, 'urls.txt').requests.map(({ id, shareRatio, targets }) => [
    id,
    shareRatio,
    Object.fromEntries(targets.targets.map((target, i) => [target, targets.counts![i]])),
  ]);

test('lists of URLs in every order of their words give the same mix', () => {
  const expected = [
    ['GET /books/[id]', 0.5, { '/books/1': 3, '/books/2': 1 }],
    ['POST /orders', 0.5, { '/orders?a=1,2': 4 }],
  ];
  const lists = [
    '# a comment\n3 http://a.test/books/1\nhttp://a.test/books/2\n\n4 POST http://a.test/orders?a=1,2\n',
    'GET 3 http://a.test/books/1\r\nGET /books/2\r\nPOST\t/orders?a=1,2\t4\r\n',
    'url,method,weight\nhttp://a.test/books/1,GET,3\nhttp://a.test/books/2,,1\n"http://a.test/orders?a=1,2",post,4\n',
    '3;http://a.test/books/1\n1;http://a.test/books/2\n4;POST;"/orders?a=1,2"\n',
  ];
  for (const list of lists) assert.deepEqual(mixOf(list), expected, list);
});

test('a URL that stands twice weighs twice, one of weight 0 is not sent, other hosts are counted', () => {
  const { requests, notes } = importUrls(
    'http://a.test/x\nhttp://a.test/x\n0 http://a.test/never\nhttp://b.test/y\n1.5 http://a.test/z#top\n',
    'urls.txt',
  );
  assert.deepEqual(
    requests.map(({ id, shareRatio }) => [id, Number(shareRatio.toFixed(6))]),
    [
      ['GET /x', 0.571429],
      ['GET /z', 0.428571],
    ],
  );
  assert.match(notes[0]!, /b\.test \(1\)/);
  assert.equal(
    importUrls('http://a.test/x\nhttp://b.test/y\n', 'u', 'http://b.test').requests[0]!.id,
    'GET /y',
  );
});

test('a line that is none is refused with file and line; weights that come to nothing too', () => {
  assert.throws(() => importUrls('http://a.test/\nhello there\n', 'urls.txt'), {
    where: 'urls.txt:2',
    code: 'import-invalid',
  });
  assert.throws(() => importUrls('1e999 http://a.test/\n', 'urls.txt'), { where: 'urls.txt:1' });
  assert.throws(() => importUrls('0 http://a.test/\n', 'urls.txt'), { where: 'urls.txt' });
});
