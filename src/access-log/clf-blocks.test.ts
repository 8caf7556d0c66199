import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CLF_LAYOUTS, clfLines } from '../../test/support/clf-lines.ts';
import { bytesOf } from './bytes.ts';
import { learnClf } from './clf-layout.ts';
import { LineFields, VERDICT } from './log-format.ts';

const LONG = 'x'.repeat(300);

for (const [family, sample] of CLF_LAYOUTS)
  test(`${family} lines read in a block say what they say one by one: ${sample.slice(60)}`, () => {
    const { parser } = learnClf([bytesOf(sample)])!;
    const blocks = parser.openBlocks!()!;
    const inBlock = new LineFields();
    const alone = new LineFields();
    let plainCount = 0;
    const ending = fc.constantFrom('\n', '\n', '\r\n', '\n\n', `\n#${sample}\n`, `${LONG}\n`);
    const line = fc.tuple(clfLines(sample), ending).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 12 }), fc.nat(40), (lines, offset) => {
        const bytes = bytesOf(' '.repeat(offset) + lines.join(''));
        const count = blocks.scan(bytes, offset, bytes.length);
        let from = offset;
        for (let index = 0; index < count; index += 1) {
          const next = blocks.nextLine(index);
          assert.equal(next, bytes.indexOf(10, from) + 1);
          if (blocks.readTimes(index, inBlock)) {
            blocks.readRest(index, inBlock);
            const end = bytes[next - 2] === 13 ? next - 2 : next - 1;
            const text = new TextDecoder().decode(bytes.subarray(from, end));
            assert.notEqual(bytes[from], 0x23, 'a comment is no plain line');
            assert.equal(parser.parse(bytes, from, end, alone), VERDICT.ok, text);
            assert.deepEqual(inBlock, alone, text);
            plainCount += 1;
          }
          from = next;
        }
        assert.equal(from, bytes.length);
      }),
      { seed: 12, numRuns: 1500 },
    );
    assert.ok(plainCount > 1000, `${plainCount} plain lines`);
  });

test('a block is scanned in pieces, and a line longer than a piece is left alone', () => {
  const sample = CLF_LAYOUTS[0][1];
  const blocks = learnClf([bytesOf(sample)])!.parser.openBlocks!()!;
  const many = bytesOf(`${sample}\n`.repeat(10_000));
  const fields = new LineFields();
  let lines = 0;
  for (let from = 0; from < many.length;) {
    const count = blocks.scan(many, from, many.length);
    assert.ok(count > 0);
    for (let index = 0; index < count; index += 1) assert.ok(blocks.readTimes(index, fields));
    lines += count;
    from = blocks.nextLine(count - 1);
  }
  assert.equal(lines, 10_000);
  const long = bytesOf(`${'x'.repeat(1 << 18)}\n`);
  assert.equal(blocks.scan(long, 0, long.length), 0);
});
