import { serviceCommand } from '../service-command.ts';

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

/** The command line, for a POSIX shell, that runs the catalogue. */
export function catalogueCommand({ port, database, cache }: CatalogueCommandOptions): string {
  const words = ['--port', String(port), '--database', database, ...(cache ? ['--cache'] : [])];
  return serviceCommand(new URL('./service.js', import.meta.url), words);
}
