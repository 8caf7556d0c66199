import { ShiploadError } from '../errors.ts';
import type { Notice } from '../model/notice.ts';
import { meaningOf } from './table-columns.ts';
import type { ColumnMeaning, LatencyStatistic, LatencyUnit } from './table-columns.ts';
import type { Cell } from './table-cells.ts';
import { usualName } from './table-tool-names.ts';

/** A column of figures that becomes a field of a step row: value · scale, in SI units. */
export interface ValueColumn {
  readonly field:
    | 'throughputPerSecond'
    | 'cpu'
    | 'machine'
    | 'generator'
    | 'errorCount'
    | 'errorRatio'
    | 'failuresPerSecond'
    | 'windowSeconds'
    | 'completionCount'
    | 'thinkTimeSeconds'
    | 'demand'
    | 'busySeconds'
    | 'loadPerCore'
    | 'meanInFlight'
    | 'residentBytes';
  readonly column: number;
  readonly scale: number;
  /** A ratio whose name does not tell it from percent. */
  readonly maybePercent: boolean;
}

/** A column of response times; without `scale` its name tells no unit. */
export interface LatencyColumn {
  readonly route: string;
  readonly statistic: LatencyStatistic;
  readonly column: number;
  readonly scale?: number;
}

/** Which columns of a table are read, and as what. */
export interface ChosenColumns {
  readonly load: {
    readonly field: 'users' | 'concurrency' | 'arrivalRatePerSecond';
    readonly column: number;
  };
  readonly values: readonly ValueColumn[];
  readonly latencies: readonly LatencyColumn[];
}

const SECONDS: Readonly<Record<LatencyUnit, number>> = {
  seconds: 1,
  milliseconds: 1e-3,
  microseconds: 1e-6,
};

const LOAD_FIELDS = {
  users: 'users',
  concurrency: 'concurrency',
  arrivalRate: 'arrivalRatePerSecond',
} as const;

/** A column as a value of a step row; undefined for loads, latencies and what a row does not hold. */
function valueColumn(meaning: ColumnMeaning, column: number): ValueColumn | undefined {
  const value = (field: ValueColumn['field'], scale = 1, maybePercent = false): ValueColumn => ({
    field,
    column,
    scale,
    maybePercent,
  });
  const seconds = (unit: LatencyUnit | undefined): number => SECONDS[unit ?? 'seconds'];
  switch (meaning.kind) {
    case 'throughput':
      return value('throughputPerSecond');
    case 'utilization':
      return value(meaning.of, meaning.percent ? 0.01 : 1, !meaning.percent);
    case 'errorRatio':
      return value('errorRatio', meaning.percent ? 0.01 : 1, !meaning.percent);
    case 'errors':
      return value('errorCount');
    case 'completions':
      return value('completionCount');
    case 'window':
      return value('windowSeconds', seconds(meaning.unit));
    case 'thinkTime':
      return value('thinkTimeSeconds', seconds(meaning.unit));
    case 'demand':
      return value('demand', seconds(meaning.unit));
    case 'busy':
      return value('busySeconds', seconds(meaning.unit));
    case 'failuresPerSecond':
    case 'loadPerCore':
    case 'meanInFlight':
      return value(meaning.kind);
    case 'residentMemory':
      return value('residentBytes', meaning.bytesPerUnit);
    default:
      return undefined;
  }
}

/**
 * Chooses what is read from a header. Of several throughput columns the one of `series` (else the first) is
 * taken, with the response times that share its name, and the others are named in a notice, as are columns that
 * nothing is read from. Throws `option-invalid` for a series that is not there.
 */
export function chooseColumns(
  header: readonly Cell[],
  { series, file }: { readonly series?: string; readonly file: string },
): { readonly columns: ChosenColumns; readonly notices: readonly Notice[] } {
  const meanings = header.map((cell) => meaningOf(cell.text));
  const all = meanings.flatMap((meaning) => (meaning?.kind === 'throughput' ? [meaning.series] : []));
  const chosen = series ?? all[0]!;
  if (!all.includes(chosen)) {
    const choices = all.join(', ');
    throw new ShiploadError('option-invalid', `the table has no series ${chosen}`, {
      hint: choices,
      where: file,
    });
  }
  const values: ValueColumn[] = [];
  const latencies: LatencyColumn[] = [];
  let load: ChosenColumns['load'] | undefined;
  for (const [column, meaning] of meanings.entries()) {
    if (meaning === undefined) continue;
    if (meaning.kind === 'users' || meaning.kind === 'concurrency' || meaning.kind === 'arrivalRate') {
      load ??= { field: LOAD_FIELDS[meaning.kind], column };
    } else if (meaning.kind === 'latency') {
      const { of, statistic, unit } = meaning;
      if (isOfAnother(meaning, all, chosen)) continue;
      const route = of === chosen ? '' : of;
      // Tools print the median twice; a repeat under a usual name is refused later.
      const isRepeat = latencies.some((other) => other.route === route && other.statistic === statistic);
      if (isRepeat && usualName(header[column]!.text) !== header[column]!.text) continue;
      latencies.push({ route, statistic, column, ...(unit && { scale: SECONDS[unit] }) });
    } else if (meaning.kind !== 'throughput' || meaning.series === chosen) {
      const value = valueColumn(meaning, column);
      if (value !== undefined && !values.some((other) => other.field === value.field)) values.push(value);
    }
  }
  const columns = { load: load!, values, latencies };
  const read = new Set([load!, ...values, ...latencies].map(({ column }) => column));
  return {
    columns,
    notices: [
      ...seriesNotices(all, chosen),
      ...unreadNotices(
        header.flatMap(({ text }, column) =>
          read.has(column) || text === '' || isAccounted(meanings[column], all, chosen) ? [] : [text],
        ),
      ),
    ],
  };
}

/** A response time of another series than the one that is read. */
const isOfAnother = ({ of }: { readonly of: string }, all: readonly string[], chosen: string): boolean =>
  of !== chosen && all.includes(of) && of !== '';

/** What has a notice of its own (another series), or is computed anew (a residual). */
const isAccounted = (meaning: ColumnMeaning | undefined, all: readonly string[], chosen: string): boolean =>
  meaning?.kind === 'residual' ||
  meaning?.kind === 'throughput' ||
  (meaning?.kind === 'latency' && isOfAnother(meaning, all, chosen));

/** More names than this are counted. */
const MOST_NAMES = 12;

/** The columns that nothing is read from. */
function unreadNotices(names: readonly string[]): Notice[] {
  if (names.length === 0) return [];
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : '';
  return [
    {
      code: 'table-columns-not-read',
      severity: 'info',
      message: `columns that nothing was read from: ${names.slice(0, MOST_NAMES).join(', ')}${more}`,
      advice: 'if one of them matters, give it a name such as users, X, p95_ms, R_ms, U, errors, T_s',
    },
  ];
}

function seriesNotices(all: readonly string[], chosen: string): Notice[] {
  if (all.length < 2) return [];
  const others = all.filter((name) => name !== chosen).map((name) => name || 'the unnamed one');
  return [
    {
      code: 'table-has-several-series',
      severity: 'info',
      message: `the table holds ${all.length} throughput columns; read: ${chosen || 'the unnamed one'}`,
      advice: `for the others, ask for the series ${others.join(', ')}`,
    },
  ];
}
