import { createReadStream } from 'node:fs';
import type { CounterSample } from '../drive/counter-log.ts';
import { ShiploadError } from '../errors.ts';
import type { Frame } from '../model/measurement.ts';

/** A line of `segments.jsonl`: a second of a run. */
export interface Segment {
  readonly frame: Frame;
  readonly sample: CounterSample;
}

/** The segments that were written whole: a line cut off by a crash is the end. Throws `record-invalid` for a line before it that cannot be read. */
export function parseSegments(text: string, where: string): readonly Segment[] {
  const reader = new SegmentLines(where);
  for (const line of text.split('\n')) reader.take(line);
  return reader.segments;
}

/**
 * The same of a file, read line by line: a run of a day is longer than a text can be. None where there is no file.
 * Throws `record-invalid`, and `file-unreadable`.
 */
export async function readSegments(path: string): Promise<readonly Segment[]> {
  const reader = new SegmentLines(path);
  try {
    let begun: Buffer[] = [];
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      let from = 0;
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
        reader.take(Buffer.concat([...begun, chunk.subarray(from, end)]).toString('utf8'));
        begun = [];
        from = end + 1;
      }
      begun.push(chunk.subarray(from));
    }
    reader.take(Buffer.concat(begun).toString('utf8'));
  } catch (cause) {
    if (cause instanceof ShiploadError) throw cause;
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== 'ENOENT')
      throw new ShiploadError('file-unreadable', `cannot read ${path}: ${code ?? String(cause)}`, {
        where: path,
        cause,
      });
  }
  return reader.segments;
}

class SegmentLines {
  readonly segments: Segment[] = [];
  readonly #where: string;
  #lineCount = 0;
  /** Of a line that cannot be read: a fault only when another one follows. */
  #fault: ShiploadError | undefined;

  constructor(where: string) {
    this.#where = where;
  }

  take(line: string): void {
    this.#lineCount += 1;
    if (line === '') return;
    if (this.#fault !== undefined) throw this.#fault;
    try {
      this.segments.push(JSON.parse(line) as Segment);
    } catch (cause) {
      const number = this.#lineCount;
      this.#fault = new ShiploadError('record-invalid', `line ${number} is no segment of a run`, {
        where: `${this.#where}:${number}`,
        cause,
      });
    }
  }
}
