import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import type { KeptAnswer } from '../protocol.ts';

/** Longer answers are counted like others, but what lies beyond cannot be read. */
export const MOST_KEPT_BYTES = 16 * 1024 * 1024;

const DECODERS: Readonly<Record<string, (octets: Uint8Array) => Uint8Array>> = {
  gzip: (octets) => gunzipSync(octets),
  'x-gzip': (octets) => gunzipSync(octets),
  deflate: (octets) => inflateSync(octets),
  br: (octets) => brotliDecompressSync(octets),
  identity: (octets) => octets,
};

/**
 * The octets of one answer as they came, taken apart only when somebody asks. The scanner has seen that they are an
 * answer by the rules (RFC 9112), so this reads on without looking for faults.
 */
export class KeptOctets implements KeptAnswer {
  readonly #parts: Buffer[] = [];
  #byteCount = 0;
  #isCut = false;
  #split: { readonly head: string; readonly bodyAt: number; readonly octets: Buffer } | undefined;
  #fields: KeptAnswer['fields'] | undefined;

  /** Copies the first octets of the read buffer, whose memory is shared. */
  add(buffer: Uint8Array, byteCount: number): void {
    this.#byteCount += byteCount;
    if (this.#byteCount > MOST_KEPT_BYTES) this.#isCut = true;
    else this.#parts.push(Buffer.from(buffer.subarray(0, byteCount)));
  }

  get fields(): KeptAnswer['fields'] {
    this.#fields ??= this.#parse()
      .head.split('\r\n')
      .slice(1)
      .map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon), line.slice(colon + 1).trim()] as const;
      });
    return this.#fields;
  }

  body(): Uint8Array {
    if (this.#isCut) throw new RangeError('the answer is longer than the 16 MiB that are kept of it');
    const { octets, bodyAt } = this.#parse();
    const framed = octets.subarray(bodyAt);
    const content = this.#value('transfer-encoding') === undefined ? framed : withoutChunks(framed);
    const codings = (this.#value('content-encoding') ?? '').toLowerCase().split(',');
    return codings.reduceRight((bytes: Uint8Array, coding) => {
      const decode = DECODERS[coding.trim() || 'identity'];
      if (decode === undefined)
        throw new RangeError(`the answer is coded as "${coding.trim()}", which is not known`);
      return decode(bytes);
    }, content);
  }

  #value(name: string): string | undefined {
    return this.fields.find(([field]) => field.toLowerCase() === name)?.[1];
  }

  /** The final head, past interim 1xx ones. */
  #parse(): { readonly head: string; readonly bodyAt: number; readonly octets: Buffer } {
    if (this.#split !== undefined) return this.#split;
    const octets = this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts);
    let from = 0;
    for (;;) {
      const found = octets.indexOf('\r\n\r\n', from, 'latin1');
      const end = found === -1 ? octets.length : found;
      const head = octets.toString('latin1', from, end);
      const bodyAt = Math.min(octets.length, end + 4);
      if (!/^HTTP\/1\.\d 1/.test(head) || found === -1) return (this.#split = { head, bodyAt, octets });
      from = bodyAt;
    }
  }
}

function withoutChunks(framed: Buffer): Buffer {
  const chunks: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = framed.indexOf('\r\n', at, 'latin1');
    if (lineEnd === -1) break;
    const size = Number.parseInt(framed.toString('latin1', at, lineEnd), 16);
    if (!(size > 0)) break;
    chunks.push(framed.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}
