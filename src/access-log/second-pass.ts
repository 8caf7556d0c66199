import { isBlank, isComment } from './detect-format.ts';
import type { LineBlock, LineReader } from './line-reader.ts';
import { lineScan } from './line-scan.ts';
import { LONGEST_LINE_BYTES, type LineSplitter } from './line-splitter.ts';
import { LineFields, VERDICT } from './log-format.ts';
import { unpacked, type KeepRule } from './log-source.ts';
import type { KeptStarts } from './start-counts.ts';
import type { Tally } from './tally.ts';

/** The starts that a rule asks for, once all have been counted; all, where they are few after all. */
export function keptStartsOf({ starts, counts }: Tally, keep: KeepRule, rowLimit: number): KeptStarts {
  if (counts.ok <= rowLimit) return starts.stretch(-Infinity, Infinity);
  return 'busiestSeconds' in keep
    ? starts.fullestStretches(keep.busiestSeconds)
    : starts.stretch(keep.fromSeconds, keep.toSeconds);
}

/** Reads the parts of the files that hold kept starts once more, and adds their rows to the table. */
export async function rereadRows(
  readers: readonly LineReader[],
  kept: KeptStarts,
  tally: Tally,
): Promise<void> {
  for (const reader of readers) {
    for (const [fromByte, toByte] of partsOf(reader, kept)) {
      const splitter = rowGatherer(reader, kept, tally);
      const chunks = reader.source.reopen!(fromByte, toByte);
      for await (const chunk of reader.isPacked ? unpacked(chunks) : chunks) splitter.push(chunk);
      splitter.end();
    }
  }
}

type Part = readonly [fromByte: number, toByte: number];

/** Runs of blocks with kept starts; the whole file where it is packed or a header says how to read on. */
function partsOf({ blocks, opened, isPacked }: LineReader, kept: KeptStarts): Part[] {
  if (isPacked || opened.parser.comment !== undefined) return [[0, Infinity]];
  const parts: Part[] = [];
  const wanted = (block: LineBlock): boolean => kept.hasBetween(block.firstStart, block.lastStart);
  for (const { fromByte, toByte } of blocks.filter(wanted)) {
    const last = parts.at(-1);
    if (last?.[1] === fromByte) parts[parts.length - 1] = [last[0], toByte];
    else parts.push([fromByte, toByte]);
  }
  return parts;
}

function rowGatherer({ opened, wrapper }: LineReader, kept: KeptStarts, tally: Tally): LineSplitter {
  const fields = new LineFields();
  const { parser } = opened;
  const isEnd = parser.timestampMeaning === 'end';
  return lineScan(wrapper === undefined ? parser : undefined, fields, {
    plain: (bytes, blocks, index) => {
      const startSeconds = fields.startSeconds(isEnd);
      if (!kept.has(startSeconds)) return;
      blocks.readRest(index, fields);
      tally.table.add(bytes, fields, startSeconds);
    },
    line: (line, from, to) => {
      if (isBlank(line, from, to) || to - from > LONGEST_LINE_BYTES) return;
      if (isComment(line, from, to)) return parser.comment?.(line, from, to);
      const { bytes, start, end } = wrapper?.unwrap(line, from, to) ?? { bytes: line, start: from, end: to };
      const verdict = parser.parse(bytes, start, end, fields);
      if (verdict === VERDICT.badRequest && kept.has(fields.stampSeconds))
        tally.table.addBad(fields.bytes ?? bytes, fields);
      if (verdict !== VERDICT.ok) return;
      const startSeconds = fields.startSeconds(isEnd);
      if (kept.has(startSeconds)) tally.table.add(fields.bytes ?? bytes, fields, startSeconds);
    },
  });
}
