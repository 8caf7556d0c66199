import type { Step } from '../../model/load.ts';
import { driverOf, loadLabel, type LoadShape, requireWindow, type ShapeOptions } from './shape.ts';

const RUNG_COUNT = 10;
/** Users who have just joined, and the queue they find, are not yet those of their rung. */
const SETTLING_SHARE = 0.2;

/**
 * From a tenth of the load to all of it over one step, in ten rungs: a quick look at where the curve bends. Each
 * rung settles for a fifth of its time, or as long as its users take to join.
 */
export const ramp: LoadShape = {
  name: 'ramp',
  summary: 'from a tenth of a load to all of it in ten short rungs over one step',
  loadKinds: ['arrivalRatePerSecond', 'users', 'concurrency'],
  loadCount: 1,
  plan,
};

function plan(options: ShapeOptions): readonly Step[] {
  const top = options.loads[0]!;
  const isRate = options.loadKind === 'arrivalRatePerSecond';
  const rungs = Array.from({ length: RUNG_COUNT }, (_, i) => (top * (i + 1)) / RUNG_COUNT);
  const loads = isRate ? rungs : [...new Set(rungs.map((load) => Math.max(1, Math.round(load))))];
  const rungSeconds = options.stepSeconds / loads.length;
  const joining = isRate ? 0 : top / RUNG_COUNT / (options.usersPerSecond ?? Infinity);
  const warmupSeconds = Math.max(SETTLING_SHARE * rungSeconds, joining);
  requireWindow('each rung of the ramp', rungSeconds, warmupSeconds);
  return loads.map((load, index) => ({
    index,
    label: loadLabel(load, options.loadKind),
    driver: driverOf(load, options),
    warmupSeconds,
    measureSeconds: rungSeconds - warmupSeconds,
  }));
}
