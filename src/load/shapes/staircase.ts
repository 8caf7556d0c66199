import type { Step } from '../../model/load.ts';
import { driverOf, loadLabel, requireWindow, type ShapeOptions } from './shape.ts';

/**
 * One step a load, each measured after its warm-up. Users stay from step to step and new ones join at
 * `usersPerSecond`; a step's warm-up is at least as long as its joining, so that the measured window always sees
 * all of them. Throws a RangeError when a step leaves less than a second to measure.
 */
export function staircase(options: ShapeOptions): readonly Step[] {
  let before = 0;
  return options.loads.map((load, index) => {
    const label = loadLabel(load, options.loadKind);
    const warmupSeconds = Math.max(options.warmupSeconds, joiningSeconds(before, load, options));
    before = load;
    requireWindow(label, options.stepSeconds, warmupSeconds);
    const measureSeconds = options.stepSeconds - warmupSeconds;
    return { index, label, driver: driverOf(load, options), warmupSeconds, measureSeconds };
  });
}

/** How long it takes until `load` users are there where `before` were; 0 for loads that nobody joins one by one. */
export function joiningSeconds(before: number, load: number, { usersPerSecond }: ShapeOptions): number {
  return usersPerSecond === undefined ? 0 : Math.max(0, load - before) / usersPerSecond;
}
