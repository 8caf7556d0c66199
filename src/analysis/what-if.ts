import { ShiploadError } from '../errors.ts';
import type { DemandBasis, RouteDemand } from './demand-basis.ts';

/**
 * The basis after the changes, applied in order. `D(/search)*0.02` scales the CPU demand of a route,
 * `D(/search)=2ms` sets it, `cores=2` and `pool=16` set the sizes. Throws `option-invalid` for anything else, and
 * for a route that is not in the basis.
 */
export function applyWhatIf(basis: DemandBasis, changes: readonly string[]): DemandBasis {
  return changes.reduce(applyOne, basis);
}

function applyOne(basis: DemandBasis, text: string): DemandBasis {
  const demand = /^D\((.+)\)\s*(?:\*\s*(\d*\.?\d+)|=\s*(\d*\.?\d+)\s*(ms|s))$/.exec(text.trim());
  if (demand !== null) {
    const [, route, factor, amount, unit] = demand;
    const seconds = Number(amount) * (unit === 'ms' ? 1e-3 : 1);
    return changeRoute(basis, route!, text, (one) => ({
      ...one,
      cpuSeconds: factor === undefined ? seconds : one.cpuSeconds * Number(factor),
    }));
  }
  const size = /^(cores|pool)\s*=\s*(\d+)$/.exec(text.trim());
  const count = Number(size?.[2]);
  if (size === null || count < 1) {
    throw new ShiploadError('option-invalid', `--what-if: "${text}" is not a change that can be predicted`, {
      where: '--what-if',
      hint: "Write 'D(/search)*0.02', 'D(/search)=2ms', 'cores=2' or 'pool=16'.",
    });
  }
  if (size[1] === 'cores') return { ...basis, coreCount: count };
  if (basis.routes.every(({ elsewhereSeconds }) => elsewhereSeconds === 0)) {
    throw new ShiploadError('option-invalid', `--what-if: "${text}": no route spends time outside the CPU`, {
      where: '--what-if',
      hint: 'A pool is held for the time outside the CPU; run alone, with few users, no route showed any.',
    });
  }
  return { ...basis, poolSize: count };
}

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
