import { LineSplitter, LONGEST_LINE_BYTES } from '../access-log/line-splitter.ts';
import { unpacked } from '../access-log/log-source.ts';
import { ShiploadError } from '../errors.ts';
import type { ResultHead } from '../import/results/result-format.ts';

/** A file of results: its name for messages, and its bytes as often as they are asked for. */
export interface ResultSource {
  readonly name: string;
  open(): AsyncIterable<Uint8Array>;
}

const HEAD_CHARACTERS = 1 << 16;

/** Hands on the lines of a source, unpacked, as text. `longest`: whether a line was cut off at a megabyte. */
export async function eachLine(
  source: ResultSource,
  take: (text: string, isCut: boolean) => void,
): Promise<void> {
  const splitter = new LineSplitter((bytes, start, end) => {
    const isCut = end - start > LONGEST_LINE_BYTES;
    take(Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8'), isCut);
  });
  for await (const chunk of unpacked(source.open(), source.name)) splitter.push(chunk);
  splitter.end();
}

/** The first lines of a source that are not blank. Throws `results-invalid` for bytes that are no text. */
export async function readResultHead(source: ResultSource): Promise<ResultHead> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of unpacked(source.open(), source.name)) {
    chunks.push(Buffer.from(chunk.subarray(0, HEAD_CHARACTERS - length)));
    length += chunks.at(-1)!.length;
    if (length >= HEAD_CHARACTERS) break;
  }
  const bytes = Buffer.concat(chunks);
  if (bytes.length === 0)
    throw new ShiploadError('results-invalid', `${source.name} is empty`, { where: source.name });
  refuseBytes(source.name, bytes);
  const text = bytes.toString('utf8');
  return { text, lines: text.split(/\r?\n/).filter((line) => line.trim() !== '') };
}

function refuseBytes(name: string, bytes: Buffer): void {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    throw new ShiploadError('results-invalid', `${name} is text in UTF-16`, {
      where: name,
      hint: 'Save it as UTF-8; PowerShell’s > writes UTF-16.',
    });
  }
  if (!bytes.includes(0)) return;
  throw new ShiploadError('results-invalid', `${name} is binary, and results of a tool are text`, {
    where: name,
    hint: 'Of Vegeta: vegeta encode -to json results.bin. A packed file other than gzip: unpack it first.',
  });
}
