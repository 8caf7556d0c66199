import type { StepRow } from '../../model/analysis.ts';
import { countText, figure, percentText, secondsText } from '../../stats/wording.ts';
import type { PoolStatistics } from './statistics.ts';

/** What the sweep of `/pool` shows and the service's own figures confirm, one sentence each. */
export function readPool(rows: readonly StepRow[], service: PoolStatistics): readonly string[] {
  const lightest = rows[0];
  const top = rows.at(-1);
  if (lightest?.responseTimeSeconds === undefined || top?.overall.p50Seconds === undefined) return [];
  const best = highest(rows);
  const slots = best.throughputPerSecond * lightest.responseTimeSeconds;
  const own = service.latency_ms['/pool']?.p99;
  return [
    `X rises to ${figure(best.throughputPerSecond)}/s and stays there; alone a request takes ` +
      `${secondsText(lightest.responseTimeSeconds)}, so about ${figure(slots)} are served at once (X·R₀): the pool has 8 slots.`,
    ...cpuSentence(best),
    `Beyond the bend more workers only wait longer: p50 is ${secondsText(top.overall.p50Seconds)} at ` +
      `${countText(top.concurrency ?? 0, 'worker')}, and X·R = N at every step.`,
    ...(own === undefined
      ? []
      : [
          `The service itself had up to ${countText(service.max_in_flight, 'request')} in flight and a p99 of ` +
            `${figure(own)} ms: the time goes by inside it, not on the network.`,
        ]),
  ];
}

function cpuSentence(row: StepRow): readonly string[] {
  const cpu = row.utilizationRatio['cpu'];
  const cores = row.serverCount['cpu'];
  if (cpu === undefined || cores === undefined) return [];
  return [
    `The process used ${percentText(cpu * cores)} of one core there: more CPU would not help, more slots would.`,
  ];
}

/** What the sweep of `/work` shows, one sentence each. */
export function readWork(rows: readonly StepRow[]): readonly string[] {
  const best = highest(rows);
  const top = rows.at(-1);
  if (top === undefined || best === top) return [];
  const kept = top.throughputPerSecond / best.throughputPerSecond;
  const [from, to] = [best, top].map((row) => row.serviceDemandSeconds['cpu']);
  return [
    `X is highest, ${figure(best.throughputPerSecond)}/s, at ${countText(best.concurrency ?? 0, 'worker')} and falls to ` +
      `${figure(top.throughputPerSecond)}/s (${percentText(kept)} of it) at ${top.concurrency}.`,
    ...(from === undefined || to === undefined
      ? []
      : [
          `The same work costs ${secondsText(from)} of CPU there and ${secondsText(to)} here: requests that share the ` +
            `core push one another's data out of its cache. Fewer at once are faster: limit them to the cores there are.`,
        ]),
  ];
}

const highest = (rows: readonly StepRow[]): StepRow =>
  rows.reduce((best, row) => (row.throughputPerSecond > best.throughputPerSecond ? row : best));
