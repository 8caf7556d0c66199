import type { Growth } from '../../model/load.ts';
import type { LoadTrial, SearchResult } from '../../model/shape-result.ts';
import { figure } from '../../stats/wording.ts';
import { borderRange, type BorderRange, RANGE_CONFIDENCE } from './border-range.ts';
import { STEP_FACTOR, stepUp } from './step-up.ts';

export type SearchRules = Extract<Growth, { kind: 'search' }>;

/** What a search knows: its trials (one per load), how many steps it has run, and whether loads are whole numbers. */
export interface SearchState {
  readonly trials: readonly LoadTrial[];
  readonly stepCount: number;
  readonly isCount: boolean;
}

/** The border as the trials have it: the lowest load that fails, and the highest below it that passes. */
function borderOf(trials: readonly LoadTrial[]): {
  readonly passing?: LoadTrial;
  readonly failing?: LoadTrial;
} {
  const rising = [...trials].sort((a, b) => a.load - b.load);
  const failing = rising.find((trial) => !trial.passes);
  const passing = rising.findLast(
    (trial) => trial.passes && !(failing !== undefined && trial.load > failing.load),
  );
  return { ...(passing && { passing }), ...(failing && { failing }) };
}

/**
 * The load to try next, or undefined where the search is at its end. Up by ×1.5 while loads pass (down while none
 * does), then the middle of the border on a logarithmic scale; a load at the border whose verdict is less sure than
 * asked for is repeated first. Ends when the border is narrow and sure, or at the bounds of the rules.
 */
export function nextSearchLoad(state: SearchState, rules: SearchRules): number | undefined {
  const { trials, stepCount, isCount } = state;
  const { passing, failing } = borderOf(trials);
  if (stepCount >= rules.mostSteps || failing?.blocked !== undefined) return undefined;
  const unsure = [passing, failing]
    .filter((trial) => trial !== undefined)
    .filter((trial) => sureness(trial) < rules.confidenceRatio && trial.stepCount < rules.longestRepeat)
    .sort((a, b) => sureness(a) - sureness(b));
  if (unsure[0] !== undefined) return unsure[0].load;
  if (failing === undefined) {
    const next = stepUp(passing!.load, isCount);
    return passing!.load >= rules.highestLoad ? undefined : Math.min(next, rules.highestLoad);
  }
  if (passing === undefined) {
    const next = isCount ? Math.floor(failing.load / STEP_FACTOR) : failing.load / STEP_FACTOR;
    return next >= (isCount ? 1 : LOWEST_SHARE * startOf(trials)) ? next : undefined;
  }
  if (isNarrow(passing.load, failing.load, rules, isCount)) return undefined;
  const middle = Math.sqrt(passing.load * failing.load);
  if (isCount) return Math.min(failing.load - 1, Math.max(passing.load + 1, Math.round(middle)));
  const readable = Number(figure(middle));
  return readable > passing.load && readable < failing.load ? readable : middle;
}

/** A search that finds nothing goes down to this share of its highest load. */
const LOWEST_SHARE = 0.01;
const startOf = (trials: readonly LoadTrial[]): number => Math.max(...trials.map((trial) => trial.load));

/** Probability that the trial's verdict is right. */
const sureness = (trial: LoadTrial): number =>
  trial.blocked === undefined ? Math.max(trial.passProbability, 1 - trial.passProbability) : 1;

const isNarrow = (low: number, high: number, rules: SearchRules, isCount: boolean): boolean =>
  high <= low * (1 + rules.precisionRatio) || (isCount && high - low <= 1);

/**
 * What a search found: the two loads that it ends at as they were read, and how far from them the border may yet lie.
 * The two alone are often nearer to each other than the measurement is sure.
 */
export function searchResult(state: SearchState, rules: SearchRules): SearchResult {
  const { passing, failing } = borderOf(state.trials);
  const trials = [...state.trials].sort((a, b) => a.load - b.load);
  const narrow =
    passing !== undefined &&
    failing !== undefined &&
    isNarrow(passing.load, failing.load, rules, state.isCount);
  const range = borderRange(trials, state.isCount);
  return {
    kind: 'search',
    trials,
    ...(passing && { highestPassing: passing.load }),
    ...(failing && { lowestFailing: failing.load }),
    ...(range.low !== undefined && { borderLow: range.low }),
    ...(range.high !== undefined && { borderHigh: range.high }),
    ...((range.low ?? range.high) !== undefined && { confidenceRatio: RANGE_CONFIDENCE }),
    isNarrow: narrow,
    reason: reasonOf(passing, failing, narrow, range),
  };
}

function reasonOf(
  passing: LoadTrial | undefined,
  failing: LoadTrial | undefined,
  narrow: boolean,
  range: BorderRange,
): string {
  const where = rangeText(range);
  if (failing?.blocked !== undefined) {
    const upTo = passing === undefined ? 'no load was seen to pass' : `${figure(passing.load)} passes`;
    return `${upTo}${where}; at ${figure(failing.load)} the search ended: ${failing.blocked}`;
  }
  if (passing === undefined) {
    return failing === undefined
      ? 'no load was tried'
      : `no load passes, down to ${figure(failing.load)}${where}`;
  }
  if (failing === undefined) return `every load passes, up to ${figure(passing.load)}${where}`;
  const border = `${figure(passing.load)} passes with margin, ${figure(failing.load)} does not${where}`;
  return narrow ? border : `${border}; the search ended before the border was narrow`;
}

function rangeText({ low, high }: BorderRange): string {
  const sure = `; with ${100 * RANGE_CONFIDENCE} % confidence the border lies`;
  if (low !== undefined && high !== undefined) return `${sure} between ${figure(low)} and ${figure(high)}`;
  if (low !== undefined) return `${sure} above ${figure(low)}`;
  return high === undefined ? '' : `${sure} below ${figure(high)}`;
}
