import type { Evidence } from '../../model/analysis.ts';
import { bytesText, figure, percentText } from '../../stats/wording.ts';
import type { Plateau } from './plateau.ts';
import type { DiagnosisInput } from './rule.ts';
import { counterRate } from './step-counters.ts';
import { stepEvidence } from './threshold-rule.ts';

/** A disk this busy sets the pace of those who wait for it. */
const DISK_BUSY_RATIO = 0.5;
/** Written or read by a request on average: less is a log that is flushed now and then. */
const LEAST_BYTES_PER_REQUEST = 512;

/** What, outside the process's CPU, is busy on a plateau; the first with evidence. Undefined: nothing that is seen. */
export function deviceOf(
  plateau: Plateau,
  input: DiagnosisInput,
): { readonly device: 'disk'; readonly evidence: readonly Evidence[] } | undefined {
  const evidence = diskEvidence(plateau, input);
  return evidence.length === 0 ? undefined : { device: 'disk', evidence };
}

/** The disk busy for half the time or more at every step of the plateau, and the process reads or writes at each request. */
function diskEvidence({ steps }: Plateau, input: DiagnosisInput): readonly Evidence[] {
  const found = steps.map((row) => {
    const busy = row.diskBusyRatio ?? row.utilizationRatio['disk'] ?? 0;
    const bytesPerSecond =
      (counterRate(row, input, 'process', 'writtenBytes') ?? 0) +
      (counterRate(row, input, 'process', 'readBytes') ?? 0);
    const each = bytesPerSecond / row.throughputPerSecond;
    if (busy < DISK_BUSY_RATIO || each < LEAST_BYTES_PER_REQUEST) return [];
    const io = `${figure(each / 1e3)} kB a request, ${bytesText(bytesPerSecond)}/s,`;
    return [
      stepEvidence(row, 'diskBusyRatio', busy, 'ratio', `the disk is busy for ${percentText(busy)}`),
      stepEvidence(row, 'ioBytesPerSecond', bytesPerSecond, 'bytes', `the process reads and writes ${io}`),
    ];
  });
  return found.every((one) => one.length > 0) ? found.flat() : [];
}
