import { ShiploadError } from '../errors.ts';
import type { Driver, Step } from '../model/load.ts';
import { countText, figure } from '../stats/wording.ts';
import { secondsFrom } from './times.ts';
import type { Stage } from './types.ts';

const MOST_RUNGS = 10;
const SHORTEST_RUNG_SECONDS = 2;
/** Users who have just joined, and the queue they find, are not yet those of their rung. */
const SETTLING_SHARE = 0.2;

export interface StageDriver {
  readonly arrivals: 'poisson' | 'constant';
  readonly maxInFlight: number;
}

/**
 * The steps of stages. A stage that takes no time is a jump; one that holds its load is one step; one that moves is
 * up to ten rungs of at least two seconds along the straight line, each ending at the load the line has at its end. A
 * rung without load is left out: nothing would be measured. Throws `scenario-invalid`.
 */
export function stepsOfStages(
  stages: readonly Stage[],
  kind: 'users' | 'rate',
  open: StageDriver,
): readonly Step[] {
  const rungs: { load: number; seconds: number }[] = [];
  let load = 0;
  for (const [i, stage] of stages.entries()) {
    const where = `load.${kind === 'users' ? 'stages' : 'rateStages'}[${i}]`;
    const seconds = secondsFrom(`${where}.duration`, stage.duration, true);
    if (!(Number.isFinite(stage.target) && stage.target >= 0))
      throw new ShiploadError('scenario-invalid', `${String(stage.target)} is no load`, {
        where: `${where}.target`,
      });
    if (seconds === 0) {
      load = stage.target;
      continue;
    }
    const moves = stage.target !== load;
    const count = moves ? Math.max(1, Math.min(MOST_RUNGS, Math.floor(seconds / SHORTEST_RUNG_SECONDS))) : 1;
    for (let rung = 1; rung <= count; rung += 1) {
      const exact = load + ((stage.target - load) * rung) / count;
      rungs.push({ load: kind === 'users' ? Math.round(exact) : exact, seconds: seconds / count });
    }
    load = stage.target;
  }
  const steps = rungs.filter((rung) => rung.load > 0).map((rung, index) => stepOf(rung, index, kind, open));
  if (steps.length > 0) return steps;
  throw new ShiploadError('scenario-invalid', 'the stages ask for no load', { where: 'load' });
}

function stepOf(
  { load, seconds }: { readonly load: number; readonly seconds: number },
  index: number,
  kind: 'users' | 'rate',
  open: StageDriver,
): Step {
  const driver: Driver =
    kind === 'users'
      ? { kind: 'closed', users: load }
      : { kind: 'open', arrivalRatePerSecond: load, ...open };
  const warmupSeconds = SETTLING_SHARE * seconds;
  return {
    index,
    label: kind === 'users' ? countText(load, 'user') : `${figure(load)}/s`,
    driver,
    warmupSeconds,
    measureSeconds: seconds - warmupSeconds,
  };
}
