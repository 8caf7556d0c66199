import { NEWLINE } from './bytes.ts';
import { LineSplitter, type LineSink } from './line-splitter.ts';
import type { BlockParser, LineFields, LineParser } from './log-format.ts';

/** Fewer bytes are read line by line before a scanner for blocks is worth its start. */
const BLOCKS_FROM_BYTES = 1 << 16;

/** What becomes of the lines of a scan. */
export interface ScanSink {
  /** A plain line, its times in the fields; `blocks.readRest(index, …)` gives the others. */
  plain(bytes: Uint8Array, blocks: BlockParser, index: number): void;
  /** Any other line. */
  line(bytes: Uint8Array, start: number, end: number): void;
}

/** A splitter whose plain lines are read in blocks, where the parser can. */
export function lineScan(parser: LineParser | undefined, fields: LineFields, sink: ScanSink): LineSplitter {
  let blocks: BlockParser | undefined;
  let isOpen = false;
  const line: LineSink = (bytes, start, end) => sink.line(bytes, start, end);
  const splitter: LineSplitter = new LineSplitter(line, (bytes, start, end) => {
    if (!isOpen && end - start >= BLOCKS_FROM_BYTES) {
      isOpen = true;
      blocks = parser?.openBlocks?.();
    }
    if (blocks === undefined) splitter.cut(bytes, start, end);
    else scanBlock(blocks, bytes, start, end, fields, sink, splitter);
  });
  return splitter;
}

function scanBlock(
  blocks: BlockParser,
  bytes: Uint8Array,
  start: number,
  end: number,
  fields: LineFields,
  sink: ScanSink,
  splitter: LineSplitter,
): void {
  for (let from = start; from < end;) {
    const count = blocks.scan(bytes, from, end);
    if (count === 0) {
      // The line is longer than the scanner holds.
      const next = bytes.indexOf(NEWLINE, from) + 1;
      splitter.cut(bytes, from, next);
      from = next;
    }
    for (let index = 0; index < count; index += 1) {
      const next = blocks.nextLine(index);
      if (blocks.readTimes(index, fields)) sink.plain(bytes, blocks, index);
      else splitter.cut(bytes, from, next);
      from = next;
    }
  }
}
