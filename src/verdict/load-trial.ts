import type { StepRow } from '../model/analysis.ts';
import type { StepMeasurement } from '../model/measurement.ts';
import type { LoadTrial } from '../model/shape-result.ts';
import type { Target } from '../model/verdict.ts';
import { passProbability } from './pass-probability.ts';

/** Notices that speak of the generator, not of the service. */
const GENERATOR_CODES = new Set(['generator-bound', 'load-not-reached']);
/** Arrivals that the generator's own limit kept from the service. */
const HELD_BACK_CODE = 'load-held-back';
/** The least sure a verdict can be. */
const UNDECIDED = 0.5;

/**
 * One load of a search: its row and its measurement, repeats already joined. It passes when its least likely target
 * holds more probably than not; a step that was not valid passes nothing, and one the generator spoiled decides
 * nothing.
 */
export function loadTrial(
  row: StepRow,
  measurement: StepMeasurement,
  goals: { readonly targets: readonly Target[]; readonly marginRatio: number },
  trial: { readonly load: number; readonly stepCount: number },
): LoadTrial {
  const chances = goals.targets.map((target) => passProbability(target, row, measurement, goals.marginRatio));
  const unseen = chances.find((chance) => typeof chance === 'string');
  const spoiled = row.notices.find(
    ({ code, severity }) => severity === 'red-flag' && GENERATOR_CODES.has(code),
  );
  const blocked = spoiled?.message ?? unseen;
  if (blocked !== undefined) return { ...trial, passes: false, passProbability: UNDECIDED, blocked };
  const least = Math.min(...chances.filter((chance) => typeof chance === 'number'));
  // What fails with some of the load fails with all of it; what passes with some says nothing of all.
  const heldBack = row.notices.find(({ code }) => code === HELD_BACK_CODE);
  if (heldBack !== undefined && least > UNDECIDED)
    return { ...trial, passes: false, passProbability: UNDECIDED, blocked: heldBack.message };
  const passProbabilityAtMost = row.valid ? least : Math.min(least, UNDECIDED);
  return { ...trial, passes: passProbabilityAtMost > UNDECIDED, passProbability: passProbabilityAtMost };
}
