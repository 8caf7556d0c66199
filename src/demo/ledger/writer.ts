import { parentPort, workerData } from 'node:worker_threads';
import { openLedger } from './database.ts';
import type { LedgerJob, LedgerResult } from './write-lock.ts';

/** The thread that has the one connection: it does one job at a time and waits for the disk in each commit. */
const { path, wal } = workerData as { readonly path: string; readonly wal: boolean };
const ledger = await openLedger(path, wal);
const port = parentPort!;
port.on('message', (job: LedgerJob | 'close') => {
  if (job === 'close') {
    ledger.close();
    port.close();
    return;
  }
  port.postMessage(doJob(job), []);
});
port.postMessage({ ready: true }, []);

function doJob(job: LedgerJob): LedgerResult {
  try {
    if (job.kind === 'read') return { entry: ledger.read(job.id) };
    ledger.insert(job.notes);
    return {};
  } catch (error) {
    return { error: (error as Error).message };
  }
}
