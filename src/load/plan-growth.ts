import { ShiploadError } from '../errors.ts';
import type { Growth, Step } from '../model/load.ts';
import type { Target } from '../model/verdict.ts';
import { loadOfDriver } from './growth/grown-step.ts';
import type { GrowthOptions, LoadShape } from './shapes/index.ts';

/** A curve that has not bent is followed up to so many times the peak. */
const EXTEND_TO_PEAKS = 3;

export interface GrowthRequest {
  readonly growth?: GrowthOptions;
  readonly extend?: boolean;
  readonly peakOnly?: boolean;
  readonly targets?: readonly Target[];
}

/**
 * How a plan goes on past its steps; undefined where it does not. Throws `option-invalid` when a search has no
 * target, or one that names a load, when a shape without a curve is to be extended, and when a step is above the
 * highest load.
 */
export function planGrowth(
  shape: LoadShape,
  { growth = {}, extend = false, peakOnly = false, targets = [] }: GrowthRequest,
  steps: readonly Step[],
  peakLoad: number,
): Growth | undefined {
  const topLoad = Math.max(...steps.map(loadOfDriver));
  requireBelow(growth.highestLoad, topLoad);
  const own = shape.growth?.(growth, topLoad);
  if (own?.kind === 'search') requireSearchable(targets);
  if (extend && (own !== undefined || shape.loadCount !== undefined)) {
    throw new ShiploadError('option-invalid', `the shape ${shape.name} has no ladder to extend`, {
      where: '--extend',
      hint: 'It goes with steps, sweep and rate.',
    });
  }
  if (peakOnly) return undefined;
  return extend ? { kind: 'extend', highestLoad: growth.highestLoad ?? EXTEND_TO_PEAKS * peakLoad } : own;
}

/** A highest load is a promise: nothing that is asked for may lie above it. */
function requireBelow(highestLoad: number | undefined, topLoad: number): void {
  if (highestLoad === undefined || topLoad <= highestLoad) return;
  throw new ShiploadError('option-invalid', `a load of ${topLoad} is above the highest of ${highestLoad}`, {
    where: '--max-load',
    hint: 'Begin lower, or allow more.',
  });
}

function requireSearchable(targets: readonly Target[]): void {
  const placed = targets.find((target) => target.load !== undefined);
  if (targets.length > 0 && placed === undefined) return;
  throw new ShiploadError(
    'option-invalid',
    placed === undefined
      ? 'a search needs a target: what must hold at the load it looks for'
      : `a search looks for the load, and the target "${placed.text}" names one`,
    { where: '--target', hint: "For example --target 'p95 <= 200 ms'" },
  );
}
