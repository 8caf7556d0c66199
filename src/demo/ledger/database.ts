import { rmSync } from 'node:fs';
import { ShiploadError } from '../../errors.ts';
import { loadLibsql } from '../load-libsql.ts';

export const ENTRY_COUNT = 10_000;
const ROWS_PER_INSERT = 500;

/** One connection to a ledger. */
export interface LedgerDatabase {
  /** The entry as JSON; undefined for a number that is none. */
  read(id: number): string | undefined;
  /** Inserts all in one transaction and returns when the disk has them. */
  insert(notes: readonly string[]): void;
  close(): void;
}

/** Makes a new ledger of 10,000 entries at `path`. Throws `cannot-write` and `optional-package-missing`. */
export async function createLedgerDatabase(path: string): Promise<void> {
  const Database = await loadLibsql('ledger');
  try {
    for (const file of [path, `${path}-wal`, `${path}-shm`, `${path}-journal`]) rmSync(file, { force: true });
    const database = new Database(path);
    database.exec('PRAGMA synchronous = OFF');
    database.exec(
      'CREATE TABLE entries (id INTEGER PRIMARY KEY, cents INTEGER NOT NULL, note TEXT NOT NULL)',
    );
    database.exec('BEGIN');
    for (let from = 1; from <= ENTRY_COUNT; from += ROWS_PER_INSERT) {
      const rows = Array.from(
        { length: ROWS_PER_INSERT },
        (_, i) => `(${from + i}, ${(from + i) * 7}, 'opening')`,
      );
      database.exec(`INSERT INTO entries VALUES ${rows.join(',')}`);
    }
    database.exec('COMMIT');
    database.close();
  } catch (cause) {
    const message = `the ledger cannot be written to ${path}: ${(cause as Error).message}`;
    throw new ShiploadError('cannot-write', message, { cause });
  }
}

/** Opens a ledger: with a rollback journal, or with a write-ahead log; both sync every commit to the disk. */
export async function openLedger(path: string, wal: boolean): Promise<LedgerDatabase> {
  const Database = await loadLibsql('ledger');
  const database = new Database(path);
  database.exec(`PRAGMA journal_mode = ${wal ? 'WAL' : 'DELETE'}`);
  database.exec('PRAGMA synchronous = FULL');
  database.exec('PRAGMA busy_timeout = 5000');
  const find = database.prepare('SELECT id, cents, note FROM entries WHERE id = ?');
  const add = database.prepare('INSERT INTO entries (cents, note) VALUES (?, ?)');
  return {
    read: (id) => {
      const row = find.get(id) as object | undefined;
      return row === undefined ? undefined : JSON.stringify(row);
    },
    insert: (notes) => {
      database.exec('BEGIN IMMEDIATE');
      for (const note of notes) add.run(note.length, note);
      database.exec('COMMIT');
    },
    close: () => void database.close(),
  };
}
