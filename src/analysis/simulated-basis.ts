import type { PlannedRequest } from '../model/load.ts';
import type { SimulatedService, Visit } from '../model/simulation.ts';
import type { DemandBasis, RouteDemand } from './demand-basis.ts';

/** A basis as a service to simulate, and the requests that go there. */
export interface SimulatedBasis {
  readonly service: SimulatedService;
  readonly requests: readonly PlannedRequest[];
}

/** The stations of `predictCurve` as a service: the CPU, then the pool or a delay; each route's time as it varies. */
export function simulatedBasis({ routes, coreCount, poolSize }: DemandBasis): SimulatedBasis {
  const elsewhere = { name: 'elsewhere', ...(poolSize !== undefined && { serverCount: poolSize }) };
  return {
    service: {
      stations: [{ name: 'cpu', serverCount: coreCount }, elsewhere],
      visits: Object.fromEntries(
        routes.map((route) => [
          route.route,
          [
            ...visit('cpu', route.cpuSeconds, route, 1),
            ...visit('elsewhere', route.elsewhereSeconds, route, 0),
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

const visit = (
  station: string,
  meanSeconds: number,
  { squaredVariation }: RouteDemand,
  cpuRatio: number,
): Visit[] =>
  meanSeconds > 0
    ? [
        {
          station,
          service: { kind: squaredVariation === 0 ? 'constant' : 'exponential', meanSeconds },
          cpuRatio,
        },
      ]
    : [];
