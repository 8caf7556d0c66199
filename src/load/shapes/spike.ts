import type { Step } from '../../model/load.ts';
import type { LoadShape, ShapeOptions } from './shape.ts';
import { driverOf, loadLabel, requireWindow } from './shape.ts';
import { joiningSeconds } from './staircase.ts';

/**
 * Base, burst, base again. The base is known when the burst begins; the last step begins with the burst's end and
 * has no warm-up, so that it shows how the backlog drains: over (λs − μ)·Ts/(μ − λb) for a burst of Ts at λs on a
 * service of rate μ.
 */
export const spike: LoadShape = {
  name: 'spike',
  summary: 'a base load, a burst, the base again: how far it goes and how long it takes to recover',
  loadKinds: ['arrivalRatePerSecond', 'users', 'concurrency'],
  loadCount: 2,
  plan,
};

function plan(options: ShapeOptions): readonly Step[] {
  const [base = 0, burst = 0] = options.loads;
  if (!(burst > base)) throw new RangeError(`the burst of ${burst} is no more than the base of ${base}`);
  const warmupSeconds = Math.max(options.warmupSeconds, joiningSeconds(0, base, options));
  requireWindow('the base', options.stepSeconds, warmupSeconds);
  const at = (load: number, name: 'base' | 'burst' | 'after') => ({
    label: `${name}: ${loadLabel(load, options.loadKind)}`,
    part: name === 'base' ? { name } : ({ name, isTransient: true } as const),
    driver: driverOf(load, options),
  });
  const { stepSeconds } = options;
  return [
    { index: 0, ...at(base, 'base'), warmupSeconds, measureSeconds: stepSeconds - warmupSeconds },
    { index: 1, ...at(burst, 'burst'), warmupSeconds: 0, measureSeconds: stepSeconds },
    { index: 2, ...at(base, 'after'), warmupSeconds: 0, measureSeconds: stepSeconds },
  ];
}
