/** What can be done about the ledger's writes, each a switch of the service. */
export const LEDGER_FIXES = {
  wal: 'write-ahead log: a commit syncs one file once instead of two files and their folder',
  batch: 'several inserts in one transaction: all that wait are committed together',
  readers: 'reads on a connection of their own: they no longer wait for the write lock',
} as const;

export type LedgerFix = keyof typeof LEDGER_FIXES;

export const LEDGER_FIX_NAMES = Object.keys(LEDGER_FIXES) as readonly LedgerFix[];
