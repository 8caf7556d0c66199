import type { HistogramData } from '../model/histogram.ts';

/**
 * A histogram as HdrHistogram writes it: V2 encoding in a zlib stream, in base64. Its counts with three digits lie in
 * 2,048 linear cells and then 1,024 an octave, which are the bins of ours with 10 bits, index for index.
 *
 * Source: HdrHistogram, `AbstractHistogram.encodeIntoByteBuffer` and `ZigZagEncoding` (Gil Tene, public domain).
 */
export function encodedHistogram(histogram: HistogramData): string {
  const stream = storedZlib(encodeV2(histogram));
  return base64([...int32(COMPRESSED_COOKIE), ...int32(stream.length), ...stream]);
}

const COOKIE = 0x1c849303 | 0x10;
const COMPRESSED_COOKIE = 0x1c849304 | 0x10;
const DIGITS = 3;
/** The double 1.0. */
const ONE = [0x3f, 0xf0, 0, 0, 0, 0, 0, 0];
/** Of 32-bit microseconds. */
const HIGHEST_VALUE = 2 ** 32 - 1;

function encodeV2({ bins }: HistogramData): readonly number[] {
  const payload: number[] = [];
  let next = 0;
  for (let i = 0; i < bins.length; i += 2) {
    const [bin, count] = [bins[i]!, bins[i + 1]!];
    if (bin > next) payload.push(...zigZag(next - bin)); // so many cells of zero
    payload.push(...zigZag(count));
    next = bin + 1;
  }
  return [
    ...int32(COOKIE),
    ...int32(payload.length),
    ...int32(0), // normalizing index offset
    ...int32(DIGITS),
    ...int64(1), // lowest discernible value
    ...int64(HIGHEST_VALUE),
    ...ONE, // integer to double conversion ratio
    ...payload,
  ];
}

/** A signed number, its sign in the lowest bit, seven bits a byte, low ones first (LEB128; 2^53 needs eight). */
function zigZag(value: number): readonly number[] {
  const bytes: number[] = [];
  let rest = value < 0 ? -2 * value - 1 : 2 * value;
  while (rest >= 128) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  return [...bytes, rest];
}

const int32 = (value: number): readonly number[] => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255);
const int64 = (value: number): readonly number[] => [
  ...int32(Math.floor(value / 2 ** 32)),
  ...int32(value % 2 ** 32),
];

/** A zlib stream (RFC 1950) of stored blocks (RFC 1951, 3.2.4): it needs no compressor, and every reader takes it. */
function storedZlib(data: readonly number[]): readonly number[] {
  const stream: number[] = [0x78, 0x01];
  for (let at = 0; at < data.length || at === 0; at += 65_535) {
    const block = data.slice(at, at + 65_535);
    const { length } = block;
    stream.push(
      at + length >= data.length ? 1 : 0,
      length & 255,
      length >> 8,
      ~length & 255,
      (~length >> 8) & 255,
    );
    for (const byte of block) stream.push(byte);
  }
  return [...stream, ...int32(adler32(data))];
}

function adler32(data: readonly number[]): number {
  let [a, b] = [1, 0];
  for (const byte of data) {
    a = (a + byte) % 65_521;
    b = (b + a) % 65_521;
  }
  return b * 65_536 + a;
}

function base64(bytes: readonly number[]): string {
  return btoa(bytes.map((byte) => String.fromCharCode(byte)).join(''));
}
