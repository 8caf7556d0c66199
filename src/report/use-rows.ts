import type { Analysis, UseRow } from '../model/analysis.ts';
import * as q from './quantities.ts';
import { loadKind, loadOf, loadText } from './step-columns.ts';
import type { Tone } from './words.ts';

export const USE_HEADINGS = ['resource', 'utilisation', 'saturation', 'errors', 'verdict', 'why'] as const;

const RESOURCE_WORDS: Readonly<Record<UseRow['resource'], string>> = {
  cpu: 'CPU',
  busiestThread: 'busiest thread',
  pool: 'pool',
  databaseLock: 'database lock',
  disk: 'disk',
  network: 'network',
  connections: 'connections',
  memory: 'memory',
};

/** The tone of each verdict. */
export const USE_TONES: Readonly<Record<UseRow['verdict'], Tone>> = {
  full: 'bad',
  busy: 'doubt',
  free: 'good',
  unknown: 'doubt',
};

type Resources = Pick<Analysis, 'useTable' | 'responseSplits' | 'steps'>;

/** The cells of the USE table, one row a resource; none without a table. */
export function useCells({ useTable }: Resources): readonly (readonly string[])[] {
  return (useTable?.rows ?? []).map(({ resource, utilization, saturation, errors, verdict, reason }) => [
    RESOURCE_WORDS[resource],
    utilization?.text ?? q.MISSING,
    saturation?.text ?? q.MISSING,
    errors?.text ?? q.MISSING,
    verdict,
    reason,
  ]);
}

/** One row as a line of a text: the verdict, the resource, its figures, why. */
export function useText(cells: readonly string[]): string {
  const [resource, utilization, saturation, errors, , reason] = cells;
  const figures = [utilization, saturation, errors].filter((text) => text !== q.MISSING).join('; ');
  return `${resource}: ${reason}${figures === '' ? '' : ` (${figures})`}`;
}

/** `Resources at 200 users`, the heading of the table. */
export function useHeading({ useTable, steps }: Resources): string {
  const row = steps.find(({ index }) => index === useTable?.stepIndex);
  return row === undefined ? 'Resources' : `Resources at ${loadText(loadOf(row), loadKind(steps))}`;
}

/** One line a step: the service's own median and p95 beside the client's. */
export function splitLines({ responseSplits = [], steps }: Resources): readonly string[] {
  return responseSplits.map((split) => {
    const row = steps.find(({ index }) => index === split.stepIndex);
    const at = loadText(row === undefined ? undefined : loadOf(row), loadKind(steps));
    const pair = (own: number | undefined, client: number | undefined): string =>
      `${own === undefined ? q.MISSING : q.duration(own)} of ${client === undefined ? q.MISSING : q.duration(client)}`;
    return `${at}: p50 ${pair(split.serviceP50Seconds, split.clientP50Seconds)} (${q.percent(split.insideRatio)}), p95 ${pair(split.serviceP95Seconds, split.clientP95Seconds)}`;
  });
}
