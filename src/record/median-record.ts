import type { StepRow } from '../model/analysis.ts';
import type { RunRecord } from '../model/record.ts';
import type { Verdict } from '../model/verdict.ts';
import { median } from '../stats/order-statistics.ts';
import { loadOf } from '../stats/wording.ts';
import { WORST_FIRST } from './worst-first.ts';

/**
 * Several runs of one side as one record, for tables and charts: at every load the medians over the runs whose step
 * there was valid, or over all where none was; intervals, which have no median, are left out. The verdict is that
 * of the first run with the worst decision, everything else the first run's. One run is itself. Throws a RangeError
 * without any.
 */
export function medianRecord(records: readonly RunRecord[]): RunRecord {
  const [first] = records;
  if (first === undefined) throw new RangeError('there are no runs to take medians of');
  if (records.length === 1) return first;
  return {
    ...first,
    manifest: { ...first.manifest, label: sideLabel(records) },
    analysis: { ...first.analysis, steps: medianSteps(records.map(({ analysis }) => analysis.steps)) },
    verdict: worstVerdict(records),
  };
}

/** One label where all have it, else the first and the last. */
function sideLabel(records: readonly RunRecord[]): string {
  const labels = [...new Set(records.map(({ manifest }) => manifest.label))];
  return labels.length < 3 ? labels.join(', ') : `${labels[0]} … ${labels.at(-1)}`;
}

function worstVerdict(records: readonly RunRecord[]): Verdict {
  const verdicts = records.map(({ verdict }) => verdict);
  const worst = WORST_FIRST.find((decision) => verdicts.some((verdict) => verdict.decision === decision));
  return verdicts.find(({ decision }) => decision === worst) ?? verdicts[0]!;
}

function medianSteps(runs: readonly (readonly StepRow[])[]): readonly StepRow[] {
  const byLoad = new Map<string, StepRow[]>();
  for (const row of runs.flat()) {
    const { kind, value } = loadOf(row) ?? { kind: 'step', value: row.index };
    const key = `${row.writeRatio ?? ''} ${kind} ${value}`;
    byLoad.set(key, [...(byLoad.get(key) ?? []), row]);
  }
  return [...byLoad.values()].map((rows) => {
    const valid = rows.filter((row) => row.valid);
    return medianOf(valid.length > 0 ? valid : rows) as StepRow;
  });
}

/** Figures as their medians over those that have them, members of objects one by one; all else of the first. */
function medianOf(values: readonly unknown[]): unknown {
  const [first] = values;
  if (typeof first === 'number') return median(values.filter((value) => typeof value === 'number'));
  if (typeof first !== 'object' || first === null || Array.isArray(first)) return first;
  const objects = values.filter((value) => typeof value === 'object' && value !== null);
  const names = [...new Set(objects.flatMap(Object.keys))].filter((name) => !name.endsWith('Interval'));
  return Object.fromEntries(
    names.map((name) => [
      name,
      medianOf(
        objects.map((one) => (one as Record<string, unknown>)[name]).filter((value) => value !== undefined),
      ),
    ]),
  );
}
