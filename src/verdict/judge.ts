import type { StepRow } from '../model/analysis.ts';
import type { StepMeasurement } from '../model/measurement.ts';
import type { Check, Target, Verdict } from '../model/verdict.ts';
import { SAMPLES_BEYOND } from '../stats/order-statistics.ts';
import { judgeValue, neededWithMargin } from '../stats/margin.ts';
import { countText, figure, loadOf, loadText, percentText } from '../stats/wording.ts';
import { observe, valueText } from './observe.ts';
import type { Observation } from './observe.ts';

export interface JudgeOptions {
  /** Share of the limit that passing leaves free; default 0.1. */
  readonly marginRatio?: number;
  /** Load where a target names none: the log's M; missing: the highest load of the table. */
  readonly peakLoad?: number;
  /** For percentiles that the rows do not hold, and errors by route; matched to rows by step index. */
  readonly measurements?: readonly StepMeasurement[];
}

interface Judged {
  readonly check: Check;
  /** Why the step cannot carry a verdict; missing: it can. */
  readonly invalid?: string;
}

/**
 * Judges every target at its step and draws one decision: `invalid` where a needed step is not valid, else the
 * worst of fail > no-margin > inconclusive > pass, `not-judged` without targets. Margin rule (T the limit, v the
 * value): v > T fails; (1 − margin)·T < v ≤ T or an upper 95 % limit above T is `no-margin`; `>=` mirrored; a
 * target of zero has none. A percentile with fewer than ten samples beyond it, a quantity that was not measured
 * and a load that is no step are `inconclusive`.
 */
export function judge(
  targets: readonly Target[],
  rows: readonly StepRow[],
  options: JudgeOptions = {},
): Verdict {
  const marginRatio = options.marginRatio ?? 0.1;
  const judged = targets.map((target) => judgeOne(target, rows, marginRatio, options));
  const checks = judged.map(({ check }) => check);
  const invalid = judged.map((one) => one.invalid).filter((why) => why !== undefined);
  return { checks, marginRatio, ...decide(checks, invalid, marginRatio) };
}

function judgeOne(
  target: Target,
  rows: readonly StepRow[],
  marginRatio: number,
  options: JudgeOptions,
): Judged {
  const neededForPass = neededWithMargin(target.comparison, target.limit, marginRatio);
  const row = stepFor(target, rows, options.peakLoad);
  if (row === undefined) {
    const reason = noSuchStep(target, rows, options.peakLoad);
    return { check: { target, neededForPass, result: 'inconclusive', reason } };
  }
  const measurement = options.measurements?.find(({ step }) => step.index === row.index);
  const seen = observe(target, row, measurement);
  const check = checkOf(target, seen, neededForPass, marginRatio, row);
  if (row.valid) return { check };
  const why = row.notices.find(({ severity }) => severity !== 'info')?.message ?? 'no reason was recorded';
  const reason = `the step at ${loadText(row)} is not valid: ${why}`;
  return { check: { ...check, result: 'inconclusive', reason }, invalid: reason };
}

/** The step of the target's load: its own, else the peak load, else the highest of the table. */
function stepFor(
  target: Target,
  rows: readonly StepRow[],
  peakLoad: number | undefined,
): StepRow | undefined {
  const wanted = target.load ?? peakLoad;
  const loads = rows.map((row) => ({ row, load: loadOf(row) }));
  if (wanted === undefined) {
    const rising = loads.sort((a, b) => (a.load?.value ?? 0) - (b.load?.value ?? 0));
    return rising.at(-1)?.row;
  }
  return loads.find(
    ({ load }) =>
      load !== undefined &&
      Math.abs(load.value - wanted) <= 1e-9 * Math.abs(wanted) &&
      (target.loadKind === undefined || target.loadKind === load.kind),
  )?.row;
}

function noSuchStep(target: Target, rows: readonly StepRow[], peakLoad: number | undefined): string {
  const wanted = target.load ?? peakLoad;
  if (wanted === undefined) return 'there are no steps to judge';
  const kind = target.loadKind ?? 'users';
  const text = loadText({ index: 0, [kind]: wanted });
  const steps = rows.length === 0 ? 'there are none' : `the steps are ${rows.map(loadText).join(', ')}`;
  return `no step at ${text}: ${steps}`;
}

