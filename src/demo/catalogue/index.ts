import { fileURLToPath } from 'node:url';

export { BOOK_COUNT, ensureCatalogueDatabase } from './database.ts';

/** The routes the service counts under their names, and the path that tells when it is ready. */
export const CATALOGUE_ROUTES = ['/books/[id]', '/search', '/healthz', '/metrics'] as const;
export const CATALOGUE_READY_PATH = '/healthz';

export interface CatalogueCommandOptions {
  readonly port: number;
  /** The file of `ensureCatalogueDatabase`. */
  readonly database: string;
  /** Keep the results of the last 1,024 searches. */
  readonly cache: boolean;
}

/** The command line, for a POSIX shell, that runs the catalogue with this Node and in place of the shell. */
export function catalogueCommand({ port, database, cache }: CatalogueCommandOptions): string {
  const service = fileURLToPath(new URL('./service.js', import.meta.url));
  const words = [
    quote(process.execPath),
    quote(service),
    '--port',
    String(port),
    '--database',
    quote(database),
  ];
  return ['exec', ...words, ...(cache ? ['--cache'] : [])].join(' ');
}

const quote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
