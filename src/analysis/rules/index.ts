import { CAUSES } from './causes.ts';
import { cpuAbove70 } from './cpu-above-70.ts';
import { diskAbove20 } from './disk-above-20.ts';
import { fewerDistinctValuesThanLog } from './fewer-distinct-values-than-log.ts';
import { generatorAtLimit } from './generator-at-limit.ts';
import { machineCpuInsteadOfProcess } from './machine-cpu-instead-of-process.ts';
import { oneRowForAStepRun } from './one-row-for-a-step-run.ts';
import { rssRising } from './rss-rising.ts';
import { responseSplit } from './response-split.ts';
import type { DiagnosisRule } from './rule.ts';
import { runQueueAbove2 } from './run-queue-above-2.ts';
import { spikeDrain } from './spike-drain.ts';

export { CAUSES, namedCauses } from './causes.ts';

/** Figures worth a look, and how a load test is read wrongly. */
const FLAGS_AND_MISTAKES = [
  spikeDrain,
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

/** The rules in the order in which their findings are printed: causes, then red flags, then mistakes. */
export const DIAGNOSIS_RULES = [...CAUSES, ...FLAGS_AND_MISTAKES] as const satisfies readonly DiagnosisRule[];
