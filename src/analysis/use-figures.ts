import type { Finding, UseFigure, UseResource, UseRow } from '../model/analysis.ts';
import type { CounterSeries } from '../model/measurement.ts';
import { figure, percentText } from '../stats/wording.ts';
import { gaugeMean, growthOf } from './counter-window.ts';

/** From here on a resource has no room left, and from here on it is worth a look. */
export const FULL_RATIO = 0.85;
export const BUSY_RATIO = 0.7;

export const ratioFigure = (value: number, text = percentText(value)): UseFigure => ({
  value,
  unit: 'ratio',
  text,
});

export const countFigure = (value: number, noun: string): UseFigure => ({
  value,
  unit: 'count',
  text: `${figure(value)} ${noun}`,
});

export const rateFigure = (value: number, noun: string): UseFigure => ({
  value,
  unit: 'perSecond',
  text: `${figure(value)} ${noun}/s`,
});

/** Growth of seconds over the time: a share, or the mean number that was under way. */
export function timeShare(series: CounterSeries | undefined): number | undefined {
  const growth = growthOf(series);
  return growth === undefined ? undefined : growth.amount / growth.spanSeconds;
}

/** Mean of a gauge over what 100 % of it is. */
export function filledRatio(series: CounterSeries | undefined): number | undefined {
  const mean = gaugeMean(series);
  return mean === undefined || series?.capacity === undefined ? undefined : mean / series.capacity;
}

/** The verdict on a share of use. */
export function verdictOf(ratio: number | undefined, fullRatio = FULL_RATIO): UseRow['verdict'] {
  if (ratio === undefined) return 'unknown';
  if (ratio >= fullRatio) return 'full';
  return ratio >= BUSY_RATIO ? 'busy' : 'free';
}

/** A row, with the figures that are there. */
export function useRow(
  resource: UseResource,
  verdict: UseRow['verdict'],
  reason: string,
  figures: { readonly [Name in 'utilization' | 'saturation' | 'errors']?: UseFigure | undefined },
): UseRow {
  const { utilization, saturation, errors } = figures;
  return {
    resource,
    ...(utilization !== undefined && { utilization }),
    ...(saturation !== undefined && { saturation }),
    ...(errors !== undefined && { errors }),
    verdict,
    reason,
  };
}

/** A finding, not of low confidence, that says this resource gave out. */
export const findingOn = (
  findings: readonly Finding[],
  ...resources: readonly string[]
): Finding | undefined =>
  findings.find(
    ({ resource, confidence }) =>
      resource !== undefined && resources.includes(resource) && confidence !== 'low',
  );
