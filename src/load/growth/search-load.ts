import type { Growth } from '../../model/load.ts';
import type { LoadTrial, SearchResult } from '../../model/shape-result.ts';
import { figure } from '../../stats/wording.ts';
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
 * What a search found. The confidence is the probability that the load called passing passes and the one called
 * failing fails: at least 1 − (1 − p_low) − p_high by Bonferroni's inequality.
 */
export function searchResult(state: SearchState, rules: SearchRules): SearchResult {
  const { passing, failing } = borderOf(state.trials);
  const trials = [...state.trials].sort((a, b) => a.load - b.load);
  const narrow =
    passing !== undefined &&
    failing !== undefined &&
    isNarrow(passing.load, failing.load, rules, state.isCount);
  const confidence = Math.max(0, (passing?.passProbability ?? 1) - (failing?.passProbability ?? 0));
  return {
    kind: 'search',
    trials,
    ...(passing && { highestPassing: passing.load }),
    ...(failing && { lowestFailing: failing.load }),
    ...((passing ?? failing) && { confidenceRatio: confidence }),
    isNarrow: narrow,
    reason: reasonOf(passing, failing, narrow, confidence),
  };
}

function reasonOf(
  passing: LoadTrial | undefined,
  failing: LoadTrial | undefined,
  narrow: boolean,
  confidence: number,
): string {
  const sure = confidence > 0.99 ? 'confidence over 99 %' : `confidence ${Math.floor(100 * confidence)} %`;
  if (failing?.blocked !== undefined) {
    const upTo = passing === undefined ? 'no load was seen to pass' : `${figure(passing.load)} passes`;
    return `${upTo}; at ${figure(failing.load)} the search ended: ${failing.blocked}`;
  }
  if (passing === undefined) {
    return failing === undefined
      ? 'no load was tried'
      : `no load passes, down to ${figure(failing.load)} (${sure})`;
  }
  if (failing === undefined)
    return `every load passes, up to ${figure(passing.load)}; the border lies above (${sure})`;
  const border = `${figure(passing.load)} passes with margin, ${figure(failing.load)} does not`;
  return narrow
    ? `${border} (${sure})`
    : `${border} (${sure}); the search ended before the border was narrow`;
}
