import type { StepRow } from '../../model/analysis.ts';
import type { Growth } from '../../model/load.ts';
import type { StressResult } from '../../model/shape-result.ts';
import { figure, loadOf, loadText, percentText, secondsText } from '../../stats/wording.ts';
import { stepUp } from './step-up.ts';

export type StressRules = Extract<Growth, { kind: 'stress' }>;

/** What broke at a step, in words; undefined while the service holds. */
function breakOf(row: StepRow, { errorLimitRatio, responseLimitSeconds }: StressRules): string | undefined {
  if (row.errorRatio > errorLimitRatio)
    return `${percentText(row.errorRatio)} of the requests failed, more than ${percentText(errorLimitRatio)}`;
  const p95 = row.overall.p95Seconds;
  if (p95 !== undefined && p95 > responseLimitSeconds)
    return `p95 was ${secondsText(p95)}, more than ${secondsText(responseLimitSeconds)}`;
  return row.completionCount === 0 ? 'no request succeeded' : undefined;
}

/** Codes of steps whose load the generator did not put on the service. */
const GENERATOR_CODES: ReadonlySet<string> = new Set([
  'generator-bound',
  'load-not-reached',
  'load-held-back',
]);
const isGeneratorBound = (row: StepRow): boolean => row.notices.some(({ code }) => GENERATOR_CODES.has(code));

/**
 * The next load of a stress run: ×1.5 past the steps of the plan until the last one broke, the generator was the
 * limit, or the highest load was reached.
 */
export function nextStressLoad(
  rows: readonly StepRow[],
  isCount: boolean,
  rules: StressRules,
): number | undefined {
  const last = rows.at(-1);
  const load = last === undefined ? undefined : loadOf(last)?.value;
  if (last === undefined || load === undefined || load >= rules.highestLoad) return undefined;
  if (breakOf(last, rules) !== undefined || isGeneratorBound(last)) return undefined;
  return Math.min(rules.highestLoad, stepUp(load, isCount));
}

/** The first load at which the service broke, and the highest it held before. */
export function stressResult(rows: readonly StepRow[], rules: StressRules): StressResult {
  const broken = rows.findIndex((row) => breakOf(row, rules) !== undefined);
  const held = rows.slice(0, broken < 0 ? rows.length : broken).filter((row) => row.valid);
  const highestHeld = held.length === 0 ? undefined : Math.max(...held.map((row) => loadOf(row)?.value ?? 0));
  const row = rows[broken];
  const brokenAt = row === undefined ? undefined : loadOf(row)?.value;
  return {
    kind: 'stress',
    ...(brokenAt !== undefined && { brokenAt }),
    ...(highestHeld !== undefined && { highestHeld }),
    reason: row === undefined ? unbroken(rows) : `at ${loadText(row)} ${breakOf(row, rules)}`,
  };
}

function unbroken(rows: readonly StepRow[]): string {
  const last = rows.at(-1);
  if (last === undefined) return 'no step was measured';
  if (isGeneratorBound(last))
    return `the service held at every load; at ${loadText(last)} the generator was the limit`;
  return `the service did not break up to ${figure(loadOf(last)?.value ?? 0)}, where the run ended`;
}
