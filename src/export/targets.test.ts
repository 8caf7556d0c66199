import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseExportTarget } from './targets.ts';

test('a scrape address without a host is for this machine only', () => {
  assert.deepEqual(parseExportTarget('prometheus=:9464'), { kind: 'scrape', host: '127.0.0.1', port: 9464 });
  assert.deepEqual(parseExportTarget('prometheus=9464'), { kind: 'scrape', host: '127.0.0.1', port: 9464 });
  assert.deepEqual(parseExportTarget('prometheus=[::]:1'), { kind: 'scrape', host: '::', port: 1 });
});

test('a URL keeps its own equals signs', () => {
  const target = parseExportTarget('influx=http://db:8086/write?db=load&precision=ns');
  assert.equal(target.kind === 'push' && target.url.search, '?db=load&precision=ns');
});

for (const wrong of [
  'prometheus=:99999',
  'prometheus=',
  'otlp=',
  'otlp=ftp://a/',
  'graphite=http://a/',
  '__proto__=http://a/',
  '',
])
  test(`"${wrong}" is refused with the forms that there are`, () => {
    assert.throws(() => parseExportTarget(wrong), { code: 'option-invalid', hint: /otlp=http/ });
  });
