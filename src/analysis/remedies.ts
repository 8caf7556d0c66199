import type { IsolatedRoute, Isolation } from '../model/analysis.ts';
import type { PlannedRequest } from '../model/load.ts';
import type { SimulatedService, Station, Visit } from '../model/simulation.ts';
import { countText, percentText, secondsText } from '../stats/wording.ts';
import { variationBeyond, varyingTime } from './hold-variation.ts';
import { elsewhereSeconds } from './outside-cpu.ts';

/** What the remedies are worked out from. */
export interface RemedyBasis {
  readonly isolation: Isolation;
  /** The route that makes up most of the work. */
  readonly slow: IsolatedRoute;
  readonly requests: readonly PlannedRequest[];
  /** m: cores the process can use now. */
  readonly serverCount: number;
  readonly machineCoreCount?: number;
  /** By request class: distinct targets, and requests for them, in the log (or in the peak step, without one). */
  readonly repeats: Readonly<
    Record<string, { readonly distinctCount: number; readonly requestCount: number }>
  >;
}

/** A remedy as a service to simulate, with its demands. */
export interface Remedied {
  readonly service: SimulatedService;
  readonly requests: readonly PlannedRequest[];
  readonly serverCount: number;
  /** CPU seconds a request of the mix. */
  readonly mixDemandSeconds: number;
  /** Demand at the busiest server: 1/Dmax is the throughput limit. */
  readonly largestDemandSeconds: number;
  readonly effect: string;
}

export interface Remedy {
  readonly id: string;
  readonly option: (slow: IsolatedRoute) => string;
  /** The remedied service, or why the remedy is not open. */
  readonly apply: (basis: RemedyBasis) => Remedied | { readonly notOpen: string };
}

const LANE = 'lane';
const ELSEWHERE = 'elsewhere';
const POOL = 'pool';
/** The size that thread pools of common runtimes start with. */
const POOL_SIZE = 4;
const work = (station: string, seconds: number): Visit => ({
  station,
  service: { kind: 'constant', meanSeconds: seconds },
});

/** The route's stay at `station` for its demand, then its time elsewhere, as that varied alone. */
function visitsOf(
  route: IsolatedRoute,
  station: string,
  demandSeconds = route.serviceDemandSeconds,
): Visit[] {
  const elsewhere = elsewhereSeconds(route);
  const varying = variationBeyond(route.quantileSeconds, route.serviceDemandSeconds);
  const service = varyingTime(elsewhere, varying);
  const rest = elsewhere === 0 ? [] : [{ station: ELSEWHERE, service, cpuRatio: 0 }];
  return [work(station, demandSeconds), ...rest];
}

const stations = (...served: readonly Station[]): Station[] => [...served, { name: ELSEWHERE }];

/** A request class in two parts that are served differently. Parts of no weight are left out. */
function split(
  request: PlannedRequest,
  parts: readonly (readonly [name: string, share: number])[],
): PlannedRequest[] {
  return parts
    .filter(([, share]) => share > 0)
    .map(([name, share]) => ({
      ...request,
      id: `${request.id}#${name}`,
      shareRatio: request.shareRatio * share,
    }));
}

const weighted = (routes: readonly IsolatedRoute[], of: (route: IsolatedRoute) => number): number =>
  routes.reduce((sum, route) => sum + route.shareRatio * of(route), 0);

const demandOf = ({ serviceDemandSeconds }: IsolatedRoute): number => serviceDemandSeconds;

