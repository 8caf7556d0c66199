import { serviceCommand } from '../service-command.ts';
import type { LedgerFix } from './fixes.ts';

export { ENTRY_COUNT, createLedgerDatabase } from './database.ts';
export { LEDGER_FIXES, LEDGER_TRIALS, trialName, type LedgerFix } from './fixes.ts';

export const LEDGER_READY_PATH = '/healthz';
/** The route of both reads (GET /entries/[id]) and writes (POST /entries). */
export const LEDGER_READ_ROUTE = '/entries/[id]';
export const LEDGER_WRITE_ROUTE = '/entries';

export interface LedgerCommandOptions {
  readonly port: number;
  /** The file of `createLedgerDatabase`. */
  readonly database: string;
  readonly fixes: readonly LedgerFix[];
}

/** The command line, for a POSIX shell, that runs the ledger. */
export function ledgerCommand({ port, database, fixes }: LedgerCommandOptions): string {
  const words = ['--port', String(port), '--database', database, ...fixes.map((fix) => `--${fix}`)];
  return serviceCommand(new URL('./service.js', import.meta.url), words);
}
