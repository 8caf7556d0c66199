import { closeSync, fsync, fsyncSync, mkdtempSync, openSync, rmSync, write, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSlotPool } from '../../pool/slot-pool.ts';
import type { ZooMember } from '../member.ts';
import { SWEEP } from '../probes.ts';
import { later } from '../waiting.ts';

const RECORD = Buffer.alloc(8192, 'x');
/** A request writes and syncs for so long, as often as the disk lets it; the twin holds its lock for it without any disk. */
const HOLD_SECONDS = 9e-3;
/** Faster than any disk: the folder lies in memory. */
const MEMORY_SECONDS = 5e-4;
const TRIES = 8;

/** Each request is written and synced to disk before the next one; the twin waits as long without a disk. */
export const fsyncPerWrite: ZooMember = {
  name: 'fsync',
  fault: 'every request waits until the disk has its record',
  twin: 'a lock held as long as that, and no disk',
  expected: { on: 'disk-bound', twin: 'serial-lock' },
  probe: { ...SWEEP, shareOfFirst: 0.8 },
  obstacle: () =>
    syncSeconds() < MEMORY_SECONDS
      ? `syncing a file in ${tmpdir()} costs nothing: it lies in memory`
      : undefined,
  open: (variant) => {
    const log = variant === 'twin' ? undefined : openLog();
    const turn = createSlotPool(variant === 'off' ? Infinity : 1);
    const record = (done: () => void): void => {
      if (log === undefined) later(HOLD_SECONDS, done);
      else log.record(variant === 'on' ? HOLD_SECONDS : 0, done);
    };
    return {
      routes: [
        (reply) =>
          turn.acquire((release) =>
            record(() => {
              reply();
              release();
            }),
          ),
        (reply) => reply(),
      ],
      close: () => log?.close(),
    };
  },
};

interface RecordLog {
  readonly descriptor: number;
  /** Writes a record and waits for the disk, again and again until so long has gone by; 0: does not wait. */
  readonly record: (leastSeconds: number, done: () => void) => void;
  readonly close: () => void;
}

function openLog(): RecordLog {
  const folder = mkdtempSync(join(tmpdir(), 'shipload-zoo-'));
  const descriptor = openSync(join(folder, 'records'), 'w');
  const record = (leastSeconds: number, done: () => void): void => {
    const startedAt = performance.now();
    const again = (): void => {
      if ((performance.now() - startedAt) / 1e3 < leastSeconds) writeOnce();
      else done();
    };
    const writeOnce = (): void =>
      write(descriptor, RECORD, () => (leastSeconds > 0 ? fsync(descriptor, again) : done()));
    writeOnce();
  };
  return {
    descriptor,
    record,
    close: () => {
      closeSync(descriptor);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The mean time to write and sync one record here. */
function syncSeconds(): number {
  const log = openLog();
  const startedAt = performance.now();
  for (let i = 0; i < TRIES; i += 1) {
    writeSync(log.descriptor, RECORD);
    fsyncSync(log.descriptor);
  }
  const seconds = (performance.now() - startedAt) / 1e3 / TRIES;
  log.close();
  return seconds;
}
