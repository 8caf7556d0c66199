import type { UseRow } from '../model/analysis.ts';
import type { StepMeasurement } from '../model/measurement.ts';
import { bytesText, countText, figure, percentText } from '../stats/wording.ts';
import { counterOf, gaugeMean, growthOf, machineCounter, rateOf, serviceCounter } from './counter-window.ts';
import {
  countFigure,
  filledRatio,
  findingOn,
  rateFigure,
  ratioFigure,
  timeShare,
  useRow,
  verdictOf,
} from './use-figures.ts';
import type { UseInput } from './use-table.ts';

/** Share of the time in which a task waited for the resource that is worth a word. */
const PRESSURE_RATIO = 0.1;
/** Codes of connections that did not come about or broke. */
const CONNECTION_ERRORS = ['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE'];
const MEMORY_BUSY_RATIO = 0.85;
const MEMORY_FULL_RATIO = 0.95;

/** The busiest disk of the machine: share of the time with a request under way, mean queue, tasks that waited for storage. */
export function diskRow({ row, measurement, findings }: UseInput): UseRow {
  const ratio = row.diskBusyRatio ?? row.utilizationRatio['disk'];
  const queue = measurement && timeShare(machineCounter(measurement, 'diskQueueSeconds'));
  const pressure = measurement && timeShare(machineCounter(measurement, 'ioPressureSeconds'));
  // That some load kept the disk busy is a warning of its own; the row tells of this load.
  const found = findingOn(
    findings.filter(({ ruleId }) => ruleId !== 'disk-above-20'),
    'disk',
  );
  const isPressed = (pressure ?? 0) >= PRESSURE_RATIO;
  const verdict = found !== undefined ? 'full' : verdictOf(ratio);
  const queueText = queue === undefined ? '' : `queue of ${figure(queue)}`;
  const pressureText = pressure === undefined ? '' : `tasks waited ${percentText(pressure)} of the time`;
  const text = [queueText, pressureText].filter((part) => part !== '').join(', ');
  const reasons = {
    full: 'requests to it leave no gap',
    busy: 'little room',
    free: isPressed ? 'it has room, but tasks waited for storage' : 'it has room',
    unknown: 'the machine shows no disk of its own',
  };
  return useRow('disk', verdict, found?.claim ?? reasons[verdict], {
    utilization: ratio === undefined ? undefined : ratioFigure(ratio, `${percentText(ratio)} of the time`),
    saturation: text === '' ? undefined : { value: queue ?? pressure!, unit: 'count', text },
  });
}

/** All interfaces together, loopback too. What they could carry is not known, so that only what failed makes them suspect. */
export function networkRow({ measurement }: UseInput): UseRow {
  const received = measurement && rateOf(machineCounter(measurement, 'networkReceivedBytes'));
  const sent = measurement && rateOf(machineCounter(measurement, 'networkSentBytes'));
  if (received === undefined || sent === undefined)
    return useRow('network', 'unknown', 'the network was not measured', {});
  const retransmits = rateOf(machineCounter(measurement!, 'retransmitCount'));
  const errors = growthOf(machineCounter(measurement!, 'networkErrorCount'))?.amount;
  const suffers = (retransmits ?? 0) >= 1 || (errors ?? 0) > 0;
  return useRow(
    'network',
    suffers ? 'busy' : 'free',
    suffers ? 'packets were lost' : 'nothing was lost; what it could carry is not known',
    {
      utilization: {
        value: received + sent,
        unit: 'bytesPerSecond',
        text: `${bytesText(received)}/s in, ${bytesText(sent)}/s out`,
      },
      saturation: retransmits === undefined ? undefined : rateFigure(retransmits, 'sent again'),
      errors: errors === undefined ? undefined : countFigure(errors, 'errors and drops'),
    },
  );
}

