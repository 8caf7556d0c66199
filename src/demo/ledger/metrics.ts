import type { ReadCache } from './read-cache.ts';
import type { LockFigures } from './write-lock.ts';

/** What the ledger knows of itself. */
export interface LedgerFigures {
  readonly answerCount: number;
  readonly inFlightCount: number;
  readonly cache: Pick<ReadCache, 'hitCount' | 'missCount'>;
  readonly lock: LockFigures;
}

/** The page of metrics, Prometheus text format 0.0.4. */
export function metricsPage({ answerCount, inFlightCount, cache, lock }: LedgerFigures): string {
  const { user, system } = process.cpuUsage();
  return [
    metric('ledger_requests_total', 'counter', 'Requests answered.', answerCount),
    metric(
      'ledger_requests_in_flight',
      'gauge',
      'Requests not yet answered, this one included.',
      inFlightCount,
    ),
    metric('ledger_cache_hits_total', 'counter', 'Reads answered from the cache.', cache.hitCount),
    metric('ledger_cache_misses_total', 'counter', 'Reads the cache did not have.', cache.missCount),
    metric('ledger_queue_length', 'gauge', 'Requests that wait for the write lock.', lock.waitingCount),
    metric('ledger_lock_held_seconds_total', 'counter', 'Time the write lock was held.', lock.heldSeconds),
    metric('ledger_lock_wait_seconds_total', 'counter', 'Time requests waited for it.', lock.waitedSeconds),
    metric('process_cpu_seconds_total', 'counter', 'User and system CPU time.', (user + system) / 1e6),
    metric('process_resident_memory_bytes', 'gauge', 'Resident set size.', process.memoryUsage.rss()),
    '',
  ].join('\n');
}

const metric = (name: string, type: string, help: string, value: number): string =>
  `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${name} ${value}`;
