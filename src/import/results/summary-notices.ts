import type { ReportedStep } from '../../model/imported.ts';
import type { Notice } from '../../model/notice.ts';
import { loadText } from '../../stats/wording.ts';
import type { SummaryFormat } from './result-format.ts';

/** Whose percentiles they are. */
export function asReported({ tool }: SummaryFormat, steps: readonly ReportedStep[]): Notice[] {
  const orders = new Set(
    steps.flatMap(({ overall }) => overall.percentiles.map(([percentile]) => percentile)),
  );
  if (orders.size === 0) return [];
  const list = [...orders].sort((a, b) => a - b).map((percentile) => `p${percentile}`);
  return [
    {
      code: 'percentiles-as-reported',
      severity: 'info',
      message: `the percentiles are those ${tool} printed (${list.join(', ')}), by its own definition and precision; no samples stand behind them here, and they are never joined with others`,
    },
  ];
}

/** Steps of one load stay apart: their percentiles cannot be pooled. */
export function sameLoads(steps: readonly ReportedStep[]): Notice[] {
  const byLoad = new Map<string, number>();
  for (const { load } of steps) {
    const text = loadText({ index: 0, [load.kind]: load.value });
    byLoad.set(text, (byLoad.get(text) ?? 0) + 1);
  }
  return [...byLoad].flatMap(([text, count]): Notice[] => {
    if (count < 2) return [];
    const message = `${count} reports are of ${text}: percentiles of separate reports cannot be pooled, so they stay ${count} steps`;
    const advice = 'import each as a run of its own, and compare them';
    return [{ code: 'percentiles-not-pooled', severity: 'warning', message, advice }];
  });
}