/** The port and its descriptors: how many of the allowed are open, who waits to be accepted, who was turned away. */
export function connectionsRow({ row, measurement }: UseInput): UseRow {
  if (measurement === undefined) return useRow('connections', 'unknown', 'connections were not measured', {});
  const limit = serviceCounter(measurement, 'descriptorCount')?.capacity;
  const used = row.descriptorCount;
  const ratio = limit === undefined || used === undefined ? undefined : used / limit;
  const open = gaugeMean(counterOf(measurement, 'listener', 'connectionCount'));
  const queue = gaugeMean(counterOf(measurement, 'listener', 'acceptQueueCount'));
  const turnedAway =
    (growthOf(counterOf(measurement, 'listener', 'listenOverflowCount'))?.amount ?? 0) +
    connectionErrors(measurement);
  const verdict = turnedAway > 0 ? 'full' : verdictOf(ratio);
  const reasons = {
    full: turnedAway > 0 ? 'connections were turned away' : 'descriptors run out',
    busy: 'descriptors get scarce',
    free: 'none was turned away',
    unknown: 'none was turned away; how many are allowed is not known',
  };
  return useRow(
    'connections',
    verdict === 'unknown' && open !== undefined ? 'free' : verdict,
    reasons[verdict],
    {
      utilization: useOf(open, ratio, used, limit),
      saturation: queue === undefined ? undefined : countFigure(queue, 'waiting to be accepted'),
      errors: countFigure(turnedAway, 'turned away or broken'),
    },
  );
}

const useOf = (
  open: number | undefined,
  ratio: number | undefined,
  used: number | undefined,
  limit: number | undefined,
) => {
  const connections = open === undefined ? [] : [countText(Math.round(open), 'connection')];
  const descriptors = ratio === undefined ? [] : [`${used} of ${limit} descriptors`];
  const text = [...connections, ...descriptors].join(', ');
  return text === '' ? undefined : ratioFigure(ratio ?? 0, text);
};

const connectionErrors = ({ errorCodes }: StepMeasurement): number =>
  CONNECTION_ERRORS.reduce((sum, code) => sum + (errorCodes[code] ?? 0), 0);

/** Of the cgroup's limit, else of the machine; pages that came from disk, and the time tasks waited for memory. */
export function memoryRow({ row, measurement, findings }: UseInput): UseRow {
  const group = measurement && counterOf(measurement, 'cgroup', 'memoryBytes');
  const free = filledRatio(measurement && machineCounter(measurement, 'memoryAvailableBytes'));
  const ratio = filledRatio(group) ?? (free === undefined ? undefined : 1 - free);
  if (measurement === undefined || ratio === undefined)
    return useRow('memory', 'unknown', 'memory was not measured', {});
  const faults = rateOf(counterOf(measurement, 'process', 'majorFaultCount'));
  const pressure = timeShare(machineCounter(measurement, 'memoryPressureSeconds')) ?? 0;
  const kills = growthOf(counterOf(measurement, 'cgroup', 'outOfMemoryKillCount'))?.amount ?? 0;
  const found = findingOn(findings, 'memory', 'swap');
  const isFull = kills > 0 || pressure >= PRESSURE_RATIO || ratio >= MEMORY_FULL_RATIO;
  const verdict = isFull || found !== undefined ? 'full' : ratio >= MEMORY_BUSY_RATIO ? 'busy' : 'free';
  const of = group?.capacity === undefined ? 'of the machine' : 'of its limit';
  const own = row.residentBytes === undefined ? '' : `, the service ${bytesText(row.residentBytes)}`;
  const reasons = {
    full: kills > 0 ? 'the kernel killed for want of memory' : 'memory is short',
    busy: 'memory gets scarce',
    free: 'there is memory to spare',
  };
  return useRow('memory', verdict, found?.claim ?? reasons[verdict], {
    utilization: ratioFigure(ratio, `${percentText(ratio)} ${of}${own}`),
    saturation: faults === undefined ? undefined : rateFigure(faults, 'pages from disk'),
    errors: countFigure(kills, 'killed'),
  });
}
