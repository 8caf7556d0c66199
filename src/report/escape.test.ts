import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { csvCell, escapeHtml, escapeMarkdown, printable, printableData, printableJson } from './escape.ts';

test('a terminal escape becomes visible text', () => {
  assert.equal(printable('/a\u001b[31mred'), '/a\\u001b[31mred');
});

test('a bidirectional override, a lone surrogate and a tag character become visible text', () => {
  assert.equal(printable('\u202e'), '\\u202e');
  assert.equal(printable('\ud800'), '\\ud800');
  assert.equal(printable('\u{e0041}'), '\\udb40\\udc41');
});

test('letters beyond ASCII stay as they are', () => {
  assert.equal(printable('/bücher/東京/𝒳'), '/bücher/東京/𝒳');
});

test('markup is inert in HTML text and attributes', () => {
  assert.equal(
    escapeHtml(`<img src=x onerror="a('b')">&`),
    '&lt;img src=x onerror=&quot;a(&#39;b&#39;)&quot;&gt;&amp;',
  );
});

test('a pipe does not split a markdown cell, and a route parameter is not a link', () => {
  assert.equal(escapeMarkdown('/a|b/[id]'), '/a\\|b/[id]');
  assert.equal(escapeMarkdown('[x](javascript:1)'), '[x\\](javascript:1)');
  assert.equal(escapeMarkdown('<b>_it_ T_s <= 1 &lt;'), '\\<b>\\_it\\_ T_s <= 1 \\&lt;');
});

const cells: readonly [string, string | number, string][] = [
  ['a formula becomes text', '=cmd()', "'=cmd()"],
  ['a formula behind a space becomes text', ' +1', "' +1"],
  ['a negative number stays a number', -1.5, '-1.5'],
  ['a comma is quoted', 'a,b', '"a,b"'],
  ['a quote is doubled', 'a"b', '"a""b"'],
  ['a line break becomes visible, so a row stays a line', 'a\nb', 'a\\u000ab'],
];
for (const [title, value, expected] of cells) test(title, () => assert.equal(csvCell(value), expected));

test('the key __proto__ stays a plain key', () => {
  const data = printableData(JSON.parse('{"__proto__":{"a":"\\u001b"}}') as object);
  assert.deepEqual(Object.keys(data), ['__proto__']);
  assert.equal(JSON.stringify(data), '{"__proto__":{"a":"\\\\u001b"}}');
});

test('printable JSON parses back to the same data and holds no character that acts', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const json = printableJson({ text });
      assert.deepEqual(JSON.parse(json), { text });
      assert.ok(!/[^\n\P{Cc}]|\p{Cf}/u.test(json));
    }),
    { seed: 7 },
  );
});
