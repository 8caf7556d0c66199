import type { StepRow } from '../model/analysis.ts';
import type { LoadPlan } from '../model/load.ts';
import type { StepMeasurement } from '../model/measurement.ts';
import type { WriteCostResult, WriteMix } from '../model/shape-result.ts';
import { figure, loadOf, secondsText } from '../stats/wording.ts';

/** A mix with what one request of it takes: D, or the inverse of the highest X. */
interface MixCost {
  readonly writeRatio: number;
  readonly seconds: number;
}

/**
 * What a write costs beside a read, from sweeps with two or more shares w of writes: each mix tells
 * C(w) = w·C_write + (1 − w)·C_read, solved by least squares. C is the service demand D = U·m/X of the mix where the
 * service's CPU was watched (utilization law; Lazowska et al. 1984, 3.3), else 1/X at the mix's highest throughput,
 * which is the cost at whatever holds the service back. w is the share as measured.
 */
export function writeCost(
  { writeId }: Pick<LoadPlan, 'writeId'>,
  rows: readonly StepRow[],
  measurements: readonly StepMeasurement[],
): WriteCostResult {
  const ratios = [...new Set(rows.flatMap((row) => row.writeRatio ?? []))];
  const mixes = ratios.flatMap((ratio) => mixOf(ratio, rows, measurements, writeId) ?? []);
  const hasDemand = mixes.length > 0 && mixes.every((mix) => mix.serviceDemandSeconds !== undefined);
  const basis = hasDemand ? 'demand' : 'throughput';
  const costs = mixes.map((mix) => ({
    writeRatio: mix.measuredWriteRatio,
    seconds: hasDemand ? mix.serviceDemandSeconds! : 1 / mix.throughputPerSecond,
  }));
  const solved = solve(costs);
  const isTold = solved !== undefined && solved.read > 0 && solved.write > 0;
  return {
    kind: 'write-cost',
    mixes,
    ...(isTold && {
      readDemandSeconds: solved.read,
      writeDemandSeconds: solved.write,
      costRatio: solved.write / solved.read,
    }),
    basis,
    reason: isTold ? reasonOf(solved.write, solved.read, basis) : untold(mixes.length),
  };
}

/** A mix at its highest valid throughput; D over all of its valid steps, busy seconds by completions. */
function mixOf(
  writeRatio: number,
  rows: readonly StepRow[],
  measurements: readonly StepMeasurement[],
  writeId: string | undefined,
): WriteMix | undefined {
  const own = rows.filter((row) => row.writeRatio === writeRatio && row.valid && row.throughputPerSecond > 0);
  const [first] = own;
  if (first === undefined) return undefined;
  const top = own.reduce(
    (best, row) => (row.throughputPerSecond > best.throughputPerSecond ? row : best),
    first,
  );
  const answered = measurements
    .filter(({ step }) => own.some((row) => row.index === step.index))
    .flatMap(({ byRoute }) => byRoute);
  const okCount = (ofWrites: boolean): number =>
    answered
      .filter(({ requestClassId }) => !ofWrites || requestClassId === writeId)
      .reduce((sum, route) => sum + route.okCount, 0);
  const busy = own.map((row) => row.busySeconds?.['cpu']);
  const completions = own.reduce((sum, row) => sum + (row.completionCount ?? 0), 0);
  const busySeconds = busy.reduce<number>((sum, seconds) => sum + (seconds ?? NaN), 0);
  return {
    writeRatio,
    measuredWriteRatio: okCount(true) / okCount(false),
    load: loadOf(top)?.value ?? 0,
    throughputPerSecond: top.throughputPerSecond,
    ...(busySeconds > 0 && { serviceDemandSeconds: busySeconds / completions }),
  };
}

/** Intercept and slope of C over w by least squares: C(0) is a read, C(1) a write. */
function solve(costs: readonly MixCost[]): { readonly read: number; readonly write: number } | undefined {
  const n = costs.length;
  const meanOf = (pick: (cost: MixCost) => number): number =>
    costs.reduce((sum, cost) => sum + pick(cost), 0) / n;
  const [w, c] = [meanOf((cost) => cost.writeRatio), meanOf((cost) => cost.seconds)];
  const spread = meanOf((cost) => (cost.writeRatio - w) ** 2);
  if (n < 2 || !(spread > 0)) return undefined;
  const slope = meanOf((cost) => (cost.writeRatio - w) * (cost.seconds - c)) / spread;
  return { read: c - slope * w, write: c + slope * (1 - w) };
}

function reasonOf(write: number, read: number, basis: WriteCostResult['basis']): string {
  const from = basis === 'demand' ? "from the service's CPU" : 'from the highest throughput of each mix';
  return `a write costs ${figure(write / read)} times a read (${secondsText(write)} and ${secondsText(read)}, ${from})`;
}

const untold = (mixCount: number): string =>
  mixCount < 2
    ? `${mixCount} of the mixes could be read, and it takes two to tell a write from a read`
    : 'the mixes do not tell a write from a read: by their figures one of the two would cost nothing; measure longer, or with shares farther apart';
