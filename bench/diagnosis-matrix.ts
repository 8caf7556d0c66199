/** One run of the zoo: what is true, and what the diagnosis named, the surest first. */
export interface DiagnosedRun {
  readonly member: string;
  readonly variant: 'on' | 'off' | 'twin';
  readonly seed: number;
  /** The rule that should lead; missing: nothing should be named. */
  readonly truth?: string;
  readonly named: readonly string[];
  /** Runs before this one that other work on the machine had disturbed. */
  readonly disturbedCount: number;
}

export const NOTHING = 'nothing';

/** Right: the leading cause is the true one, or none is named where there is none. */
export const isRight = ({ truth, named }: DiagnosedRun): boolean =>
  truth === undefined ? named.length === 0 : named[0] === truth;

/** Something is named where there is nothing. */
export const isFalseAlarm = ({ truth, named }: DiagnosedRun): boolean =>
  truth === undefined && named.length > 0;

/** The truth down, what was named across; Markdown. Columns without an entry are left out. */
export function confusionMatrix(runs: readonly DiagnosedRun[]): string {
  const truthOf = ({ truth = NOTHING }: DiagnosedRun): string => truth;
  const namedBy = ({ named }: DiagnosedRun): string => named[0] ?? NOTHING;
  const truths = [...new Set(runs.map(truthOf))].sort(nothingLast);
  const columns = [...new Set([...truths, ...runs.map(namedBy)])].sort(nothingLast);
  const count = (truth: string, named: string): string => {
    const found = runs.filter((run) => truthOf(run) === truth && namedBy(run) === named).length;
    return found === 0 ? '' : String(found);
  };
  const rows = truths.map((truth) => [truth, ...columns.map((named) => count(truth, named))]);
  return table([['truth \\ named', ...columns], ...rows]);
}

const nothingLast = (a: string, b: string): number =>
  Number(a === NOTHING) - Number(b === NOTHING) || a.localeCompare(b);

/** One line a member and variant: what is true, how many runs were right, and what else was said. */
export function memberTable(runs: readonly DiagnosedRun[]): string {
  const keys = [...new Set(runs.map(({ member, variant }) => `${member} ${variant}`))];
  const rows = keys.map((key) => {
    const own = runs.filter(({ member, variant }) => `${member} ${variant}` === key);
    const { member, variant, truth = NOTHING } = own[0]!;
    const others = own.flatMap(({ named }) => named).filter((name) => name !== truth);
    const right = `${own.filter(isRight).length} of ${own.length}`;
    return [member, variant, truth, right, [...new Set(others)].join(', ')];
  });
  return table([['member', 'fault', 'truth', 'right', 'also named'], ...rows]);
}

/** The share that is right, false alarms, and how many runs were made again. */
export function summary(runs: readonly DiagnosedRun[]): string {
  const right = runs.filter(isRight).length;
  const alarms = runs.filter(isFalseAlarm).length;
  const quiet = runs.filter(({ truth }) => truth === undefined).length;
  const again = runs.reduce((sum, run) => sum + run.disturbedCount, 0);
  const share = ((100 * right) / runs.length).toFixed(1);
  return (
    `${right} of ${runs.length} runs right (${share} %); a cause named where there is none in ${alarms} of ${quiet}; ` +
    `${again} runs made again because other work had the machine.`
  );
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, i) => Math.max(3, ...rows.map((row) => row[i]!.length)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |`;
  const [head, ...body] = rows;
  return [line(head!), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n');
}
