import fc from 'fast-check';

const STAMP = '[30/Nov/2026:17:56:37 +0000]';
/** A line of each layout of the family. */
export const CLF_LAYOUTS = [
  ['common', `1.2.3.4 - - ${STAMP} "GET /a HTTP/1.1" 200 25`],
  ['combined', `1.2.3.4 - - ${STAMP} "GET /a HTTP/1.1" 200 25 "http://r/" "agent"`],
  ['vhost', `shop.example:443 1.2.3.4 - - ${STAMP} "GET /a HTTP/1.1" 200 25 "-" "agent"`],
  ['nginx-timed', `1.2.3.4 - - ${STAMP} "GET /a HTTP/1.1" 200 25 "-" "agent" 0.044`],
  ['nginx-timed', `1.2.3.4 - - ${STAMP} "GET /a HTTP/1.1" 200 25 "-" "agent" 1796061397.123 0.044`],
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

/** Lines of a layout, whole, broken somewhere, or put together from pieces. */
export function clfLines(sample: string): fc.Arbitrary<string> {
  const mutated = fc
    .tuple(fc.nat(sample.length), fc.nat(12), piece)
    .map(([at, length, text]) => sample.slice(0, at) + text + sample.slice(at + length));
  const built = fc.array(piece, { maxLength: 9 }).map((pieces) => pieces.join(''));
  return fc.oneof(mutated, built, fc.constant(sample));
}
