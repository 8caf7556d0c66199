import type { ReportDocument } from '../model/documents.ts';
import type { Explanation } from '../model/explanation.ts';
import type { FieldRule } from './field-rule.ts';

interface Absence {
  /** In the place of the value: `not seen`. */
  readonly value: string;
  readonly reason: string;
}

type Reason = (document: ReportDocument) => Absence | undefined;

const noKnee: Reason = ({ knee }) =>
  knee.seen
    ? { value: 'none', reason: `a sweep of arrival rates has no N*: ${knee.reason}` }
    : { value: 'not seen', reason: knee.reason };

const noCapacity: Reason = ({ knee }) => ({ value: 'none', reason: knee.reason });

const noSaturation: Reason = ({ crossChecks, knee }) => ({
  value: 'none',
  reason: crossChecks.find(({ users }) => users === undefined)?.note ?? knee.reason,
});

/** Figures that a run may lack, by the beginning of their path, and why it does. */
const ABSENCES: readonly (readonly [path: RegExp, reason: Reason])[] = [
  [/^knee\.(users|interval)$/, noKnee],
  [/^knee\.(peak|capacity|planFor|operating)/, noCapacity],
  [
    /^knee\.lowerBound$/,
    ({ knee }) =>
      knee.seen ? { value: 'none', reason: 'a knee is seen: its interval bounds it' } : undefined,
  ],
  [/^knee\.bend$/, () => ({ value: 'none', reason: 'X is straight within its error up to the last step' })],
  [
    /^knee\.rise/,
    () => ({ value: 'none', reason: 'X was level within its error at the last step, or fell' }),
  ],
  [
    /^knee\.degradation/,
    () => ({ value: 'none', reason: 'X did not fall beyond its peak by more than its error' }),
  ],
  [/^saturation(\.|$)/, noSaturation],
];

/** What a figure is and why this run does not have it; undefined for a path that no report has. */
export function explainAbsent(
  document: ReportDocument,
  path: string,
  rules: Readonly<Record<string, FieldRule>>,
): Explanation | undefined {
  const [, reasonOf] = ABSENCES.find(([pattern]) => pattern.test(path)) ?? [];
  const absence = reasonOf?.(document);
  const rule = rules[path] ?? rules[`${path}.users`];
  if (absence === undefined || rule === undefined) return undefined;
  const bound = document.knee.lowerBound;
  return {
    field: path,
    value: absence.value,
    meaning: rule.meaning,
    ...(rule.formula !== undefined && { formula: rule.formula }),
    inputs:
      path.startsWith('knee.') && bound !== undefined ? [{ field: 'knee.lowerBound', value: bound }] : [],
    reason: absence.reason,
    source: rule.source,
  };
}
