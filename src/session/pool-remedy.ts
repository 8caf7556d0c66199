import { poolOption } from '../analysis/pool-option.ts';
import { stepTable } from '../analysis/step-table.ts';
import type { RunRecord } from '../model/record.ts';
import { loadOf } from '../stats/wording.ts';
import { judge } from '../verdict/judge.ts';
import { simulateStep } from './simulate-step.ts';
import { type RunRequest } from './run-request.ts';

/** The record with what twice the places would bring, where a pool is what is full and no other option was worked out. */
export function withPoolOption(record: RunRecord, request: RunRequest): RunRecord {
  const { plan, peakLoad, targets, marginRatio } = request;
  const peak = record.analysis.steps.find((row) => row.valid && loadOf(row)?.value === peakLoad);
  if (peak === undefined || peak.arrivalRatePerSecond !== undefined || record.options !== undefined)
    return record;
  const option = poolOption({
    analysis: record.analysis,
    measurements: record.measurements,
    peak,
    users: peakLoad,
    thinkTimeSeconds: plan.thinkTimeSeconds?.meanSeconds ?? 0,
    simulate({ service, requests }, users) {
      const step = simulateStep(
        service,
        users,
        requests,
        plan.thinkTimeSeconds,
        1,
        plan.seed,
        POOL_SIMULATED_SECONDS,
      );
      return stepTable([step], { serverCount: 1 })[0]!;
    },
    judge: (row) => judge(targets, [row], { marginRatio, peakLoad }),
  });
  return option === undefined ? record : { ...record, options: [option] };
}

/** A full pool is steady soon. */
const POOL_SIMULATED_SECONDS = 20;
