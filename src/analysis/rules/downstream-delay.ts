import type { StepRow } from '../../model/analysis.ts';
import { theilSen } from '../../stats/trend.ts';
import { figure, secondsText } from '../../stats/wording.ts';
import type { DiagnosisRule } from './rule.ts';
import { risingRows } from './step-counters.ts';
import { stepEvidence } from './threshold-rule.ts';

const FEWEST_STEPS = 4;
/** The wait is most of the response time, and the CPU little of it. */
const WAIT_RATIO = 5;
/** Independent of the load: beyond it somebody queues. */
const FLAT_RATIO = 1.5;
/** Descriptors that each request in flight holds beside the client's connection; kept connections make it more. */
const SLOPE_LIMITS = [0.5, 2.5] as const;
/** In flight, from the lightest step to the highest: less shows no slope. */
const LEAST_SPAN = 3;
const HIGH_ERROR_RATIO = 0.01;

/**
 * Time spent in another service: a request waits much longer than it computes, as long at every load, and each one
 * in flight holds a connection outwards: the process's descriptors, less those of its clients, grow with the
 * requests in flight, about one for one. A wait without connections (a timer, a library's own thread) is not named.
 */
export const downstreamDelay: DiagnosisRule = {
  id: 'downstream-delay',
  examine: (input) => {
    const rows = risingRows(input).filter(isUsable);
    const [first, last] = [rows[0], rows.at(-1)];
    if (first === undefined || last === undefined || rows.length < FEWEST_STEPS) return [];
    if (last.responseTimeSeconds! > FLAT_RATIO * first.responseTimeSeconds!) return [];
    if (last.responseTimeSeconds! < WAIT_RATIO * (last.serviceDemandSeconds['cpu'] ?? Infinity)) return [];
    if (last.meanInFlight! - first.meanInFlight! < LEAST_SPAN) return [];
    const { slope, interval } = theilSen(
      rows.map((row) => row.meanInFlight!),
      rows.map(outwardCount),
    );
    if (slope < SLOPE_LIMITS[0] || slope > SLOPE_LIMITS[1] || interval[0] <= 0) return [];
    const slowest = slowestRoute(last);
    return [
      {
        ruleId: 'downstream-delay',
        claim: `${slowest ?? 'a request'} waits for another service: it takes ${secondsText(last.responseTimeSeconds!)} on average at any load, and each one in flight holds a connection outwards`,
        confidence: 'medium',
        resource: 'downstream',
        ...(slowest !== undefined && { route: slowest }),
        evidence: [
          stepEvidence(
            last,
            'descriptorsPerRequest',
            slope,
            'ratio',
            `${figure(slope)} descriptors more for each request in flight, up to ${figure(outwardCount(last))} beside the clients'`,
          ),
          ...[first, last].map((row) =>
            stepEvidence(
              row,
              'responseTimeSeconds',
              row.responseTimeSeconds!,
              'seconds',
              `a request takes ${secondsText(row.responseTimeSeconds!)}, ${secondsText(row.serviceDemandSeconds['cpu']!)} of it CPU,`,
            ),
          ),
        ],
        counterEvidence: [],
        nextExperiment:
          'measure the calls to the other service alone, or answer them from a stub: what is left is this service’s',
        experiment: {
          kind: 'double-load',
          stepIndex: last.index,
          reads: { quantity: 'responseTimeSeconds' },
          supports: { atMost: 1.3 },
          refutes: { atLeast: 1.7 },
        },
      },
    ];
  },
};

const isUsable = (row: StepRow): boolean =>
  (row.users ?? row.concurrency) !== undefined &&
  row.responseTimeSeconds !== undefined &&
  row.meanInFlight !== undefined &&
  row.descriptorCount !== undefined &&
  row.serviceDemandSeconds['cpu'] !== undefined &&
  row.errorRatio < HIGH_ERROR_RATIO;

/** Open descriptors that are no client's: each user keeps one connection. */
const outwardCount = (row: StepRow): number => row.descriptorCount! - (row.users ?? row.concurrency ?? 0);

function slowestRoute(row: StepRow): string | undefined {
  const routes = Object.entries(row.byRoute).flatMap(([route, { p50Seconds }]) =>
    p50Seconds === undefined ? [] : [{ route, p50Seconds }],
  );
  return routes.toSorted((a, b) => b.p50Seconds - a.p50Seconds)[0]?.route;
}