function checkOf(
  target: Target,
  seen: Observation,
  neededForPass: number,
  marginRatio: number,
  row: StepRow,
): Check {
  const base = { target, neededForPass, stepIndex: row.index };
  if (seen.kind === 'missing') {
    return { ...base, result: 'inconclusive', reason: `${seen.why} (${loadText(row)})` };
  }
  if (seen.kind === 'broken') return { ...base, result: 'fail', reason: `${seen.why} (${loadText(row)})` };
  const observed = {
    observed: seen.value,
    ...(seen.interval === undefined ? {} : { interval: seen.interval }),
  };
  if (seen.samplesBeyond !== undefined && seen.samplesBeyond < SAMPLES_BEYOND) {
    const reason = `${valueText(target.metric, seen.value)}, but only ${countText(seen.samplesBeyond, 'sample')} beyond ${target.metric} (${seen.note}): at least ${SAMPLES_BEYOND} are needed`;
    return { ...base, ...observed, result: 'inconclusive', reason };
  }
  const result = judgeValue(seen.value, target.comparison, target.limit, marginRatio, seen.interval);
  const reason = reasonOf(target, seen, result, neededForPass, row);
  return { ...base, ...observed, result, reason };
}

function reasonOf(
  target: Target,
  seen: Extract<Observation, { kind: 'value' }>,
  result: ReturnType<typeof judgeValue>,
  neededForPass: number,
  row: StepRow,
): string {
  const text = (value: number): string => valueText(target.metric, value);
  const needs = `${target.comparison} ${text(neededForPass)}`;
  const beyond = target.comparison === '>=' ? 'below' : 'above';
  const words = {
    fail:
      target.comparison === '='
        ? `where exactly ${text(target.limit)} was asked for`
        : `is ${beyond} the limit of ${text(target.limit)}`,
    'no-margin': noMarginWords(target, seen, neededForPass, needs),
    pass: target.comparison === '=' ? 'as required' : `meets ${needs}, the limit with its margin`,
  };
  const note = seen.note === undefined ? '' : `; ${seen.note}`;
  return `${text(seen.value)} at ${loadText(row)} ${words[result]}${note}`;
}

function noMarginWords(
  target: Target,
  seen: Extract<Observation, { kind: 'value' }>,
  neededForPass: number,
  needs: string,
): string {
  const text = (value: number): string => valueText(target.metric, value);
  const onValue = `is within the limit of ${text(target.limit)} without margin: passing needs ${needs}`;
  const meetsMargin = judgeValue(seen.value, target.comparison, neededForPass, 0) === 'pass';
  if (!meetsMargin || seen.interval === undefined) return onValue;
  const [low, high] = seen.interval;
  const upper = high === Infinity ? 'no finite upper limit' : text(high);
  return `meets ${needs}, but its 95 % interval (${text(low)} to ${upper}) reaches beyond ${text(target.limit)}`;
}

const WORST_FIRST = ['fail', 'no-margin', 'inconclusive', 'pass'] as const;

function decide(
  checks: readonly Check[],
  invalid: readonly string[],
  marginRatio: number,
): Pick<Verdict, 'decision' | 'reason'> {
  if (checks.length === 0) return { decision: 'not-judged', reason: 'no targets were given' };
  if (invalid.length > 0) return { decision: 'invalid', reason: `no verdict is drawn: ${invalid[0]}` };
  const decision = WORST_FIRST.find((result) => checks.some((check) => check.result === result)) ?? 'pass';
  if (decision === 'pass') {
    const passing = checks.length === 1 ? 'the check passes' : `all ${figure(checks.length)} checks pass`;
    return { decision, reason: `${passing} with a margin of ${percentText(marginRatio)}` };
  }
  const worst = checks.filter((check) => check.result === decision);
  const others = WORST_FIRST.filter((result) => result !== decision)
    .map((result) => ({ result, count: checks.filter((check) => check.result === result).length }))
    .filter(({ count }) => count > 0)
    .map(({ result, count }) => `${count} ${result}`);
  const named = worst.map(({ target, reason }) => `${target.text}: ${reason}`).join('; ');
  const rest = others.length === 0 ? '' : ` (others: ${others.join(', ')})`;
  return { decision, reason: `${worst.length} of ${checks.length} ${decision}: ${named}${rest}` };
}
