/** What can be done about the ledger's writes, each a switch of the service. */
export const LEDGER_FIXES = {
  wal: 'write-ahead log: a commit syncs one file once instead of two files and their folder',
  batch: 'several inserts in one transaction: all that wait are committed together',
  readers: 'reads on a connection of their own: they no longer wait for the write lock',
} as const;

export type LedgerFix = keyof typeof LEDGER_FIXES;

/** What the demo tries: nothing, each remedy alone, and own readers where they can work, beside a write-ahead log. */
export const LEDGER_TRIALS: readonly (readonly LedgerFix[])[] = [
  [],
  ['wal'],
  ['batch'],
  ['readers'],
  ['wal', 'readers'],
];

/** `wal+readers`; `as it is` without any. */
export const trialName = (fixes: readonly LedgerFix[]): string =>
  fixes.length === 0 ? 'as it is' : fixes.join('+');
