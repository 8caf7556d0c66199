import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bytesOf } from './bytes.ts';
import { learnClf } from './clf-layout.ts';
import { LineFields } from './log-format.ts';

const STAMP = '[30/Nov/2026:17:56:37 +0000]';
const LAYOUTS = [
  ['common', `1.2.3.4 - - ${STAMP} "GET /a HTTP/1.1" 200 25`],
  ['combined', `1.2.3.4 - - ${STAMP} "GET /a HTTP/1.1" 200 25 "http://r/" "agent"`],
  ['vhost', `shop.example:443 1.2.3.4 - - ${STAMP} "GET /a HTTP/1.1" 200 25 "-" "agent"`],
  ['nginx-timed', `1.2.3.4 - - ${STAMP} "GET /a HTTP/1.1" 200 25 "-" "agent" 0.044`],
  ['apache-timed', `1.2.3.4 - - ${STAMP} "GET /a HTTP/1.1" 200 25 "-" "agent" D=2503414 XFF="9.9.9.9"`],
] as const;

/** Pieces of lines, so that what is drawn is almost a line more often than not. */
const PIECES = [
  ['1.2.3.4', '::1', '-', ' - - ', ' - frank b ', STAMP, '[30/Nov/2026:17:56:38 +0330]', ' "', '" ', '"'],
  ['GET /a HTTP/1.1', 'GET /a?b=c HTTP/2', 'get /a HTTP/1.1', 'GET /a b HTTP/1.1', 'GET /old', 'HELP', '-'],
  [String.raw`GET /a\"b HTTP/1.1`, String.raw`\x16\x03`, '', ' 200 25', ' - -', ' 200 -', ' 499 0', ' 20 1'],
  ['"-" "-"', '"http://r/" "agent"', String.raw`"-" "a\"b"`, String.raw`"-" "a\\"`, ' 0.044', ' -', ' 12'],
  [' D=12 XFF="-"', ' D=- XFF="9.9.9.9, 10.0.0.1"', ' 0.044 0.031', 'HTTP/1.1', '\t', '\u00e9'],
].flat();
const piece = fc.constantFrom(...PIECES);

for (const [family, sample] of LAYOUTS)
  test(`a ${family} line read in haste and one read with care say the same, whatever stands in it`, () => {
    const { parser, careful } = learnClf([bytesOf(sample)])!;
    const hasty = new LineFields();
    const slow = new LineFields();
    const mutated = fc
      .tuple(fc.nat(sample.length), fc.nat(12), piece)
      .map(([at, length, text]) => sample.slice(0, at) + text + sample.slice(at + length));
    const built = fc.array(piece, { maxLength: 9 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(fc.oneof(mutated, built, fc.constant(sample)), (line) => {
        const bytes = bytesOf(line);
        const verdict = parser.parse(bytes, 0, bytes.length, hasty);
        assert.equal(verdict, careful.parse(bytes, 0, bytes.length, slow), line);
        if (verdict === 0) assert.deepEqual(hasty, slow, line);
      }),
      { seed: 11, numRuns: 3000 },
    );
  });
