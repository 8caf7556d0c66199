import type { Step } from '../../model/load.ts';
import { driverOf, loadLabel, type LoadShape, requireWindow, type ShapeOptions } from './shape.ts';
import { joiningSeconds } from './staircase.ts';

const WINDOW_COUNT = 10;

/** One load for a long time, cut into ten windows of equal length, so that a drift shows from row to row. */
export const soak: LoadShape = {
  name: 'soak',
  summary: 'one load for a long time, in ten windows: leaks, growing data, slow drifts',
  loadKinds: ['users', 'concurrency', 'arrivalRatePerSecond'],
  loadCount: 1,
  plan,
};

function plan(options: ShapeOptions): readonly Step[] {
  const load = options.loads[0]!;
  const warmupSeconds = Math.max(options.warmupSeconds, joiningSeconds(0, load, options));
  const measureSeconds = (options.stepSeconds - warmupSeconds) / WINDOW_COUNT;
  requireWindow('each tenth of the soak', measureSeconds, 0);
  return Array.from({ length: WINDOW_COUNT }, (_, index) => ({
    index,
    label: `${loadLabel(load, options.loadKind)}, window ${index + 1}`,
    part: { name: `window ${index + 1}` },
    driver: driverOf(load, options),
    warmupSeconds: index === 0 ? warmupSeconds : 0,
    measureSeconds,
  }));
}
