import type { StepRow } from '../model/analysis.ts';
import type { Notice } from '../model/notice.ts';
import type { ChosenColumns, ValueColumn } from './table-choice.ts';

type Errors = Pick<StepRow, 'errorCount' | 'errorRatio' | 'errorCountUnknown' | 'errorRatioUnknown'>;

/** Makes a column of error counts whose cells have percent signs a column of shares. */
export function withErrorShares(columns: ChosenColumns, inPercent: ReadonlySet<number>): ChosenColumns {
  const isShare = ({ field, column }: ValueColumn): boolean =>
    field === 'errorCount' && inPercent.has(column);
  const hasShares = columns.values.some(({ field }) => field === 'errorRatio');
  const values = columns.values.flatMap((value): ValueColumn[] => {
    if (!isShare(value)) return [value];
    return hasShares ? [] : [{ ...value, field: 'errorRatio', scale: 0.01 }];
  });
  return { ...columns, values };
}

/**
 * Errors as a count and a share, each from the other where the requests are known: with s successes,
 * count = share·s/(1 − share). What the row does not tell is marked as unknown, never taken as 0.
 */
export function errorsOf(values: Partial<Record<ValueColumn['field'], number>>): Errors {
  const { throughputPerSecond = NaN, windowSeconds = NaN, errorCount, errorRatio } = values;
  const successes = values.completionCount ?? throughputPerSecond * windowSeconds;
  if (errorRatio !== undefined) {
    const count = errorCount ?? countOf(errorRatio, successes);
    if (Number.isFinite(count)) return { errorCount: count, errorRatio };
    return { errorCount: 0, errorRatio, errorCountUnknown: true };
  }
  if (errorCount === undefined)
    return { errorCount: 0, errorRatio: 0, errorCountUnknown: true, errorRatioUnknown: true };
  const share = errorCount === 0 ? 0 : errorCount / (errorCount + successes);
  if (Number.isFinite(share)) return { errorCount, errorRatio: share };
  return { errorCount, errorRatio: 0, errorRatioUnknown: true };
}

/** Failures a second stand beside a rate of all requests (as Locust writes both): X is what is left of it. */
export function withoutFailures<Values extends Partial<Record<ValueColumn['field'], number>>>(
  values: Values,
): Values {
  const { throughputPerSecond: all = 0, failuresPerSecond: failed } = values;
  if (failed === undefined || !(all > 0)) return values;
  const successes = Math.max(0, all - failed);
  return { ...values, throughputPerSecond: successes, errorRatio: Math.min(1, failed / all) };
}

/** A share above 0 is of one request at least, whatever its printed digits make of it. */
function countOf(errorRatio: number, successes: number): number {
  return errorRatio === 0 ? 0 : Math.max(1, Math.round((errorRatio / (1 - errorRatio)) * successes));
}

/** What a table leaves open about its errors, and how it was read. */
export function errorNotices(rows: readonly StepRow[], { values }: ChosenColumns): Notice[] {
  if (values.some(({ field }) => field === 'failuresPerSecond')) {
    return [
      {
        code: 'failures-in-throughput',
        severity: 'info',
        message:
          'failures stand as a rate: the throughput is read as that of all requests, and X is without them',
        advice: 'if the throughput holds successes only, leave the column of failures a second out',
      },
    ];
  }
  if (rows.every((row) => row.errorCountUnknown && row.errorRatioUnknown)) {
    return [
      {
        code: 'errors-not-in-table',
        severity: 'info',
        message: 'the table has no errors: targets on them cannot be judged',
        advice: 'add a column errors (failed requests a step) or errorRatio',
      },
    ];
  }
  if (!rows.some((row) => row.errorRatioUnknown && row.errorCount > 0)) return [];
  return [
    {
      code: 'error-share-unknown',
      severity: 'warning',
      message: 'errors are counted, and nothing says of how many requests: their share is not judged',
      advice: 'add a column T_s (seconds measured a step) or errorRatio',
    },
  ];
}
