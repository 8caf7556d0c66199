import type { StepMeasurement } from '../model/measurement.ts';
import type { Notice } from '../model/notice.ts';
import { meanOf } from '../stats/histogram.ts';
import { countText, figure, percentText, secondsText } from '../stats/wording.ts';

/** Up to this share of the arrivals may be dropped: the service then saw the rate within the tolerance of rates. */
const DROPPED_TOLERANCE = 0.01;
/** Where the capacity is known within this share of X, the service sets X, and not the limit in flight. */
const CAPACITY_TOLERANCE = 0.03;

/** The shortest mean response time of any step, R₀: what a request takes where least waits; undefined without answers. */
export function lightestResponseSeconds(measurements: readonly StepMeasurement[]): number | undefined {
  const means = measurements.flatMap(({ responseTime }) => meanOf(responseTime) ?? []);
  return means.length === 0 ? undefined : Math.min(...means);
}

/**
 * What arrivals that were never sent say of an open step. With K in flight at most it is a closed system of K
 * requests, whose X is at most K/R₀ whatever the service can carry: such a step is refused. By the pessimistic
 * bound X ≥ K/(R₀ + (K − 1)·Dmax) and Little's law K = X·R the capacity 1/Dmax is at most X/(1 − R₀/R); where R is so
 * long that this is within 3 % of X, the service is the limit and the step stands, with a warning.
 * Source: Lazowska, Zahorjan, Graham and Sevcik, Quantitative System Performance (1984), 5.2.
 */
export function droppedArrivals(measurement: StepMeasurement, lightestSeconds: number | undefined): Notice[] {
  const { dropped } = measurement.outcomeCounts;
  const { driver } = measurement.step;
  if (dropped === 0 || driver.kind !== 'open') return [];
  const what = measurement.scenario === undefined ? 'request' : 'journey';
  const offered = offeredCount(measurement, driver.arrivalRatePerSecond);
  const share = offered > 0 ? dropped / offered : 1;
  const unsent = `${countText(dropped, what)} (${percentText(share)}) ${dropped === 1 ? 'was' : 'were'} never sent, as ${driver.maxInFlight} were unanswered`;
  if (share <= DROPPED_TOLERANCE) {
    const message = `${unsent}: the service saw nearly the rate asked for`;
    return [{ code: 'requests-dropped', severity: 'warning', message }];
  }
  const response = meanOf(measurement.responseTime);
  if (what === 'request' && isServiceLimited(response, lightestSeconds)) {
    return [
      {
        code: 'requests-dropped',
        severity: 'warning',
        message: `${unsent}: answers took ${secondsText(response!)}, ${figure(response! / lightestSeconds!)} times as long as with little load, so the service is the limit`,
        advice: 'response times at this rate are those of the requests that were sent',
      },
    ];
  }
  return [
    {
      code: 'load-held-back',
      severity: 'red-flag',
      message: `${unsent}: throughput here is what --max-in-flight lets through, not what the service can carry`,
      advice: 'raise --max-in-flight, or lower the rate',
    },
  ];
}

/** Of a scenario arrivals are journeys, which the requests do not count. */
function offeredCount({ byRoute, scenario, windowSeconds }: StepMeasurement, ratePerSecond: number): number {
  if (scenario !== undefined) return ratePerSecond * windowSeconds;
  return byRoute.reduce((sum, route) => sum + route.sentCount + route.droppedCount, 0);
}

/** C − X ≤ X·(1/(1 − R₀/R) − 1) is within the tolerance. */
const isServiceLimited = (response: number | undefined, lightest: number | undefined): boolean =>
  response !== undefined &&
  lightest !== undefined &&
  lightest / response <= CAPACITY_TOLERANCE / (1 + CAPACITY_TOLERANCE);
