/** What a receiver of Prometheus remote write finds in a body: an independent reading of snappy and protocol buffers. */
export interface ReadSeries {
  readonly labels: readonly (readonly [name: string, value: string])[];
  readonly value: number;
  readonly atMilliseconds: number;
}

export function readRemoteWrite(body: Buffer): readonly ReadSeries[] {
  return fieldsOf(unsnappy(body)).map(({ bytes }) => {
    const fields = fieldsOf(bytes!);
    const labels = fields
      .filter(({ number }) => number === 1)
      .map(
        ({ bytes: pair }) => fieldsOf(pair!).map(({ bytes: text }) => text!.toString()) as [string, string],
      );
    const sample = fieldsOf(fields.find(({ number }) => number === 2)!.bytes!);
    return { labels, value: sample[0]!.bytes!.readDoubleLE(0), atMilliseconds: sample[1]!.varint! };
  });
}

interface Field {
  readonly number: number;
  readonly bytes?: Buffer;
  readonly varint?: number;
}

function fieldsOf(message: Buffer): readonly Field[] {
  const fields: Field[] = [];
  let at = 0;
  while (at < message.length) {
    const tag = varintAt(message, at);
    at = tag.end;
    const [number, type] = [tag.value >> 3, tag.value & 7];
    if (type === 1) {
      fields.push({ number, bytes: message.subarray(at, at + 8) });
      at += 8;
      continue;
    }
    const { value, end } = varintAt(message, at);
    if (type === 0) fields.push({ number, varint: value });
    else fields.push({ number, bytes: message.subarray(end, end + value) });
    at = type === 0 ? end : end + value;
  }
  return fields;
}

function varintAt(data: Buffer, start: number): { readonly value: number; readonly end: number } {
  let value = 0;
  let factor = 1;
  let at = start;
  for (;;) {
    const byte = data[at]!;
    at += 1;
    value += (byte & 127) * factor;
    factor *= 128;
    if (byte < 128) return { value, end: at };
  }
}

/** Literals only, which is all that is sent; a copy would fail here. */
function unsnappy(block: Buffer): Buffer {
  const { value: length, end } = varintAt(block, 0);
  const parts: Buffer[] = [];
  let at = end;
  while (at < block.length) {
    const tag = block[at]!;
    if ((tag & 3) !== 0) throw new Error('a copy');
    const code = tag >> 2;
    const extra = code < 60 ? 0 : code - 59;
    const size = 1 + (extra === 0 ? code : block.readUIntLE(at + 1, extra));
    at += 1 + extra;
    parts.push(block.subarray(at, at + size));
    at += size;
  }
  const content = Buffer.concat(parts);
  if (content.length !== length) throw new Error('not the length that was told');
  return content;
}
