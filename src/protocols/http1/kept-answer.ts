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

/** The final head of an answer, past interim 1xx ones, taken apart. */
interface ParsedHead {
  readonly bodyAt: number;
  readonly fields: KeptAnswer['fields'];
  readonly isChunked: boolean;
  readonly codings: string;
}

/** Heads of one connection are mostly the same as the one before: comparing costs less than taking apart. */
export class LastHead {
  /** With the empty line at its end. */
  text = '';
  parsed: ParsedHead | undefined;
}

/**
 * The octets of one answer as they came, as latin1 text, taken apart only when somebody asks. The scanner has seen that
 * they are an answer by the rules (RFC 9112), so this reads on without looking for faults.
 */
export class KeptOctets implements KeptAnswer {
  readonly #last: LastHead;
  #octets = '';
  #isCut = false;
  #head: ParsedHead | undefined;

  constructor(last: LastHead) {
    this.#last = last;
  }

  /** Copies the first octets of the read buffer, whose memory is shared. */
  add(buffer: Buffer, byteCount: number): void {
    if (this.#octets.length + byteCount > MOST_KEPT_BYTES) this.#isCut = true;
    else if (!this.#isCut) this.#octets += buffer.toString('latin1', 0, byteCount);
  }

  get fields(): KeptAnswer['fields'] {
    return this.#parsed().fields;
  }

  asciiText(): string | undefined {
    const { bodyAt, isChunked, codings } = this.#parsed();
    if (this.#isCut || isChunked || codings !== '') return undefined;
    const text = this.#octets.slice(bodyAt);
    return Buffer.byteLength(text, 'utf8') === text.length ? text : undefined;
  }

  body(): Uint8Array {
    if (this.#isCut) throw new RangeError('the answer is longer than the 16 MiB that are kept of it');
    const { bodyAt, isChunked, codings } = this.#parsed();
    const framed = Buffer.from(this.#octets.slice(bodyAt), 'latin1');
    const content = isChunked ? withoutChunks(framed) : framed;
    return codings.split(',').reduceRight((bytes: Uint8Array, coding) => {
      const decode = DECODERS[coding.trim() || 'identity'];
      if (decode === undefined)
        throw new RangeError(`the answer is coded as "${coding.trim()}", which is not known`);
      return decode(bytes);
    }, content);
  }

  #parsed(): ParsedHead {
    this.#head ??= this.#parse();
    return this.#head;
  }

  #parse(): ParsedHead {
    const octets = this.#octets;
    const last = this.#last;
    if (last.parsed !== undefined && octets.startsWith(last.text)) return last.parsed;
    let from = 0;
    for (;;) {
      const found = octets.indexOf('\r\n\r\n', from);
      const end = found === -1 ? octets.length : found;
      const head = copyOf(octets.slice(from, end));
      const bodyAt = Math.min(octets.length, end + 4);
      if (found !== -1 && INTERIM.test(head)) {
        from = bodyAt;
        continue;
      }
      const parsed = parseHead(head, bodyAt);
      // Behind interim heads, or cut short, it is none that the next answer begins with.
      if (from === 0 && found !== -1) {
        last.text = `${head}\r\n\r\n`;
        last.parsed = parsed;
      }
      return parsed;
    }
  }
}

/** A slice would hold on to all that it was cut from. */
const copyOf = (latin1: string): string => Buffer.from(latin1, 'latin1').toString('latin1');

const INTERIM = /^HTTP\/1\.\d 1/;

function parseHead(head: string, bodyAt: number): ParsedHead {
  const fields = head
    .split('\r\n')
    .slice(1)
    .map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trim()] as const;
    });
  const valueOf = (name: string): string | undefined =>
    fields.find(([field]) => field.toLowerCase() === name)?.[1];
  return {
    bodyAt,
    fields,
    isChunked: valueOf('transfer-encoding') !== undefined,
    codings: (valueOf('content-encoding') ?? '').toLowerCase(),
  };
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
