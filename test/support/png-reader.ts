import { inflateSync } from 'node:zlib';

/** A decoded picture: red, green, blue and alpha of each pixel, rows from above. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}

const SIGNATURE = '89504e470d0a1a0a';
const CHANNELS = 4;

/** Reads a PNG of 8-bit RGBA without interlace (PNG specification, third edition, §5, §9, §11). Throws for others. */
export function readPng(octets: Uint8Array): Picture {
  const file = Buffer.from(octets);
  if (file.subarray(0, 8).toString('hex') !== SIGNATURE) throw new Error('not a PNG');
  const data: Buffer[] = [];
  let header: Buffer | undefined;
  let isEnded = false;
  for (let at = 8; at < file.length;) {
    const length = file.readUInt32BE(at);
    const type = file.toString('latin1', at + 4, at + 8);
    const body = file.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') header = body;
    else if (type === 'IDAT') data.push(body);
    else if (type === 'IEND') isEnded = true;
    at += 12 + length;
  }
  if (header === undefined || !isEnded) throw new Error('a PNG without its head or its end');
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const form = [...header.subarray(8, 13)].join(' ');
  if (form !== '8 6 0 0 0') throw new Error(`not 8-bit RGBA: ${form}`);
  return { width, height, rgba: unfilter(inflateSync(Buffer.concat(data)), width, height) };
}

function unfilter(raw: Buffer, width: number, height: number): Uint8Array {
  const stride = width * CHANNELS;
  if (raw.length !== (stride + 1) * height) throw new Error(`${raw.length} octets of picture`);
  const out = new Uint8Array(stride * height);
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (stride + 1)]!;
    for (let x = 0; x < stride; x += 1) {
      const at = y * stride + x;
      const left = x >= CHANNELS ? out[at - CHANNELS]! : 0;
      const above = y > 0 ? out[at - stride]! : 0;
      const corner = x >= CHANNELS && y > 0 ? out[at - stride - CHANNELS]! : 0;
      const guess = [0, left, above, (left + above) >> 1, paeth(left, above, corner)][filter]!;
      out[at] = (raw[y * (stride + 1) + 1 + x]! + guess) & 255;
    }
  }
  return out;
}

function paeth(left: number, above: number, corner: number): number {
  const estimate = left + above - corner;
  const [a, b, c] = [left, above, corner].map((value) => Math.abs(estimate - value)) as [
    number,
    number,
    number,
  ];
  return a <= b && a <= c ? left : b <= c ? above : corner;
}
