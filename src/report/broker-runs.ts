import type { BrokerRun, BrokerRunsDocument } from '../model/documents.ts';
import { counted } from './quantities.ts';

/** A line a run, its name on the broker first. */
export const brokerRunsText = (runs: readonly BrokerRun[]): string =>
  runs.length === 0 ? 'The broker keeps no run.' : runs.map(lineOf).join('\n');

export const brokerRunsJson = (runs: readonly BrokerRun[]): string =>
  `${JSON.stringify({ kind: 'broker-runs', schemaVersion: 1, runs } satisfies BrokerRunsDocument, null, 1)}\n`;

function lineOf({ runId, startedAt, label, url, agentCount, isConcluded }: BrokerRun): string {
  const end = isConcluded ? '' : ' (it goes on, or its coordinator is gone)';
  return `${runId}  ${startedAt}  ${label}: ${url}, ${counted(agentCount, 'agent')}${end}`;
}
