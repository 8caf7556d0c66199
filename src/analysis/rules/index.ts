import { cpuAbove70 } from './cpu-above-70.ts';
import { cpuBound } from './cpu-bound.ts';
import { diskAbove20 } from './disk-above-20.ts';
import { errorBound } from './error-bound.ts';
import { fewerDistinctValuesThanLog } from './fewer-distinct-values-than-log.ts';
import { generatorAtLimit } from './generator-at-limit.ts';
import { generatorBound } from './generator-bound.ts';
import { machineCpuInsteadOfProcess } from './machine-cpu-instead-of-process.ts';
import { oneLaneBridge } from './one-lane-bridge.ts';
import { oneRowForAStepRun } from './one-row-for-a-step-run.ts';
import { poolBound } from './pool-bound.ts';
import { rssRising } from './rss-rising.ts';
import { responseSplit } from './response-split.ts';
import type { DiagnosisRule } from './rule.ts';
import { runQueueAbove2 } from './run-queue-above-2.ts';
import { spikeDrain } from './spike-drain.ts';

/** The rules in the order in which their findings are printed: causes, then red flags, then mistakes. */
export const DIAGNOSIS_RULES = [
  oneLaneBridge,
  cpuBound,
  poolBound,
  spikeDrain,
  errorBound,
  generatorBound,
  responseSplit,
  cpuAbove70,
  diskAbove20,
  runQueueAbove2,
  rssRising,
  generatorAtLimit,
  machineCpuInsteadOfProcess,
  oneRowForAStepRun,
  fewerDistinctValuesThanLog,
] as const satisfies readonly DiagnosisRule[];
