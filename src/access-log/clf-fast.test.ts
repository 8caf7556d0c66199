import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CLF_LAYOUTS, clfLines } from '../../test/support/clf-lines.ts';
import { bytesOf } from './bytes.ts';
import { learnClf } from './clf-layout.ts';
import { LineFields } from './log-format.ts';

for (const [family, sample] of CLF_LAYOUTS)
  test(`a ${family} line read in haste and one read with care say the same, whatever stands in it`, () => {
    const { parser, careful } = learnClf([bytesOf(sample)])!;
    const hasty = new LineFields();
    const slow = new LineFields();
    fc.assert(
      fc.property(clfLines(sample), (line) => {
        const bytes = bytesOf(line);
        const verdict = parser.parse(bytes, 0, bytes.length, hasty);
        assert.equal(verdict, careful.parse(bytes, 0, bytes.length, slow), line);
        if (verdict === 0) assert.deepEqual(hasty, slow, line);
      }),
      { seed: 11, numRuns: 3000 },
    );
  });
