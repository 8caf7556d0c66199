import type { Evidence, StepRow } from '../../model/analysis.ts';
import { bytesText, figure, loadText, percentText } from '../../stats/wording.ts';
import type { DiagnosisInput, DiagnosisRule } from './rule.ts';
import { counterRate, measurementOf, risingRows } from './step-counters.ts';
import { counterOf, gaugeMean } from '../counter-window.ts';
import { stepEvidence } from './threshold-rule.ts';

/** Pages that the process had to wait for, a second: a disk serves hundreds, memory needs none. */
const MAJOR_FAULTS_PER_SECOND = 20;
/** Share of time in which a task of the machine waited for memory. */
const PRESSURE_RATIO = 0.1;
/** Swapped in a second: less is what was put away long ago. */
const SWAP_BYTES_PER_SECOND = 1e6;

/**
 * Memory that is short: the process waits for pages from the disk (major faults above 20/s, as a swapped heap or
 * evicted code makes them), and the machine or the cgroup shows it as pressure above 10 % of the time or as pages
 * swapped in. Faults alone are also a file that is read for the first time: low confidence.
 */
export const memoryPressure: DiagnosisRule = {
  id: 'memory-pressure',
  examine: (input) => {
    const found = risingRows(input).flatMap((row) => {
      const evidence = evidenceAt(row, input);
      return evidence.some(isFault) ? [{ row, evidence }] : [];
    });
    const last = found.at(-1);
    if (last === undefined) return [];
    const supported = found.filter(({ evidence }) => evidence.length > 1).length;
    return [
      {
        ruleId: 'memory-pressure',
        claim: `memory is short from ${loadText(found[0]!.row)} on: the process waits for ${figure(last.evidence.find(isFault)!.value)} pages a second from the disk`,
        confidence: supported > 1 ? 'high' : supported === 1 ? 'medium' : 'low',
        resource: 'memory',
        evidence: found.flatMap(({ evidence }) => evidence),
        counterEvidence: [],
        nextExperiment: 'the same step with more memory, or with half the heap or cache: the faults vanish',
      },
    ];
  },
};

const isFault = ({ quantity }: Evidence): boolean => quantity === 'majorFaultsPerSecond';

function evidenceAt(row: StepRow, input: DiagnosisInput): Evidence[] {
  const rate = (source: string, quantity: string): number => counterRate(row, input, source, quantity) ?? 0;
  const faults = rate('process', 'majorFaultCount');
  const pressure = Math.max(
    rate('machine', 'memoryPressureSeconds'),
    rate('cgroup', 'memoryPressureSeconds'),
  );
  const swappedIn = rate('machine', 'swappedInBytes');
  const measurement = measurementOf(row, input);
  const swapped = measurement && gaugeMean(counterOf(measurement, 'process', 'swapBytes'));
  const all: readonly (Evidence | undefined)[] = [
    faults > MAJOR_FAULTS_PER_SECOND
      ? stepEvidence(
          row,
          'majorFaultsPerSecond',
          faults,
          'perSecond',
          `${figure(faults)} major faults a second`,
        )
      : undefined,
    pressure > PRESSURE_RATIO
      ? stepEvidence(
          row,
          'memoryPressureRatio',
          pressure,
          'ratio',
          `tasks wait for memory ${percentText(pressure)} of the time`,
        )
      : undefined,
    swappedIn > SWAP_BYTES_PER_SECOND
      ? stepEvidence(
          row,
          'swappedInBytesPerSecond',
          swappedIn,
          'bytes',
          `${bytesText(swappedIn)} a second swapped in, ${bytesText(swapped ?? 0)} of the process lie in swap,`,
        )
      : undefined,
  ];
  return all.filter((one) => one !== undefined);
}
