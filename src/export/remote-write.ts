import { flatten, type FlatSample, type MetricSnapshot } from './metric.ts';

export const REMOTE_WRITE_HEADERS = {
  'content-type': 'application/x-protobuf',
  'content-encoding': 'snappy',
  'x-prometheus-remote-write-version': '0.1.0',
} as const;

/**
 * A Prometheus remote-write 1.0 request: `WriteRequest` as protocol buffers in a snappy block. The labels of a series
 * are sorted by name, as the protocol asks.
 */
export function remoteWriteBody({ metrics, atMilliseconds }: MetricSnapshot): Buffer {
  const series = metrics.flatMap(flatten).map((sample) => field(1, timeSeries(sample, atMilliseconds)));
  return snappyBlock(Buffer.concat(series));
}

function timeSeries({ name, labels, value }: FlatSample, atMilliseconds: number): Buffer {
  const pairs = Object.entries({ ...labels, __name__: name }).filter(([, text]) => text !== '');
  pairs.sort(([a], [b]) => (a < b ? -1 : 1));
  const number = Buffer.alloc(9);
  number[0] = (1 << 3) | 1; // field 1, 64 bits
  number.writeDoubleLE(value, 1);
  const time = Buffer.from([2 << 3, ...varint(atMilliseconds)]);
  return Buffer.concat([
    ...pairs.map(([key, text]) =>
      field(1, Buffer.concat([field(1, Buffer.from(key)), field(2, Buffer.from(text))])),
    ),
    field(2, Buffer.concat([number, time])),
  ]);
}

/** A field of a length and its bytes (wire type 2). */
function field(number: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...varint(content.length)]), content]);
}

/** Seven bits a byte, low ones first; by division, as times are beyond 32 bits. */
function varint(value: number): readonly number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 128) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  return [...bytes, rest];
}

/** A snappy block of literals only: valid for every reader, not smaller than its content. */
function snappyBlock(content: Buffer): Buffer {
  const parts: Buffer[] = [Buffer.from(varint(content.length))];
  for (let at = 0; at < content.length; at += 65_536) {
    const literal = content.subarray(at, at + 65_536);
    const size = literal.length - 1;
    parts.push(Buffer.from([61 << 2, size & 255, size >> 8]), literal); // a literal with two bytes of length
  }
  return Buffer.concat(parts);
}
