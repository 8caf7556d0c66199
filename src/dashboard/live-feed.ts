import { access, open } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { RUN_FILES } from '../host/run-folder.ts';
import type { Segment } from '../host/segments.ts';
import type { LoadPlan } from '../model/load.ts';
import { LiveState } from '../session/live-state.ts';
import { SILENCE_MILLISECONDS } from './run-list.ts';

/** A run's folder is looked at so often. */
const POLL_MILLISECONDS = 500;

export type FeedNews =
  | { readonly kind: 'second'; readonly state: LiveState; readonly isSilent: boolean }
  | { readonly kind: 'finished' };

/**
 * Follows the segments of a run that goes on in another process, and tells when its record is there. `tell` hears
 * every change and nothing after `finished` or the abort. What a run wrote before it fell silent is no sign of life.
 */
export async function followRun(
  folder: string,
  plan: LoadPlan,
  tell: (news: FeedNews) => void,
  signal: AbortSignal,
  hasBeenSilent = false,
): Promise<void> {
  const state = new LiveState(plan);
  const reader = new SegmentReader(join(folder, RUN_FILES.segments));
  let lastNewsAt = hasBeenSilent ? -Infinity : performance.now();
  let isCatchingUp = hasBeenSilent;
  let wasSilent = false;
  while (!signal.aborted) {
    const segments = await reader.read();
    for (const segment of segments) state.takeSegment(segment, plan);
    if (segments.length > 0 && !isCatchingUp) lastNewsAt = performance.now();
    isCatchingUp = false;
    const isSilent = performance.now() - lastNewsAt > SILENCE_MILLISECONDS;
    if (segments.length > 0 || isSilent !== wasSilent) tell({ kind: 'second', state, isSilent });
    wasSilent = isSilent;
    if (await isThere(join(folder, RUN_FILES.record))) {
      tell({ kind: 'finished' });
      return;
    }
    await setTimeout(POLL_MILLISECONDS, undefined, { signal }).catch(() => undefined);
  }
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Reads what was appended since the last time; a line that is not whole yet waits for its end. */
class SegmentReader {
  readonly #path: string;
  #offset = 0;
  #rest = Buffer.alloc(0);

  constructor(path: string) {
    this.#path = path;
  }

  async read(): Promise<readonly Segment[]> {
    const added = await this.#readAdded();
    const whole = Buffer.concat([this.#rest, added]);
    const end = whole.lastIndexOf(10) + 1;
    this.#rest = Buffer.from(whole.subarray(end));
    return whole
      .subarray(0, end)
      .toString('utf8')
      .split('\n')
      .filter((line) => line !== '')
      .flatMap((line) => parsed(line));
  }

  async #readAdded(): Promise<Buffer> {
    const file = await open(this.#path, 'r').catch(() => undefined);
    if (file === undefined) return Buffer.alloc(0);
    try {
      const { size } = await file.stat();
      const added = Buffer.alloc(Math.max(0, size - this.#offset));
      const { bytesRead } = await file.read(added, 0, added.length, this.#offset);
      this.#offset += bytesRead;
      return added.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  }
}

/** A broken line costs its second, not the page. */
function parsed(line: string): readonly Segment[] {
  try {
    return [JSON.parse(line) as Segment];
  } catch {
    return [];
  }
}
