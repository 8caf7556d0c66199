import { EXIT } from '../errors.ts';
import type { RunRecord } from '../model/record.ts';

/** The contract's exit codes: what ended the run first, then its verdict. */
export function exitCodeOf(record: RunRecord, interruptedCode: number = EXIT.interrupted): number {
  const { state } = record.manifest;
  if (state === 'interrupted') return interruptedCode;
  if (state === 'service-gone' || state === 'too-many-errors' || state === 'agent-lost')
    return EXIT.invalidRun;
  switch (record.verdict.decision) {
    case 'pass':
      return EXIT.done;
    case 'not-judged':
      return record.analysis.steps.some((step) => step.valid) ? EXIT.done : EXIT.invalidRun;
    case 'invalid':
      return EXIT.invalidRun;
    default:
      return EXIT.targetMissed;
  }
}
