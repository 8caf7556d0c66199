import type { StepRow } from '../../model/analysis.ts';
import { countText, figure, percentText, secondsText } from '../../stats/wording.ts';
import { LEDGER_FIXES, trialName, type LedgerFix } from './fixes.ts';
import { LEDGER_MIXES, type LedgerMix } from './mix.ts';

/** One sweep: a mix of reads and writes on a ledger with some remedies, or none. */
export interface LedgerSweep {
  readonly mix: LedgerMix;
  readonly fixes: readonly LedgerFix[];
  readonly rows: readonly StepRow[];
}

/** How far remedies lift the highest throughput of a mix. */
export interface LedgerMove {
  readonly mix: LedgerMix;
  readonly fixes: readonly LedgerFix[];
  readonly before: number;
  readonly after: number;
}

/** A lift of less is the noise of short steps on one machine. */
const LEAST_LIFT = 1.2;

export const peakOf = (rows: readonly StepRow[]): StepRow =>
  rows.reduce((best, row) => (row.throughputPerSecond > best.throughputPerSecond ? row : best));

/** The sweep of a mix without any remedy. */
export const sweepAsItIs = <Sweep extends LedgerSweep>(
  sweeps: readonly Sweep[],
  mix: LedgerMix,
): Sweep | undefined => sweeps.find((one) => one.mix === mix && one.fixes.length === 0);

/** Every trial beside the ledger as it is, mix by mix. */
export function ledgerMoves(sweeps: readonly LedgerSweep[]): readonly LedgerMove[] {
  return sweeps.flatMap(({ mix, fixes, rows }) => {
    const before = sweepAsItIs(sweeps, mix);
    if (fixes.length === 0 || before === undefined) return [];
    const [from, to] = [before.rows, rows].map((table) => peakOf(table).throughputPerSecond);
    return [{ mix, fixes, before: from!, after: to! }];
  });
}

/** Highest X of the read-heavy mix over that of the write-heavy one. */
export const readWriteCostRatio = (readHeavyPerSecond: number, writeHeavyPerSecond: number): number =>
  readHeavyPerSecond / writeHeavyPerSecond;

/**
 * Time a write takes of the bottleneck in reads, from the peaks of both mixes: 1/X = w·S_write + (1 − w)·S_read,
 * two equations. Undefined where a read comes out as nothing.
 */
export function writeInReads(readHeavyPerSecond: number, writeHeavyPerSecond: number): number | undefined {
  const [few, many] = [LEDGER_MIXES['read-heavy'], LEDGER_MIXES['write-heavy']];
  const [each, other] = [1 / readHeavyPerSecond, 1 / writeHeavyPerSecond];
  const write = (1 - few) * other - (1 - many) * each;
  const read = many * each - few * other;
  return read > 0 ? write / read : undefined;
}

/** What the sweeps show, one sentence each. */
export function readLedger(sweeps: readonly LedgerSweep[]): readonly string[] {
  const reading = sweepAsItIs(sweeps, 'read-heavy')?.rows;
  const writing = sweepAsItIs(sweeps, 'write-heavy')?.rows;
  if (reading === undefined || writing === undefined) return [];
  const [readPeak, writePeak] = [peakOf(reading), peakOf(writing)];
  const ratio = readWriteCostRatio(readPeak.throughputPerSecond, writePeak.throughputPerSecond);
  const reads = writeInReads(readPeak.throughputPerSecond, writePeak.throughputPerSecond);
  return [
    `Writes follow one another: ${figure(writePeak.throughputPerSecond)}/s at most in the write-heavy mix, with the CPU at ${cpuText(writePeak)}; ${countText(writing.at(-1)!.concurrency ?? 0, 'worker')} only wait longer, p99 ${secondsText(writing.at(-1)!.overall.p99Seconds ?? 0)}.`,
    `The read-heavy mix carries ${figure(ratio)} times as much${reads === undefined ? '' : `: one write takes as long as ${figure(reads)} reads`}.`,
    ...(['read-heavy', 'write-heavy'] as const).map((mix) => moveSentence(mix, ledgerMoves(sweeps))),
  ];
}

const cpuText = (row: StepRow): string => {
  const cpu = row.utilizationRatio['cpu'];
  const cores = row.serverCount['cpu'] ?? 1;
  return cpu === undefined ? 'an unknown share' : `${percentText(cpu * cores)} of one core`;
};

function moveSentence(mix: LedgerMix, moves: readonly LedgerMove[]): string {
  const own = moves.filter((move) => move.mix === mix).toSorted((a, b) => b.after - a.after);
  const moving = own.filter(({ before, after }) => after >= LEAST_LIFT * before);
  const still = own.filter((move) => !moving.includes(move)).map(({ fixes }) => trialName(fixes));
  const words = moving.map(
    ({ fixes, before, after }) =>
      `${trialName(fixes)} times ${figure(after / before)}${fixes.length === 1 ? ` (${LEDGER_FIXES[fixes[0]!]})` : ''}`,
  );
  const moved =
    words.length === 0 ? 'no remedy moves the peak' : `the peak is moved by ${words.join(', then ')}`;
  return `${mix}: ${moved}${still.length === 0 || words.length === 0 ? '' : `; ${still.join(' and ')} ${still.length === 1 ? 'does' : 'do'} not move it`}.`;
}
