import type { ReportedStep } from '../../model/imported.ts';
import type { SummaryFormat } from './result-format.ts';

/**
 * Reads what a tool prints for people, one run after the other: a line that begins a run (`begin`), then lines of which
 * each may tell a figure (`read`). What stands before the first run, as a shell prints it, is no matter.
 */
export function textBlocks<Seen>({
  begin,
  read,
  step,
}: {
  readonly begin: (line: string) => Seen | undefined;
  readonly read: (line: string, run: Seen) => void;
  readonly step: (run: Seen) => ReportedStep;
}): ReturnType<SummaryFormat['open']> {
  const runs: Seen[] = [];
  return {
    line(text) {
      const begun = begin(text);
      if (begun !== undefined) runs.push(begun);
      const run = runs.at(-1);
      if (run !== undefined) read(text, run);
      return undefined;
    },
    steps: () => runs.map(step),
  };
}
