import type { SampleSink } from '../recorder.ts';
import { SAMPLE_FIELDS } from './messages.ts';

const BLOCK_ROWS = 1 << 14;

/** Collects finished requests as rows of numbers and hands on a block when it is full or at `flush`. */
export function sampleRows(send: (block: Float64Array) => void): {
  readonly add: SampleSink;
  flush(): void;
} {
  const block = new Float64Array(BLOCK_ROWS * SAMPLE_FIELDS);
  let at = 0;
  const flush = (): void => {
    if (at > 0) send(block.slice(0, at));
    at = 0;
  };
  const add: SampleSink = (endedAtSeconds, requestIndex, responseTimeSeconds, failed) => {
    block[at] = endedAtSeconds;
    block[at + 1] = requestIndex;
    block[at + 2] = responseTimeSeconds;
    block[at + 3] = failed ? 1 : 0;
    at += SAMPLE_FIELDS;
    if (at === block.length) flush();
  };
  return { add, flush };
}

/** Gives every row of a block to the sink. */
export function forEachSample(rows: Float64Array, sink: SampleSink): void {
  for (let at = 0; at < rows.length; at += SAMPLE_FIELDS) {
    sink(rows[at]!, rows[at + 1]!, rows[at + 2]!, rows[at + 3] === 1);
  }
}
