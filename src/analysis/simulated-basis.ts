import type { PlannedRequest } from '../model/load.ts';
import type { SimulatedService, Visit } from '../model/simulation.ts';
import type { DemandBasis, RouteDemand } from './demand-basis.ts';
import { CONSTANT, type Variation, varyingTime } from './hold-variation.ts';

/** A basis as a service to simulate, and the requests that go there. */
export interface SimulatedBasis {
  readonly service: SimulatedService;
  readonly requests: readonly PlannedRequest[];
}

/** The stations of `predictCurve` as a service: the CPU, then the pool, the lock or a delay; each route's time as it varies. */
export function simulatedBasis({
  routes,
  coreCount,
  laneCount = coreCount,
  poolSize,
}: DemandBasis): SimulatedBasis {
  const elsewhere = { name: 'elsewhere', ...(poolSize !== undefined && { serverCount: poolSize }) };
  return {
    service: {
      stations: [{ name: 'cpu', serverCount: laneCount }, elsewhere, { name: 'delay' }],
      visits: Object.fromEntries(
        routes.map((route) => [
          route.route,
          [
            ...visit('cpu', route.cpuSeconds, own(route), 1),
            ...visit('elsewhere', route.elsewhereSeconds, route, 0),
            ...visit('delay', route.delaySeconds ?? 0, route.delayVariation ?? CONSTANT, 0),
          ],
        ]),
      ),
    },
    requests: routes
      .filter(({ shareRatio }) => shareRatio > 0)
      .map(({ route, shareRatio }) => ({
        id: route,
        method: 'GET',
        route,
        shareRatio,
        targets: { draw: 'uniform', targets: [route], distinctCount: 1 },
      })),
  };
}

/** A measured shape is that of the time elsewhere; the CPU time beside it is constant. */
const own = ({ quantileSeconds, squaredVariation }: RouteDemand): Variation =>
  quantileSeconds === undefined ? { squaredVariation } : CONSTANT;

const visit = (station: string, meanSeconds: number, variation: Variation, cpuRatio: number): Visit[] =>
  meanSeconds > 0 ? [{ station, service: varyingTime(meanSeconds, variation), cpuRatio }] : [];
