import type { Evidence, GeneratorWorkerRow, StepRow } from '../../model/analysis.ts';
import { figure, percentText, secondsText } from '../../stats/wording.ts';
import { littleTolerance } from '../validity.ts';
import { stepEvidence } from './threshold-rule.ts';

/** A step is not valid from here on: the generator's own queueing is in the response times. */
export const GENERATOR_LIMIT_RATIO = 0.8;
const NEAR_LIMIT_RATIO = 0.7;
const LAG_SECONDS = 5e-3;
const LAG_SHARE_OF_INTERVAL = 0.05;
/** Fewer sends have no p99: it would be their single worst. */
const LEAST_SENDS = 100;
/** A machine this busy, or with more runnable tasks than processors, makes any process late. */
const MACHINE_BUSY_RATIO = 0.85;
const MACHINE_BUSY_QUEUE = 1;

/** Evidence that a step's generator was near (70 %) or at (80 %) its limit, or sent late. Empty: healthy. */
export function generatorStrain(row: StepRow): readonly Evidence[] {
  return [...cpuStrain(row), ...lagStrain(row)];
}

function cpuStrain(row: StepRow): Evidence[] {
  const whole = row.generator?.utilizationRatio ?? row.utilizationRatio['generator'];
  if (whole === undefined) return [];
  const busiest = busiestWorker(row);
  const value = Math.max(whole, busiest?.utilizationRatio ?? 0);
  if (value < NEAR_LIMIT_RATIO) return [];
  const words = value >= GENERATOR_LIMIT_RATIO ? 'at its limit of 80 %' : 'near its limit of 80 %';
  const who =
    busiest === undefined
      ? `the generator used ${percentText(value)} of its cores`
      : `the generator's ${busiest.name} used ${percentText(value)} of its core`;
  const text = `${who}, ${words},`;
  return [stepEvidence(row, 'generator.utilizationRatio', value, 'ratio', text)];
}

/** Of several workers the busiest: the load is as good as the worst of them sends it. */
const busiestWorker = (row: StepRow): GeneratorWorkerRow | undefined =>
  row.generator?.workers?.toSorted((a, b) => b.utilizationRatio - a.utilizationRatio)[0];

/** Late sends: p99 of the lag, over 100 sends or more, above 5 ms and above 5 % of a user's mean cycle N/X. */
function lagStrain(row: StepRow): Evidence[] {
  const lag = row.generator?.scheduleLagP99Seconds;
  if (lag === undefined || row.throughputPerSecond <= 0 || sendCount(row) < LEAST_SENDS) return [];
  const intervalSeconds = (row.users ?? row.concurrency ?? 1) / row.throughputPerSecond;
  if (lag <= Math.max(LAG_SECONDS, LAG_SHARE_OF_INTERVAL * intervalSeconds)) return [];
  const text = `one send in a hundred was late by ${secondsText(lag)} or more`;
  return [stepEvidence(row, 'generator.scheduleLagP99Seconds', lag, 'seconds', text)];
}

/** Requests of the step by what became of them; an imported table that does not count is taken at its word. */
const sendCount = (row: StepRow): number => (row.completionCount ?? Infinity) + row.errorCount;

/** Evidence that the machine as a whole was too busy to let a process send on time. Empty: it had room. */
export function busyMachine(row: StepRow): readonly Evidence[] {
  const queue = row.runQueuePerCore ?? row.loadPerCore;
  const cpu = row.machineCpuRatio ?? row.utilizationRatio['machineCpu'];
  if (queue !== undefined && queue > MACHINE_BUSY_QUEUE) {
    const text = `run queue per core of the machine ${figure(queue)}`;
    return [stepEvidence(row, 'runQueuePerCore', queue, 'count', text)];
  }
  if (cpu === undefined || cpu < MACHINE_BUSY_RATIO) return [];
  return [stepEvidence(row, 'machineCpuRatio', cpu, 'ratio', `CPU of the whole machine ${percentText(cpu)}`)];
}

/** Evidence that fewer users were at work than asked for: |X(R+Z) − N| / N beyond its sampling noise. */
export function missingUsers(row: StepRow): readonly Evidence[] {
  const residual = row.littleResidualRatio;
  if (residual === undefined || row.users === undefined) return [];
  if (Math.abs(residual) <= littleTolerance(row.users, row.completionCount ?? Infinity)) return [];
  const text = `X(R+Z) differs from N by ${percentText(residual)}`;
  return [stepEvidence(row, 'littleResidualRatio', residual, 'ratio', text)];
}
