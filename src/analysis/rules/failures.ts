import type { Evidence, StepRow } from '../../model/analysis.ts';
import { percentText } from '../../stats/wording.ts';
import type { DiagnosisInput } from './rule.ts';
import { byLoad, measurementOf } from './step-counters.ts';
import { stepEvidence } from './threshold-rule.ts';

/** The share of failures from which a step's laws hold for its successes only. */
export const ERROR_RATIO = 0.01;
/** One kind of failure with this share of them is what happens; less is a mixture. */
const DOMINANT_SHARE = 0.8;

/** Kinds of failure by what the client saw. */
export type FailureKind = 'refused-429' | 'refused-503' | 'connection' | 'other';

const kindOf = (code: string): FailureKind => {
  if (code === 'http-429') return 'refused-429';
  if (code === 'http-503') return 'refused-503';
  return /^E[A-Z]+$|^connection-/.test(code) ? 'connection' : 'other';
};

/** A step of which more than 1 % of the requests failed, and what most of the failures were. */
export interface FailingStep {
  readonly row: StepRow;
  readonly kind: FailureKind | 'mixed';
  readonly evidence: Evidence;
}

/** The failing steps in the order of their load; a step without counts by code is `mixed`. */
export function failingSteps(input: DiagnosisInput): FailingStep[] {
  return byLoad(input)
    .filter(({ errorRatio }) => errorRatio > ERROR_RATIO)
    .map((row) => {
      const codes = Object.entries(measurementOf(row, input)?.errorCodes ?? {});
      const total = codes.reduce((sum, [, count]) => sum + count, 0);
      const [code, share] = dominant(codes, total);
      const kind = share >= DOMINANT_SHARE ? kindOf(code) : 'mixed';
      const words = share > 0 ? `, ${percentText(share)} of them ${code},` : '';
      const text = `${percentText(row.errorRatio)} of the requests failed${words}`;
      return { row, kind, evidence: stepEvidence(row, 'errorRatio', row.errorRatio, 'ratio', text) };
    });
}

/** The commonest code and the share of its kind. */
function dominant(codes: readonly (readonly [string, number])[], total: number): readonly [string, number] {
  const top = codes.reduce<readonly [string, number]>(
    (best, one) => (one[1] > best[1] ? one : best),
    ['', 0],
  );
  const ofKind = codes.filter(([code]) => kindOf(code) === kindOf(top[0]));
  return [top[0], total === 0 ? 0 : ofKind.reduce((sum, [, count]) => sum + count, 0) / total];
}

/** Everything that ended, a second. */
export const offeredPerSecond = (row: StepRow): number =>
  row.errorRatio < 1 ? row.throughputPerSecond / (1 - row.errorRatio) : Infinity;

/** Failures that the light steps would have shown at half the share of the highest load: fewer prove nothing. */
const EXPECTED_FAILURES = 5;

/**
 * Whether the share of failures grows with the load: at the highest more than twice that of the light steps, of which
 * so many are taken together that half of that share would have shown in five failures. Rows rise with the load.
 */
export function failuresGrow(rows: readonly StepRow[]): boolean {
  const last = rows.at(-1)!;
  const lighter = rows.slice(0, -1);
  let [endedCount, failedCount] = [0, 0];
  for (const row of lighter) {
    const ended = row.completionCount === undefined ? Infinity : row.completionCount + row.errorCount;
    if (ended === Infinity) return last.errorRatio > 2 * row.errorRatio;
    endedCount += ended;
    failedCount += row.errorCount;
    if ((endedCount * last.errorRatio) / 2 >= EXPECTED_FAILURES) {
      return last.errorRatio > (2 * failedCount) / endedCount;
    }
  }
  return false;
}
