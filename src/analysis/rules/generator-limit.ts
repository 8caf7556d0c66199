import type { Evidence, StepRow } from '../../model/analysis.ts';
import { percentText, secondsText } from '../../stats/wording.ts';
import { stepEvidence } from './threshold-rule.ts';

/** A step is not valid from here on: the generator's own queueing is in the response times. */
export const GENERATOR_LIMIT_RATIO = 0.8;
const NEAR_LIMIT_RATIO = 0.7;
const LAG_SECONDS = 5e-3;
const LAG_SHARE_OF_INTERVAL = 0.05;
/** Sampling noise of X(R+Z) against N: max(3 %, 1.5·√N / completions); see the validity gate. */
const LITTLE_FLOOR = 0.03;

/** Evidence that a step's generator was near (70 %) or at (80 %) its limit, or sent late. Empty: healthy. */
export function generatorStrain(row: StepRow): readonly Evidence[] {
  return [...cpuStrain(row), ...lagStrain(row)];
}

function cpuStrain(row: StepRow): Evidence[] {
  const value = row.generator?.utilizationRatio ?? row.utilizationRatio['generator'];
  if (value === undefined || value < NEAR_LIMIT_RATIO) return [];
  const words = value >= GENERATOR_LIMIT_RATIO ? 'at its limit of 80 %' : 'near its limit of 80 %';
  const text = `the generator used ${percentText(value)} of its cores, ${words},`;
  return [stepEvidence(row, 'generator.utilizationRatio', value, 'ratio', text)];
}

/** Late sends: p99 of the lag above 5 ms and above 5 % of the mean interval between sends. */
function lagStrain(row: StepRow): Evidence[] {
  const lag = row.generator?.scheduleLagP99Seconds;
  if (lag === undefined || row.throughputPerSecond <= 0) return [];
  const intervalSeconds = (row.users ?? row.concurrency ?? 1) / row.throughputPerSecond;
  if (lag <= Math.max(LAG_SECONDS, LAG_SHARE_OF_INTERVAL * intervalSeconds)) return [];
  const text = `one send in a hundred was late by ${secondsText(lag)} or more`;
  return [stepEvidence(row, 'generator.scheduleLagP99Seconds', lag, 'seconds', text)];
}

/** Evidence that fewer users were at work than asked for: |X(R+Z) − N| / N beyond its sampling noise. */
export function missingUsers(row: StepRow): readonly Evidence[] {
  const residual = row.littleResidualRatio;
  if (residual === undefined || row.users === undefined) return [];
  const noise = (1.5 * Math.sqrt(row.users)) / Math.max(1, row.completionCount ?? Infinity);
  if (Math.abs(residual) <= Math.max(LITTLE_FLOOR, noise)) return [];
  const text = `X(R+Z) differs from N by ${percentText(residual)}`;
  return [stepEvidence(row, 'littleResidualRatio', residual, 'ratio', text)];
}
