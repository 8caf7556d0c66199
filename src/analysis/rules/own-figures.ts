import type { Evidence, StepRow } from '../../model/analysis.ts';
import { figure, percentText } from '../../stats/wording.ts';
import { gaugeMean, serviceCounter } from '../counter-window.ts';
import type { DiagnosisInput } from './rule.ts';
import { counterRate, measurementOf } from './step-counters.ts';
import { stepEvidence } from './threshold-rule.ts';

const SOURCES = ['prometheus', 'stats'] as const;

/** What the service itself counts of its pool, at the last of these steps: places in use, of how many, and who waits. */
export function ownPoolFigures(steps: readonly StepRow[], input: DiagnosisInput): readonly Evidence[] {
  const last = steps.at(-1);
  const measurement = last && measurementOf(last, input);
  if (last === undefined || measurement === undefined) return [];
  const inUse = serviceCounter(measurement, 'poolInUse');
  const used = gaugeMean(inUse);
  const waiting =
    gaugeMean(serviceCounter(measurement, 'poolWaiting')) ??
    gaugeMean(serviceCounter(measurement, 'queueLength'));
  const of = inUse?.capacity === undefined ? '' : ` of ${figure(inUse.capacity)}`;
  return [
    ...(used === undefined
      ? []
      : [
          stepEvidence(
            last,
            'poolInUse',
            used,
            'count',
            `the service counts ${figure(used)}${of} places in use`,
          ),
        ]),
    ...(waiting === undefined
      ? []
      : [
          stepEvidence(
            last,
            'waitingCount',
            waiting,
            'count',
            `the service counts ${figure(waiting)} waiting`,
          ),
        ]),
  ];
}

/** How much of the time the service says its lock was held, at the last of these steps. */
export function ownLockFigures(steps: readonly StepRow[], input: DiagnosisInput): readonly Evidence[] {
  const last = steps.at(-1);
  if (last === undefined) return [];
  return SOURCES.flatMap((source) => {
    const held = counterRate(last, input, source, 'lockHeldSeconds');
    if (held === undefined) return [];
    const text = `by its own count the lock is held ${percentText(held)} of the time`;
    return [stepEvidence(last, 'lockHeldRatio', held, 'ratio', text)];
  });
}

/** Time that collections took by the service's own count, of the stretch that a step measured. */
export function ownCollections(row: StepRow, input: DiagnosisInput): readonly Evidence[] {
  return SOURCES.flatMap((source) => {
    const share = counterRate(row, input, source, 'collectorPauseSeconds');
    if (share === undefined || share <= 0) return [];
    const text = `by its own count the service collects garbage ${percentText(share)} of the time`;
    return [stepEvidence(row, 'collectorPauseRatio', share, 'ratio', text)];
  });
}
