import { basisOfIsolation } from '../../analysis/demand-basis.ts';
import { predictCurve } from '../../analysis/predict.ts';
import type { IsolatedRoute, Isolation } from '../../model/analysis.ts';
import type { Prediction } from '../../model/prediction.ts';
import { simulateOn } from '../../session/predict-run.ts';
import { percentText, secondsText } from '../../stats/wording.ts';
import type { LedgerFix } from './fixes.ts';
import { LEDGER_READ_ROUTE, LEDGER_WRITE_ROUTE } from './index.ts';
import { LEDGER_MIXES, type LedgerMix } from './mix.ts';

/** A trial of the ledger as it is foretold, before its sweep is made. */
export interface LedgerForetold {
  readonly mix: LedgerMix;
  readonly fixes: readonly LedgerFix[];
  readonly prediction: Prediction;
}

/** Why the other remedies are tried and not foretold. */
export const NOT_FORETOLD: Readonly<Partial<Record<LedgerFix, string>>> = {
  batch:
    'not predicted: one commit for all that wait takes the longer the more wait, and a demand is the same for each request',
  readers:
    'alone not predicted: with a rollback journal a commit shuts the other connections out, and no demand of one route shows who shuts out whom',
};

const routeOf = ({ routes }: Isolation, name: string): IsolatedRoute | undefined =>
  routes.find(({ route }) => route === name);

/** How long a write holds the lock: by the ledger's own count. */
const heldSeconds = (isolation: Isolation): number | undefined =>
  routeOf(isolation, LEDGER_WRITE_ROUTE)?.lockHeldSeconds;

/** One thread answers; what the writing thread uses is part of the time that the lock is held. */
const LANES = 1;

/**
 * What a sweep of each mix will show: as it is, with a write-ahead log, and with own readers beside it. Each rests on that
 * ledger with a route at a time, measured before any sweep: how long one user waits, and what a request takes of the thread
 * and of the lock, which is one server, where several keep them busy. Own readers are a change to the ledger with the
 * log, `wait(/entries/[id])=0ms`: they need no lock. Empty where a ledger did not count its lock.
 */
export function foretellLedger(
  asItIs: Isolation,
  withLog: Isolation,
  workers: readonly number[],
): readonly LedgerForetold[] {
  if (heldSeconds(asItIs) === undefined || heldSeconds(withLog) === undefined) return [];
  const trials: readonly Trial[] = [
    { fixes: [], isolation: asItIs, whatIf: [] },
    { fixes: ['wal'], isolation: withLog, whatIf: [] },
    { fixes: ['wal', 'readers'], isolation: withLog, whatIf: [`wait(${LEDGER_READ_ROUTE})=0ms`] },
  ];
  return (Object.keys(LEDGER_MIXES) as LedgerMix[]).flatMap((mix) => {
    const shares = new Map([
      [LEDGER_READ_ROUTE, 1 - LEDGER_MIXES[mix]],
      [LEDGER_WRITE_ROUTE, LEDGER_MIXES[mix]],
    ]);
    return trials.map(({ fixes, isolation, whatIf }) => {
      const basis = basisOfIsolation(isolation, shares, LANES);
      const prediction = predictCurve(basis, {
        thinkTimeSeconds: 0,
        users: workers,
        whatIf,
        simulate: simulateOn(undefined),
      });
      const ofTheLog = isolation === withLog ? ['wal, from each route alone'] : [];
      return { mix, fixes, prediction: { ...prediction, whatIf: [...ofTheLog, ...whatIf] } };
    });
  });
}

interface Trial {
  readonly fixes: readonly LedgerFix[];
  readonly isolation: Isolation;
  readonly whatIf: readonly string[];
}

/** What was shown of the lock, and what the predictions rest on. */
export function readForetold(asItIs: Isolation, withLog: Isolation): readonly string[] {
  const [before, after] = [heldSeconds(asItIs), heldSeconds(withLog)];
  const read = routeOf(asItIs, LEDGER_READ_ROUTE)?.lockHeldSeconds ?? 0;
  if (before === undefined || after === undefined)
    return ['The ledger did not count its lock: no prediction.'];
  return [
    `A write holds the lock for ${secondsText(before)}, and for ${secondsText(after)} (${percentText(after / before)}) with a write-ahead log; a read for ${secondsText(read)}. The sweeps below are foretold from each route alone, not from the curve of the changed ledger.`,
    ...Object.entries(NOT_FORETOLD).map(([fix, why]) => `${fix}: ${why}.`),
  ];
}
