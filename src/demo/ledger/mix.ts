import type { PlannedRequest } from '../../model/load.ts';
import { ENTRY_COUNT } from './database.ts';
import { LEDGER_READ_ROUTE, LEDGER_WRITE_ROUTE } from './index.ts';

/** The two mixes of the sweep, by their share of writes. */
export const LEDGER_MIXES = { 'read-heavy': 0.1, 'write-heavy': 0.9 } as const;
export type LedgerMix = keyof typeof LEDGER_MIXES;

const NOTE = '{"cents":700,"note":"a sale"}';

/** Reads of all entries alike, and inserts of one small entry. */
export function ledgerRequests(mix: LedgerMix): readonly PlannedRequest[] {
  const writeRatio = LEDGER_MIXES[mix];
  return [
    {
      id: `GET ${LEDGER_READ_ROUTE}`,
      method: 'GET',
      route: LEDGER_READ_ROUTE,
      shareRatio: 1 - writeRatio,
      targets: {
        draw: 'uniform',
        targets: Array.from({ length: ENTRY_COUNT }, (_, i) => `/entries/${i + 1}`),
        distinctCount: ENTRY_COUNT,
      },
    },
    {
      id: `POST ${LEDGER_WRITE_ROUTE}`,
      method: 'POST',
      route: LEDGER_WRITE_ROUTE,
      shareRatio: writeRatio,
      targets: { draw: 'uniform', targets: [LEDGER_WRITE_ROUTE], distinctCount: 1 },
      headers: { 'content-type': 'application/json' },
      body: NOTE,
    },
  ];
}
