import type { LineCounts, LineExample } from '../model/access-log.ts';
import { LOG_FORMATS } from './formats/index.ts';
import { LineReader, type LineBlock } from './line-reader.ts';
import { openFormat } from './detect-format.ts';
import { readHead, type LogSource } from './log-source.ts';
import type { StartCountsData } from './start-counts.ts';
import type { Stray } from './strays.ts';
import { Tally } from './tally.ts';

/** What a reading of one part of a file has counted: plain data, so that it can come from another thread. */
export interface ScannedPart {
  readonly counts: LineCounts;
  /** Unparsed lines that are no sign of another format. */
  readonly asides: number;
  /** Line numbers count from the part's first line. */
  readonly examples: readonly LineExample[];
  /** Some of the lines that do not fit the format, and how many there are. */
  readonly strays: readonly Stray[];
  readonly strayCount: number;
  readonly starts: StartCountsData;
  readonly blocks: readonly LineBlock[];
}

/**
 * Counts the lines of [fromByte, toByte), which begin and end between lines, of a file that can be opened in
 * the middle. The format is found from the head of the whole file, as `readLog` finds it.
 */
export async function scanPart(
  source: LogSource,
  format: string,
  fromByte: number,
  toByte: number,
): Promise<ScannedPart> {
  const { head, wrapper, chunks } = await readHead(source);
  await chunks.return?.();
  const tally = new Tally('none');
  const reader = new LineReader(source, openFormat(format, head, LOG_FORMATS), wrapper, tally, false, {
    fromByte,
  });
  for await (const chunk of source.reopen!(fromByte, toByte)) reader.push(chunk);
  reader.end();
  const { counts, asides, examples, starts } = tally;
  return {
    counts,
    asides,
    examples: examples.examples,
    strays: reader.strays.kept,
    strayCount: reader.strays.count,
    starts: starts.data(),
    blocks: reader.blocks,
  };
}
