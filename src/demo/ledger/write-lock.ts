import { Worker } from 'node:worker_threads';

export type LedgerJob =
  | { readonly kind: 'read'; readonly id: number }
  | { readonly kind: 'insert'; readonly notes: readonly string[] };

export interface LedgerResult {
  readonly entry?: string | undefined;
  readonly error?: string;
}

export type OnResult = (result: LedgerResult) => void;

/** What the lock tells of itself, in seconds since the start. */
export interface LockFigures {
  readonly waitingCount: number;
  readonly heldSeconds: number;
  readonly waitedSeconds: number;
}

/** The one connection behind a lock: whoever has it keeps it until the disk has the commit. */
export interface WriteLock {
  read(id: number, onResult: OnResult): void;
  insert(note: string, onResult: OnResult): void;
  figures(): LockFigures;
  close(): void;
}

interface Waiting {
  readonly job: LedgerJob;
  readonly onResult: OnResult;
  readonly sinceSeconds: number;
}

/** As many inserts as share one transaction at most. */
const BATCH_LIMIT = 64;

const nowSeconds = (): number => performance.now() / 1e3;

/** Starts the writing thread; resolves when it has the database open. */
export async function openWriteLock(path: string, wal: boolean, batch: boolean): Promise<WriteLock> {
  const worker = new Worker(new URL('./writer.js', import.meta.url), { workerData: { path, wal } });
  await new Promise<void>((resolve, reject) => {
    worker.once('message', () => resolve());
    worker.once('error', reject);
  });
  const queue: Waiting[] = [];
  let current: readonly Waiting[] = [];
  let heldSinceSeconds = 0;
  let heldSeconds = 0;
  let waitedSeconds = 0;

  const begin = (): void => {
    if (current.length > 0 || queue.length === 0) return;
    current = takeNext(queue, batch);
    heldSinceSeconds = nowSeconds();
    for (const { sinceSeconds } of current) waitedSeconds += heldSinceSeconds - sinceSeconds;
    worker.postMessage(jobOf(current), []);
  };
  worker.on('message', (result: LedgerResult) => {
    heldSeconds += nowSeconds() - heldSinceSeconds;
    const done = current;
    current = [];
    begin();
    for (const { onResult } of done) onResult(result);
  });
  const add = (job: LedgerJob, onResult: OnResult): void => {
    queue.push({ job, onResult, sinceSeconds: nowSeconds() });
    begin();
  };
  return {
    read: (id, onResult) => add({ kind: 'read', id }, onResult),
    insert: (note, onResult) => add({ kind: 'insert', notes: [note] }, onResult),
    figures: () => ({
      waitingCount: queue.length,
      heldSeconds: heldSeconds + (current.length > 0 ? nowSeconds() - heldSinceSeconds : 0),
      waitedSeconds,
    }),
    close: () => worker.postMessage('close', []),
  };
}

/** The first in line; in batches the inserts behind it too. */
function takeNext(queue: Waiting[], batch: boolean): readonly Waiting[] {
  const first = queue.shift()!;
  if (!batch || first.job.kind === 'read') return [first];
  const others = queue.filter(({ job }) => job.kind === 'insert').slice(0, BATCH_LIMIT - 1);
  const left = queue.filter((one) => !others.includes(one));
  queue.splice(0, queue.length, ...left);
  return [first, ...others];
}

function jobOf(taken: readonly Waiting[]): LedgerJob {
  const first = taken[0]!.job;
  if (first.kind === 'read') return first;
  return { kind: 'insert', notes: taken.flatMap(({ job }) => (job.kind === 'insert' ? job.notes : [])) };
}
