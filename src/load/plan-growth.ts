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
 * target, or one that names a load, and when a shape without a curve is to be extended.
 */
export function planGrowth(
  shape: LoadShape,
  { growth = {}, extend = false, peakOnly = false, targets = [] }: GrowthRequest,
  steps: readonly Step[],
  peakLoad: number,
): Growth | undefined {
  const own = shape.growth?.(growth, Math.max(...steps.map(loadOfDriver)));
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
