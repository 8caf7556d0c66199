import type { Evidence, StepRow } from '../../model/analysis.ts';
import { bytesText, figure, percentText } from '../../stats/wording.ts';
import type { Plateau } from './plateau.ts';
import type { DiagnosisInput } from './rule.ts';
import { counterRate } from './step-counters.ts';
import { stepEvidence } from './threshold-rule.ts';

/**
 * A disk this busy on the plateau sets the pace of those who wait for it: one who writes, waits and only then goes on
 * leaves it idle between.
 */
const DISK_BUSY_RATIO = 0.25;
const CERTAIN_BUSY_RATIO = 0.4;
/** Written or read by a request on average, a page: less is a log that is flushed now and then. */
const LEAST_BYTES_PER_REQUEST = 4096;

/** What, outside the process's CPU, is busy on a plateau; the first with evidence. Undefined: nothing that is seen. */
export function deviceOf(
  plateau: Plateau,
  input: DiagnosisInput,
): { readonly device: 'disk'; readonly isSure: boolean; readonly evidence: readonly Evidence[] } | undefined {
  const evidence = diskEvidence(plateau.steps, input);
  if (evidence.length === 0) return undefined;
  return { device: 'disk', isSure: meanBusyRatio(plateau.steps, input) >= CERTAIN_BUSY_RATIO, evidence };
}

/** The disk busy over these steps, on average, and the process reads or writes at each request of every step. */
export function diskEvidence(steps: readonly StepRow[], input: DiagnosisInput): readonly Evidence[] {
  if (steps.length === 0) return [];
  if (meanBusyRatio(steps, input) < DISK_BUSY_RATIO) return [];
  const found = steps.map((row) => {
    const bytesPerSecond =
      (counterRate(row, input, 'process', 'writtenBytes') ?? 0) +
      (counterRate(row, input, 'process', 'readBytes') ?? 0);
    const each = bytesPerSecond / row.throughputPerSecond;
    if (each < LEAST_BYTES_PER_REQUEST) return [];
    const busy = busyRatio(row, input);
    const io = `${figure(each / 1e3)} kB a request, ${bytesText(bytesPerSecond)}/s,`;
    return [
      stepEvidence(
        row,
        'diskBusyRatio',
        busy,
        'ratio',
        `the disk is busy, or waited for, ${percentText(busy)} of the time`,
      ),
      stepEvidence(row, 'ioBytesPerSecond', bytesPerSecond, 'bytes', `the process reads and writes ${io}`),
    ];
  });
  return found.every((one) => one.length > 0) ? found.flat() : [];
}

/** The disk's own use, or the time in which a task waited for one: a fast disk with many cores shows in the second. */
const busyRatio = (row: StepRow, input: DiagnosisInput): number =>
  Math.max(
    row.diskBusyRatio ?? row.utilizationRatio['disk'] ?? 0,
    counterRate(row, input, 'machine', 'ioPressureSeconds') ?? 0,
  );

const meanBusyRatio = (steps: readonly StepRow[], input: DiagnosisInput): number =>
  steps.reduce((sum, row) => sum + busyRatio(row, input), 0) / steps.length;
