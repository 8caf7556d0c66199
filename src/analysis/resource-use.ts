import type { ByResource, StepRow } from '../model/analysis.ts';
import type { StepMeasurement } from '../model/measurement.ts';
import { serviceDemand, utilization } from '../stats/queueing/operational-laws.ts';
import { gaugeEnd, gaugeMean, growthOf, machineCounter, serviceCounter } from './counter-window.ts';
import { present } from './present.ts';

/** The columns of a step row that come from counters. */
export type ResourceUse = Pick<
  StepRow,
  | 'busySeconds'
  | 'utilizationRatio'
  | 'serviceDemandSeconds'
  | 'serverCount'
  | 'machineCpuRatio'
  | 'machineCoreCount'
  | 'loadPerCore'
  | 'runQueuePerCore'
  | 'diskBusyRatio'
  | 'residentBytes'
  | 'residentGrowthBytes'
  | 'descriptorCount'
  | 'threadCount'
  | 'cacheHitRatio'
>;

/**
 * U = B/(T·m) and D = U·m/X of every resource with a cumulative counter, over the counter's own first to last
 * sample; gauges as means over the window, memory and descriptors as they stand at its end. `generator` and
 * `machineCpu` have a utilisation and no demand: they are not the service's. `serverCount` is the m of the CPU;
 * without it the CPU has a demand, D = B/C, and no utilisation.
 */
export function resourceUse(
  measurement: StepMeasurement,
  throughputPerSecond: number,
  serverCount?: number,
): ResourceUse {
  const cpu = growthOf(serviceCounter(measurement, 'cpuSeconds'));
  const thread = growthOf(serviceCounter(measurement, 'busiestThreadCpuSeconds'));
  const disk = growthOf(machineCounter(measurement, 'diskBusySeconds'));
  const machine = growthOf(machineCounter(measurement, 'cpuBusySeconds'));
  const servers = present({
    cpu: cpu && serverCount,
    busiestThread: thread && 1,
    disk: disk && (disk.capacity ?? 1),
    machineCpu: machine?.capacity,
  });
  const growths = present({ cpu, busiestThread: thread, disk, machineCpu: machine });
  const uses = Object.entries(growths).map(([resource, growth]) => ({
    resource,
    growth,
    m: (servers as ByResource)[resource],
  }));
  const busySeconds = Object.fromEntries(uses.map(({ resource, growth }) => [resource, growth.amount]));
  const utilizationRatio: Record<string, number> = {};
  if (measurement.generator !== undefined)
    utilizationRatio['generator'] = measurement.generator.utilizationRatio;
  const serviceDemandSeconds: Record<string, number> = {};
  for (const { resource, growth, m } of uses) {
    if (m !== undefined) utilizationRatio[resource] = utilization(growth.amount, growth.spanSeconds, m);
    if (resource === 'machineCpu' || !(throughputPerSecond > 0)) continue;
    // U·m = B/T, whatever m is.
    const busyServers = utilization(growth.amount, growth.spanSeconds, 1);
    serviceDemandSeconds[resource] = serviceDemand(busyServers, 1, throughputPerSecond);
  }
  return {
    busySeconds,
    utilizationRatio,
    serviceDemandSeconds,
    serverCount: servers,
    ...gauges(measurement),
    ...present({
      machineCpuRatio: utilizationRatio['machineCpu'],
      machineCoreCount: machine?.capacity,
      diskBusyRatio: utilizationRatio['disk'],
    }),
  };
}

function gauges(measurement: StepMeasurement): Partial<ResourceUse> {
  const memory = gaugeEnd(serviceCounter(measurement, 'rssBytes'));
  return present({
    loadPerCore: gaugeMean(machineCounter(measurement, 'loadPerCore')),
    runQueuePerCore: gaugeMean(machineCounter(measurement, 'runQueuePerCore')),
    residentBytes: memory?.last,
    residentGrowthBytes: memory?.growth,
    descriptorCount: gaugeEnd(serviceCounter(measurement, 'descriptorCount'))?.last,
    threadCount: gaugeEnd(serviceCounter(measurement, 'threadCount'))?.last,
    cacheHitRatio: cacheHitRatio(measurement),
  });
}

/** Hits / (hits + misses) between the first and the last page of the window; missing when nothing was asked for. */
function cacheHitRatio(measurement: StepMeasurement): number | undefined {
  const hits = growthOf(serviceCounter(measurement, 'cacheHitCount'))?.amount;
  const misses = growthOf(serviceCounter(measurement, 'cacheMissCount'))?.amount;
  if (hits === undefined || misses === undefined || hits + misses === 0) return undefined;
  return hits / (hits + misses);
}
