import type { UseRow } from '../model/analysis.ts';
import type { StepMeasurement } from '../model/measurement.ts';
import { countText, figure, percentText } from '../stats/wording.ts';
import { counterOf, gaugeMean, growthOf, serviceCounter } from './counter-window.ts';
import {
  countFigure,
  filledRatio,
  findingOn,
  ratioFigure,
  timeShare,
  useRow,
  verdictOf,
} from './use-figures.ts';
import type { UseInput } from './use-table.ts';

/** A thread below this share of a core has room, above it has none: it cannot use a second. */
const THREAD_FULL_RATIO = 0.95;
/** Waiting for a core this share of the time that a thread wants one. */
const WAIT_RATIO = 0.1;
const THROTTLED_RATIO = 0.1;
const POOL_FULL_RATIO = 0.95;

/** Of the process: U over its m cores; the share of its ready time that it waited for one; throttled periods of its quota. */
export function cpuRow({ row, measurement }: UseInput): UseRow {
  const ratio = row.utilizationRatio['cpu'];
  const cores = row.serverCount['cpu'];
  const wait = measurement && waitShare(measurement);
  const throttled = measurement && throttledShare(measurement);
  const isThrottled = (throttled ?? 0) >= THROTTLED_RATIO;
  const verdict = isThrottled ? 'full' : verdictOf(ratio);
  const reasons = {
    full: 'the process is at the limit of its cores',
    busy: 'little room',
    free: 'the process has CPU to spare',
    unknown: 'no CPU of the service was measured',
  };
  const waits = (wait ?? 0) >= WAIT_RATIO && verdict === 'free';
  const reason = isThrottled
    ? `its quota held it back in ${percentText(throttled!)} of the periods`
    : `${reasons[verdict]}${waits ? ', and waits for a core: others use the machine' : ''}`;
  const of = cores === undefined ? '' : ` of ${countText(Number(cores.toFixed(2)), 'core')}`;
  return useRow('cpu', verdict, reason, {
    utilization: ratio === undefined ? undefined : ratioFigure(ratio, `${percentText(ratio)}${of}`),
    saturation: isThrottled
      ? ratioFigure(throttled!, `${percentText(throttled!)} of periods throttled`)
      : wait === undefined
        ? undefined
        : ratioFigure(wait, `${percentText(wait)} of its ready time in the run queue`),
  });
}

/** wait / (run + wait). */
function waitShare(measurement: StepMeasurement): number | undefined {
  const run = growthOf(counterOf(measurement, 'process', 'cpuSeconds'))?.amount;
  const wait = growthOf(counterOf(measurement, 'process', 'runQueueWaitSeconds'))?.amount;
  return run === undefined || wait === undefined || run + wait <= 0 ? undefined : wait / (run + wait);
}

function throttledShare(measurement: StepMeasurement): number | undefined {
  const periods = growthOf(counterOf(measurement, 'cgroup', 'periodCount'))?.amount;
  const throttled = growthOf(counterOf(measurement, 'cgroup', 'throttledPeriodCount'))?.amount;
  return periods === undefined || throttled === undefined || periods === 0 ? undefined : throttled / periods;
}

/** The thread that used most: above 95 % of a core it holds up whatever needs it. */
export function threadRow({ row, measurement }: UseInput): UseRow {
  const ratio = row.utilizationRatio['busiestThread'];
  const name = measurement && serviceCounter(measurement, 'busiestThreadCpuSeconds')?.label;
  const verdict = verdictOf(ratio, THREAD_FULL_RATIO);
  const reasons = {
    full: 'one thread carries all it can',
    busy: 'one thread does most of the work',
    free: 'no thread is near its limit',
    unknown: 'threads were not measured',
  };
  return useRow(
    'busiestThread',
    verdict,
    name === undefined ? reasons[verdict] : `${reasons[verdict]}: ${name}`,
    {
      utilization: ratio === undefined ? undefined : ratioFigure(ratio, `${percentText(ratio)} of a core`),
    },
  );
}

/** A pool of connections or threads: places held, and who waits for one, as the service tells; else what the curve says. */
export function poolRow({ measurement, findings }: UseInput): UseRow {
  const inUse = measurement && serviceCounter(measurement, 'poolInUse');
  const ratio = filledRatio(inUse);
  const waiting = measurement && gaugeMean(serviceCounter(measurement, 'poolWaiting'));
  const found = findingOn(findings, 'pool');
  const isFull = (ratio ?? 0) >= POOL_FULL_RATIO || (waiting ?? 0) >= 1;
  const utilization =
    ratio === undefined
      ? undefined
      : ratioFigure(ratio, `${figure(gaugeMean(inUse)!)} of ${figure(inUse!.capacity!)} places held`);
  const saturation = waiting === undefined ? undefined : countFigure(waiting, 'waiting for a place');
  const figures = { utilization, saturation };
  if (isFull) return useRow('pool', 'full', 'every place is held, requests wait for one', figures);
  if (ratio !== undefined || waiting !== undefined)
    return useRow('pool', verdictOf(ratio ?? 0), 'places are free', figures);
  if (found !== undefined) return useRow('pool', 'full', `no counter; by the curve, ${found.claim}`, figures);
  return useRow('pool', 'unknown', 'the service tells of no pool (--metrics, --stats)', figures);
}

/** A lock that only one request holds at a time: the share of the time it is held, and the mean number that waits. */
export function lockRow({ measurement, findings }: UseInput): UseRow {
  const held = measurement && timeShare(serviceCounter(measurement, 'lockHeldSeconds'));
  const waiting = measurement && timeShare(serviceCounter(measurement, 'lockWaitSeconds'));
  const found = findingOn(findings, 'lock', 'databaseLock');
  const figures = {
    utilization: held === undefined ? undefined : ratioFigure(held, `held ${percentText(held)} of the time`),
    saturation: waiting === undefined ? undefined : countFigure(waiting, 'waiting for it'),
  };
  const verdict = (waiting ?? 0) >= 1 ? 'full' : verdictOf(held ?? waiting);
  if (verdict === 'full') return useRow('databaseLock', verdict, 'one holds it, the others wait', figures);
  if (verdict !== 'unknown') return useRow('databaseLock', verdict, 'it is free most of the time', figures);
  if (found !== undefined)
    return useRow('databaseLock', 'full', `no counter; by the curve, ${found.claim}`, figures);
  return useRow('databaseLock', 'unknown', 'the service tells of no lock (--metrics, --stats)', figures);
}
