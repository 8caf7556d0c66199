import { join } from 'node:path';
import { foretellLedger, type LedgerForetold, readForetold } from '../../demo/ledger/foretell.ts';
import {
  createLedgerDatabase,
  ledgerCommand,
  LEDGER_READY_PATH,
  trialName,
  type LedgerFix,
} from '../../demo/ledger/index.ts';
import { ledgerRequests, type LedgerMix } from '../../demo/ledger/mix.ts';
import { freePort } from '../../host/free-port.ts';
import { planLoad } from '../../load/plan-load.ts';
import type { Isolation } from '../../model/analysis.ts';
import { bullets } from '../../report/text.ts';
import { isolateOneUser } from '../../session/isolate-one-user.ts';
import type { ServiceRequest } from '../../session/open-service.ts';
import type { CommandContext } from '../command.ts';
import type { OptionValues } from '../options/index.ts';

const QUICK = { measure: 1.2, warmup: 1, isolateStep: 3 } as const;
const FULL = { measure: 15, warmup: 3, isolateStep: 15 } as const;
export const LEDGER_WORKERS = [1, 2, 4, 8, 16, 32];
/** So many keep the ledger busy with either route. */
const BUSY_WORKERS = 8;
const READY_SECONDS = 10;
/** Where the ledger counts its lock. */
const METRICS_PATH = '/metrics';

/** The sweeps that can be foretold, from one user of the ledger as it is and of the one with a write-ahead log. */
export async function foretell(
  folder: string,
  options: OptionValues,
  context: CommandContext,
): Promise<readonly LedgerForetold[]> {
  const alone = async (fixes: readonly LedgerFix[]): Promise<Isolation | undefined> => {
    const { plan, pace } = planOf('write-heavy', options);
    const service = await ledgerAt(
      join(folder, `alone-${trialName(fixes).replaceAll(' ', '-')}.sqlite`),
      fixes,
    );
    return isolateOneUser(service, plan, pace.isolateStep, BUSY_WORKERS);
  };
  const asItIs = await alone([]);
  const withLog = await alone(['wal']);
  if (asItIs === undefined || withLog === undefined) return [];
  for (const line of bullets(readForetold(asItIs, withLog), context.terminal.width))
    context.terminal.say(line);
  return foretellLedger(asItIs, withLog, LEDGER_WORKERS);
}

/** A fresh ledger in this file, and how to start it. */
export async function ledgerAt(database: string, fixes: readonly LedgerFix[]): Promise<ServiceRequest> {
  await createLedgerDatabase(database);
  const url = new URL(`http://127.0.0.1:${await freePort()}/`);
  return {
    url,
    startCommand: ledgerCommand({ port: Number(url.port), database, fixes }),
    readyPath: LEDGER_READY_PATH,
    readyTimeoutSeconds: READY_SECONDS,
    pages: [METRICS_PATH],
  };
}

/** The sweep of a mix. */
export function planOf(mix: LedgerMix, options: OptionValues) {
  const pace = options.full === true ? FULL : QUICK;
  const planned = planLoad(
    { requests: ledgerRequests(mix), notices: [] },
    {
      shape: 'sweep',
      loads: LEDGER_WORKERS,
      stepSeconds: pace.warmup + pace.measure,
      warmupSeconds: pace.warmup,
      requestTimeoutSeconds: 30,
      seed: options.seed ?? 7,
    },
  );
  return { ...planned, pace };
}
