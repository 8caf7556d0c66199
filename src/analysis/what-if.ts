import { ShiploadError } from '../errors.ts';
import type { DemandBasis, RouteDemand } from './demand-basis.ts';

const EXAMPLES =
  "Write 'D(/search)*0.02', 'D(/search)=2ms', 'wait(/entries)*0.33', 'wait(/entries)=2ms', 'cores=2' or 'pool=16'.";

/**
 * The basis after the changes, applied in order. `D(/search)*0.02` scales the CPU demand of a route, `D(/search)=2ms`
 * sets it; `wait(/entries)*0.33` and `wait(/entries)=2ms` do the same to its time outside the CPU, which is the time
 * that it holds the pool or the lock where there is one; `cores=2` and `pool=16` set the sizes. Throws `option-invalid`
 * for anything else, and for a route that is not in the basis or has no such time to scale.
 */
export function applyWhatIf(basis: DemandBasis, changes: readonly string[]): DemandBasis {
  return changes.reduce(applyOne, basis);
}

/** The two times of a route, by the letters they are changed under. */
const TIMES = { D: 'cpuSeconds', wait: 'elsewhereSeconds' } as const;

function applyOne(basis: DemandBasis, text: string): DemandBasis {
  const demand = /^(D|wait)\((.+)\)\s*(?:\*\s*(\d*\.?\d+)|=\s*(\d*\.?\d+)\s*(ms|s))$/.exec(text.trim());
  if (demand !== null) {
    const [, letter, route, factor, amount, unit] = demand;
    const time = TIMES[letter as keyof typeof TIMES];
    const seconds = Number(amount) * (unit === 'ms' ? 1e-3 : 1);
    return changeRoute(basis, route!, text, (one) => {
      if (factor === undefined) return { ...one, [time]: seconds };
      if (time === 'elsewhereSeconds' && one[time] === 0) throw noWait(text, route!);
      return { ...one, [time]: one[time] * Number(factor) };
    });
  }
  const size = /^(cores|pool)\s*=\s*(\d+)$/.exec(text.trim());
  const count = Number(size?.[2]);
  if (size === null || count < 1) {
    throw new ShiploadError('option-invalid', `--what-if: "${text}" is not a change that can be predicted`, {
      where: '--what-if',
      hint: EXAMPLES,
    });
  }
  if (size[1] === 'cores') return { ...basis, coreCount: count };
  if (basis.routes.every(({ elsewhereSeconds }) => elsewhereSeconds === 0)) throw noWait(text, 'any route');
  return { ...basis, poolSize: count };
}

const noWait = (text: string, route: string): ShiploadError =>
  new ShiploadError('option-invalid', `--what-if: "${text}": no time of ${route} outside the CPU is known`, {
    where: '--what-if',
    hint: 'A pool or a lock is held for the time outside the CPU: what one user saw beyond the CPU demand.',
  });

function changeRoute(
  basis: DemandBasis,
  route: string,
  text: string,
  change: (one: RouteDemand) => RouteDemand,
): DemandBasis {
  if (!basis.routes.some((one) => one.route === route)) {
    throw new ShiploadError('option-invalid', `--what-if: "${text}": there are no demands of ${route}`, {
      where: '--what-if',
      hint: `Routes: ${basis.routes.map((one) => one.route).join(', ')}`,
    });
  }
  return { ...basis, routes: basis.routes.map((one) => (one.route === route ? change(one) : one)) };
}
