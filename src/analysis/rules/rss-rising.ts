import type { Finding, StepRow } from '../../model/analysis.ts';
import type { StepMeasurement } from '../../model/measurement.ts';
import { bytesText, loadText, percentText } from '../../stats/wording.ts';
import type { DiagnosisInput, DiagnosisRule } from './rule.ts';
import { memoryLeak } from './memory-leak.ts';
import { measurementOf } from './step-counters.ts';
import { stepEvidence } from './threshold-rule.ts';

/** Growth within one step from which it is worth a word: the larger of a share of its start and an amount. */
const GROWTH_RATIO = 0.05;
const GROWTH_BYTES = 10e6;
const BLOCK_COUNT = 12;
/** Kendall's S of twelve values beyond which p < 0.01, two-sided (exact tables: |S| ≥ 38). */
const KENDALL_S = 38;

interface Growth {
  readonly row: StepRow;
  readonly startBytes: number;
  readonly growthBytes: number;
  /** Whether twelve block minima rise beyond chance; missing: no series to test. */
  readonly trend?: boolean;
}

/**
 * Red flag: resident memory that grows by more than 5 % and 10 MB within a step, whose load is constant. With a series,
 * the minima of twelve equal blocks must rise by Mann–Kendall (p < 0.01): minima follow what remains after a
 * collection. Growth in the first of several steps alone is the service filling up, and is not
 * reported; in a run of one step it may be that, and the confidence is medium at most. Left to the rule of leaks
 * where that sees the growth over the whole stretch.
 */
export const rssRising: DiagnosisRule = {
  id: 'rss-rising',
  examine: (input) => {
    const growths = input.rows.flatMap((row) => growthOf(row, input));
    const rising = growths.filter(isRising);
    const onlyWarmingUp = growths.length > 1 && rising.every(({ row }) => row === input.rows[0]);
    const isTold = memoryLeak.examine(input).length > 0;
    return rising.length === 0 || onlyWarmingUp || isTold ? [] : [findingOf(rising, growths)];
  },
};

const isRising = ({ startBytes, growthBytes, trend }: Growth): boolean =>
  growthBytes > Math.max(GROWTH_RATIO * startBytes, GROWTH_BYTES) && trend !== false;

function growthOf(row: StepRow, input: DiagnosisInput): Growth[] {
  const measurement = measurementOf(row, input);
  const minima = measurement === undefined ? undefined : blockMinima(measurement);
  if (minima !== undefined) {
    const startBytes = minima[0]!;
    const growthBytes = minima.at(-1)! - startBytes;
    return [{ row, startBytes, growthBytes, trend: kendallS(minima) >= KENDALL_S }];
  }
  if (row.residentBytes === undefined || row.residentGrowthBytes === undefined) return [];
  const growthBytes = row.residentGrowthBytes;
  return [{ row, startBytes: row.residentBytes - growthBytes, growthBytes }];
}

function blockMinima({ counters }: StepMeasurement): number[] | undefined {
  const points = counters.find(
    ({ source, quantity }) => source === 'process' && quantity === 'rssBytes',
  )?.points;
  if (points === undefined || points.length < BLOCK_COUNT) return undefined;
  return Array.from({ length: BLOCK_COUNT }, (_, block) => {
    const from = Math.floor((block * points.length) / BLOCK_COUNT);
    const to = Math.floor(((block + 1) * points.length) / BLOCK_COUNT);
    return Math.min(...points.slice(from, to).map(([, bytes]) => bytes));
  });
}

/** Kendall's S: pairs that rise minus pairs that fall. */
function kendallS(values: readonly number[]): number {
  return values.reduce(
    (total, value, i) => values.slice(i + 1).reduce((s, later) => s + Math.sign(later - value), total),
    0,
  );
}

function findingOf(rising: readonly Growth[], all: readonly Growth[]): Finding {
  const words = ({ startBytes, growthBytes }: Growth): string =>
    `${bytesText(growthBytes)} (${percentText(growthBytes / startBytes)})`;
  const evidence = (growth: Growth) =>
    stepEvidence(
      growth.row,
      'residentGrowthBytes',
      growth.growthBytes,
      'bytes',
      `RSS grew by ${words(growth)}`,
    );
  const steady = all.filter((growth) => !isRising(growth));
  const tested = rising.some(({ trend }) => trend === true);
  return {
    ruleId: 'rss-rising',
    claim: `resident memory rises at constant load: ${words(rising.at(-1)!)} within the step at ${loadText(rising.at(-1)!.row)}`,
    confidence:
      tested && rising.length > 1 && steady.length === 0
        ? 'high'
        : tested || rising.length > 1
          ? 'medium'
          : 'low',
    resource: 'memory',
    evidence: rising.map(evidence),
    counterEvidence: steady.map(evidence),
    nextExperiment: 'a soak of an hour at the same load: a leak goes on, a cache fills and stops',
  };
}
