import type { ByResource, StepRow } from '../model/analysis.ts';
import type { StepMeasurement } from '../model/measurement.ts';
import { serviceDemand, utilization } from '../stats/queueing/operational-laws.ts';
import { gaugeEnd, gaugeMean, growthOf, machineCounter, serviceCounter } from './counter-window.ts';
import type { Growth } from './counter-window.ts';
import { present } from './present.ts';

/** A process that does this share of its CPU time on one thread cannot use a second core. */
const SINGLE_THREAD_RATIO = 0.9;

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
>;

/**
 * m of the CPU: the option, else what the counter knows (affinity and quota), else 1 where one thread carries
 * more than 90 % of the CPU time; missing when none of these tells.
 */
function coresOf(cpu: Growth, thread: Growth | undefined, option: number | undefined): number | undefined {
  const known = option ?? cpu.capacity;
  if (known !== undefined) return known;
  return thread !== undefined && thread.amount > SINGLE_THREAD_RATIO * cpu.amount ? 1 : undefined;
}

/**
 * U = B/(T·m) and D = U·m/X of every resource with a cumulative counter, over the counter's own first to last
 * sample; gauges as means over the window, memory and descriptors as they stand at its end. `generator` and
 * `machineCpu` have a utilisation and no demand: they are not the service's.
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
    cpu: cpu && coresOf(cpu, thread, serverCount),
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
  const utilizationRatio: Record<string, number> = { generator: measurement.generator.utilizationRatio };
  const serviceDemandSeconds: Record<string, number> = {};
  for (const { resource, growth, m } of uses) {
    if (m === undefined) continue;
    const ratio = utilization(growth.amount, growth.spanSeconds, m);
    utilizationRatio[resource] = ratio;
    const isOwn = resource !== 'machineCpu' && throughputPerSecond > 0;
    if (isOwn) serviceDemandSeconds[resource] = serviceDemand(ratio, m, throughputPerSecond);
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
  });
}
