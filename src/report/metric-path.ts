import type { ReportDocument } from '../model/documents.ts';
import { loadText } from '../stats/wording.ts';

/**
 * The field that a comparison's metric was read from: `p95 /search at 200 users` is
 * `steps[5].byRoute./search.p95Seconds` of the step at 200 users. A name that is no metric of the run stays as it is.
 */
export function pathOfMetric({ steps, knee, saturation }: ReportDocument, name: string): string {
  if (name === 'knee' && knee.users !== undefined) return 'knee.users';
  if (name === 'saturation' && saturation !== undefined) return 'saturation.users';
  if (name === 'capacityPerSecond') return 'knee.capacityPerSecond';
  const [, figure, load] = /^(.+) at (.+)$/.exec(name) ?? [];
  const place = steps.findIndex((step) => loadText(step) === load);
  if (figure === undefined || place < 0) return name;
  const [, order, route] = /^(p50|p95|p99) (.+)$/.exec(figure) ?? [];
  return `steps[${place}].${order === undefined ? figure : `byRoute.${route}.${order}Seconds`}`;
}
