import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bytesOf, textOf } from './bytes.ts';
import { TextTable } from './text-table.ts';

test('equal texts have one number, in the order of first appearance, as a map would give them', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 6 }), { maxLength: 3000 }), (texts) => {
      const table = new TextTable(bytesOf('rest'));
      const reference = new Map<string, number>();
      for (const text of texts) {
        if (!reference.has(text)) reference.set(text, reference.size);
        const bytes = bytesOf(`<${text}>`);
        assert.equal(table.idOf(bytes, 1, bytes.length - 1), reference.get(text));
      }
      const list = table.decoded(textOf);
      assert.equal(list.length, reference.size);
      for (const [text, id] of reference) assert.equal(list.at(id), text);
      assert.equal(list.at(reference.size), undefined);
    }),
    { seed: 7, numRuns: 30 },
  );
});

test('beyond its limit a table puts new texts together, and knows the old ones still', () => {
  const table = new TextTable(bytesOf('rest'), { texts: 3, bytes: 100 });
  const idOf = (text: string): number => table.idOf(bytesOf(text), 0, text.length);
  assert.deepEqual(['a', 'b', 'c', 'd', 'e', 'a', 'd'].map(idOf), [0, 1, 2, 3, 3, 0, 3]);
  assert.equal(table.overflowCount, 3);
  assert.equal(idOf('rest'), 3);
  assert.equal(table.length, 4);
});
