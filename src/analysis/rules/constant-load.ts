import type { StepRow } from '../../model/analysis.ts';
import { serviceCounter } from '../counter-window.ts';
import { loadOf } from '../../stats/wording.ts';
import type { DiagnosisInput } from './rule.ts';
import { measurementOf } from './step-counters.ts';

/** Fewer windows show no trend. */
const FEWEST_WINDOWS = 6;
/** One window this long is a soak by itself. */
const LONG_SECONDS = 60;

const SAME_MOMENT_SECONDS = 0.05;

/** A stretch of the run under one load: the windows of a soak, or one long step. */
export interface ConstantLoad {
  readonly rows: readonly StepRow[];
  readonly seconds: number;
  /** Samples of a counter of the service over the whole stretch, and its capacity. */
  readonly series: (quantity: string) => {
    readonly points: readonly (readonly [number, number])[];
    readonly limit?: number;
  };
}

/** The longest run of neighbouring steps with one load; undefined where it is too short to show a trend. */
export function constantLoad(input: DiagnosisInput): ConstantLoad | undefined {
  const stretches = input.rows.reduce<StepRow[][]>((groups, row) => {
    const group = groups.at(-1);
    if (group !== undefined && sameLoad(group[0]!, row)) group.push(row);
    else groups.push([row]);
    return groups;
  }, []);
  const rows = stretches.reduce<StepRow[]>((best, one) => (one.length > best.length ? one : best), []);
  const seconds = rows.reduce((sum, row) => sum + (row.windowSeconds ?? 0), 0);
  if (rows.length < FEWEST_WINDOWS && (rows.length !== 1 || seconds < LONG_SECONDS)) return undefined;
  return { rows, seconds, series: (quantity) => seriesOver(rows, quantity, input) };
}

function sameLoad(a: StepRow, b: StepRow): boolean {
  const [one, two] = [loadOf(a), loadOf(b)];
  return one !== undefined && one.kind === two?.kind && one.value === two.value;
}

/** The end of one window is the start of the next: such a sample counts once. */
function seriesOver(rows: readonly StepRow[], quantity: string, input: DiagnosisInput) {
  const points: (readonly [number, number])[] = [];
  let limit: number | undefined;
  for (const row of rows) {
    const measurement = measurementOf(row, input);
    const series = measurement && serviceCounter(measurement, quantity);
    limit ??= series?.capacity;
    for (const point of series?.points ?? []) {
      if (point[0] > (points.at(-1)?.[0] ?? -Infinity) + SAME_MOMENT_SECONDS) points.push(point);
    }
  }
  return { points, ...(limit !== undefined && { limit }) };
}