/** Repeated answers from memory: hit ratio h = 1 − distinct / requests of the log, a hit as cheap and as quick as the cheapest route. */
const cacheResults: Remedy = {
  id: 'cache-results',
  option: ({ route }) => `cache the results of ${route}`,
  apply: ({ isolation, slow, requests, serverCount, repeats }) => {
    const request = requests.find(({ id }) => id === slow.requestClassId);
    const repeat = repeats[slow.requestClassId];
    if (request === undefined || !['GET', 'HEAD'].includes(request.method)) {
      return { notOpen: `answers to ${request?.method ?? 'these requests'} are not for a cache` };
    }
    if (repeat === undefined || repeat.requestCount === 0) {
      return { notOpen: 'how often its targets repeat is not known' };
    }
    const hitRatio = Math.max(0, 1 - repeat.distinctCount / repeat.requestCount);
    const cheapest = isolation.routes.reduce((least, one) => (demandOf(one) < demandOf(least) ? one : least));
    const hitSeconds = demandOf(cheapest);
    const visits = Object.fromEntries(
      isolation.routes.flatMap((route) =>
        route === slow
          ? [
              [`${slow.requestClassId}#hit`, visitsOf(cheapest, LANE)],
              [`${slow.requestClassId}#miss`, visitsOf(slow, LANE)],
            ]
          : [[route.requestClassId, visitsOf(route, LANE)]],
      ),
    ) as Record<string, Visit[]>;
    const saved = slow.shareRatio * hitRatio * (slow.serviceDemandSeconds - hitSeconds);
    const mixDemandSeconds = isolation.mixDemandSeconds - saved;
    return {
      service: { stations: stations({ name: LANE, serverCount }), visits },
      requests: requests.flatMap((one) =>
        one === request
          ? split(one, [
              ['hit', hitRatio],
              ['miss', 1 - hitRatio],
            ])
          : [one],
      ),
      serverCount,
      mixDemandSeconds,
      largestDemandSeconds: mixDemandSeconds / serverCount,
      effect: `${repeat.distinctCount} distinct targets in ${repeat.requestCount} requests of the log make ${percentText(hitRatio)} hits at ${secondsText(hitSeconds)}; assumes a cache that is empty at the start of the log, holds them all and lets none expire`,
    };
  },
};

/** The same work on other threads: the lane is free, every request still costs its CPU. */
const offTheEventLoop: Remedy = {
  id: 'off-the-event-loop',
  option: ({ route }) => `move ${route} off the event loop, to a thread pool`,
  apply: ({ isolation, slow, requests, serverCount, machineCoreCount }) => {
    const spare = machineCoreCount === undefined ? 1 : machineCoreCount - serverCount;
    const threadCount = Math.max(1, Math.min(POOL_SIZE, spare));
    const others = isolation.routes.filter((route) => route !== slow);
    return {
      service: {
        stations: stations({ name: LANE, serverCount }, { name: POOL, serverCount: threadCount }),
        visits: Object.fromEntries(
          isolation.routes.map((route) => [
            route.requestClassId,
            visitsOf(route, route === slow ? POOL : LANE),
          ]),
        ),
      },
      requests,
      serverCount,
      mixDemandSeconds: isolation.mixDemandSeconds,
      largestDemandSeconds: Math.max(
        weighted(others, demandOf) / serverCount,
        weighted([slow], demandOf) / threadCount,
      ),
      effect: `frees the lane; each request still costs ${secondsText(slow.serviceDemandSeconds)} of CPU, on ${countText(threadCount, 'thread')}`,
    };
  },
};

/** Twice the processes behind a balancer that draws one at random: two lanes, each as before. */
const secondProcess: Remedy = {
  id: 'second-process',
  option: () => 'a second process',
  apply: ({ isolation, requests, serverCount, machineCoreCount }) => {
    if (machineCoreCount !== undefined && machineCoreCount < 2 * serverCount) {
      return { notOpen: `it needs ${2 * serverCount} cores, the machine has ${machineCoreCount}` };
    }
    const lanes = ['1', '2'];
    return {
      service: {
        stations: stations(...lanes.map((lane) => ({ name: `${LANE} ${lane}`, serverCount }))),
        visits: Object.fromEntries(
          isolation.routes.flatMap((route) =>
            lanes.map((lane) => [`${route.requestClassId}#${lane}`, visitsOf(route, `${LANE} ${lane}`)]),
          ),
        ),
      },
      requests: requests.flatMap((request) =>
        split(
          request,
          lanes.map((lane) => [lane, 1 / lanes.length]),
        ),
      ),
      serverCount: 2 * serverCount,
      mixDemandSeconds: isolation.mixDemandSeconds,
      largestDemandSeconds: isolation.mixDemandSeconds / (2 * serverCount),
      effect: 'doubles capacity and memory; each process still blocks',
    };
  },
};

/** Cheapest to keep running first: the order in which a remedy that meets the targets is chosen. */
export const REMEDIES: readonly Remedy[] = [cacheResults, offTheEventLoop, secondProcess];
