import { metricWords } from '../stats/metric-words.ts';
import type { Notice } from '../model/notice.ts';
import type { RunRecord } from '../model/record.ts';
import { outliersIn } from '../stats/outliers.ts';
import { median } from '../stats/rank-test.ts';
import { figure } from '../stats/wording.ts';
import { metricsOf } from './compared-metrics.ts';

/** Of fewer runs none can be told from the others, nor below this difference. */
const RUNS_NEEDED = 5;
const LEAST_DIFFERENCE = 0.05;

/** Runs of one side that lie far from the others of it in a throughput: said, and kept. */
export function unlikeOthers(records: readonly RunRecord[]): Notice[] {
  if (records.length < RUNS_NEEDED) return [];
  const readings = records.map((record) => metricsOf(record).filter(({ unit }) => unit === 'perSecond'));
  return readings[0]!.flatMap(({ name }): Notice[] => {
    const values = readings.flatMap((one) => one.find((reading) => reading.name === name)?.value ?? []);
    if (values.length < records.length) return [];
    const middle = median(values);
    return outliersIn(values)
      .filter((i) => Math.abs(values[i]! / middle - 1) > LEAST_DIFFERENCE)
      .map((i) => ({
        code: 'run-unlike-others',
        severity: 'warning',
        message: `${metricWords(name)} of ${records[i]!.manifest.label} is ${figure(values[i]!)}, of the runs beside it ${figure(middle)}: it was kept; see what else ran then`,
      }));
  });
}
