import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type Libsql from 'libsql';
import { ShiploadError } from '../../errors.ts';
import { loadLibsql } from '../load-libsql.ts';
import { createRandom } from '../../stats/random.ts';
import { drawBook, type Book } from './books.ts';

export const BOOK_COUNT = 200_000;
const SEED = 1;
/** Kept in the file as its user_version: a file of another layout is built again. */
const LAYOUT_VERSION = 1;
const BOOKS_PER_INSERT = 100;

/** Answers one search, or one list of all books, from the open file. */
export interface CatalogueDatabase {
  allBooks(): Book[];
  /** A full scan, on purpose: `lower()` and a leading `%` keep every index out. */
  search(term: string): Book[];
  close(): void;
}

const COLUMNS = 'id, title, author, year, price_cents AS priceCents';
const SEARCH = `SELECT ${COLUMNS} FROM books WHERE lower(title) LIKE ? OR author LIKE ? ORDER BY price_cents, id LIMIT 20`;

/** Opens a finished catalogue. Throws `file-not-found`, `file-unreadable` and `optional-package-missing`. */
export async function openCatalogue(path: string): Promise<CatalogueDatabase> {
  const Database = await loadLibsql('catalogue');
  if (!existsSync(path)) throw new ShiploadError('file-not-found', `there is no catalogue at ${path}`);
  const database = new Database(path);
  if (!isFinished(database)) {
    database.close();
    throw new ShiploadError('file-unreadable', `${path} is not a catalogue of this version`, {
      hint: 'delete the file: it is built again',
    });
  }
  database.exec('PRAGMA query_only = 1');
  // The whole table fits: a search costs CPU time, not reads.
  database.exec('PRAGMA cache_size = -32000');
  const search = database.prepare(SEARCH);
  return {
    allBooks: () => database.prepare(`SELECT ${COLUMNS} FROM books`).all() as Book[],
    search: (term) => search.all(`%${term.toLowerCase()}%`, `%${term}%`) as Book[],
    close: () => void database.close(),
  };
}

/**
 * The path of the catalogue in `folder`; builds it when it is not there (a few seconds). The books follow from
 * a fixed seed. The file gets its name when it is finished, so that an interrupted build leaves no catalogue.
 * Throws `cannot-write` and `optional-package-missing`.
 */
export async function ensureCatalogueDatabase(folder: string, bookCount = BOOK_COUNT): Promise<string> {
  const Database = await loadLibsql('catalogue');
  const path = join(folder, `catalogue-${bookCount}.sqlite`);
  if (existsSync(path) && isFinishedFile(Database, path)) return path;
  const unfinished = `${path}.${process.pid}.part`;
  try {
    mkdirSync(folder, { recursive: true });
    try {
      rmSync(unfinished, { force: true });
      build(new Database(unfinished), bookCount);
      renameSync(unfinished, path);
    } finally {
      rmSync(unfinished, { force: true });
    }
  } catch (cause) {
    const message = `the catalogue cannot be written to ${path}: ${(cause as Error).message}`;
    throw new ShiploadError('cannot-write', message, { cause, hint: 'about 20 MB of free disk are needed' });
  }
  return path;
}

function build(database: Libsql.Database, bookCount: number): void {
  // Nobody reads the file before it is finished and renamed: a journal would protect nothing.
  database.exec('PRAGMA journal_mode = OFF');
  database.exec('PRAGMA synchronous = OFF');
  database.exec('BEGIN');
  database.exec(
    'CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT NOT NULL, author TEXT NOT NULL, year INTEGER NOT NULL, price_cents INTEGER NOT NULL)',
  );
  const random = createRandom(SEED);
  let values: unknown[] = [];
  const insert = (): void => {
    const rows = Array.from({ length: values.length / 5 }, () => '(?,?,?,?,?)').join(',');
    database.prepare(`INSERT INTO books VALUES ${rows}`).run(...values);
    values = [];
  };
  for (let id = 1; id <= bookCount; id += 1) {
    const book = drawBook(id, random);
    values.push(id, book.title, book.author, book.year, book.priceCents);
    if (id % BOOKS_PER_INSERT === 0 || id === bookCount) insert();
  }
  database.exec('COMMIT');
  database.exec(`PRAGMA user_version = ${LAYOUT_VERSION}`);
  database.close();
}

function isFinishedFile(Database: typeof Libsql, path: string): boolean {
  const database = new Database(path);
  try {
    return isFinished(database);
  } finally {
    database.close();
  }
}

function isFinished(database: Libsql.Database): boolean {
  try {
    const row = database.prepare('PRAGMA user_version').get() as { user_version: number };
    return row.user_version === LAYOUT_VERSION;
  } catch {
    return false;
  }
}
