import type { CounterReading } from './counter-source.ts';

/** What a name of a metrics or statistics page stands for. */
export interface WellKnown extends Pick<CounterReading, 'quantity' | 'unit' | 'kind'> {
  /** Of its ends, with `_` between words: whatever stands in front is the service's own name. */
  readonly ends: readonly string[];
  /** Another figure of the page that says what 100 % is. */
  readonly capacityEnds?: readonly string[];
  readonly capacity?: number;
}

const counted = (quantity: string, ends: readonly string[]): WellKnown => ({
  quantity,
  unit: 'count',
  kind: 'cumulative',
  ends,
});
const seconds = (quantity: string, ends: readonly string[]): WellKnown => ({
  quantity,
  unit: 'seconds',
  kind: 'cumulative',
  ends,
});
const now = (quantity: string, ends: readonly string[], capacityEnds?: readonly string[]): WellKnown => ({
  quantity,
  unit: 'count',
  kind: 'gauge',
  ends,
  ...(capacityEnds !== undefined && { capacityEnds }),
});
const bytes = (quantity: string, ends: readonly string[]): WellKnown => ({
  quantity,
  unit: 'bytes',
  kind: 'gauge',
  ends,
});

/**
 * The quantities that are known by name, of the usual client libraries and pool implementations (Prometheus'
 * process collector, prom-client, Go, Micrometer with HikariCP). Docs/counters.md lists them for the reader.
 */
export const WELL_KNOWN: readonly WellKnown[] = [
  now('requestsInFlight', ['requests_in_flight', 'in_flight', 'active_requests', 'inprogress_requests']),
  now(
    'poolInUse',
    ['pool_in_use', 'pool_active', 'pool_busy', 'hikaricp_connections_active', 'sql_in_use_connections'],
    ['pool_size', 'pool_max', 'pool_capacity', 'hikaricp_connections_max', 'sql_max_open_connections'],
  ),
  now('poolWaiting', ['pool_waiting', 'pool_pending', 'pool_queue', 'hikaricp_connections_pending']),
  now('queueLength', ['queue_length', 'queue_depth', 'queue_size', 'queued']),
  seconds('lockWaitSeconds', ['lock_wait_seconds', 'lock_wait_s']),
  { ...seconds('lockHeldSeconds', ['lock_held_seconds', 'lock_held_s']), capacity: 1 },
  counted('cacheHitCount', ['cache_hits', 'cache_hit']),
  counted('cacheMissCount', ['cache_misses', 'cache_miss']),
  seconds('cpuSeconds', ['process_cpu_seconds', 'process_cpu_s', 'cpu_seconds']),
  bytes('rssBytes', ['process_resident_memory_bytes', 'rss_bytes']),
  bytes('heapBytes', ['nodejs_heap_size_used_bytes', 'go_memstats_heap_inuse_bytes', 'heap_used_bytes']),
  now('descriptorCount', ['process_open_fds', 'open_fds'], ['process_max_fds', 'max_fds']),
  seconds('collectorPauseSeconds', [
    'gc_pause_seconds_sum',
    'gc_duration_seconds_sum',
    'gc_collection_seconds_sum',
  ]),
  {
    quantity: 'eventLoopDelaySeconds',
    unit: 'seconds',
    kind: 'gauge',
    ends: ['eventloop_lag_p99_seconds', 'event_loop_delay_seconds'],
  },
];

/** A name in lower case with `_` between its words, the `total` of a counter taken off. */
export function plainName(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '_')
    .replace(/_total$/, '');
}

/** Whether a plain name ends in one of the ends, at the beginning of a word. */
export const endsIn = (name: string, ends: readonly string[]): boolean =>
  ends.some((end) => name === end || name.endsWith(`_${end}`));

/** A figure of a page under its plain name; labels are no part of it. */
export interface PageFigure {
  readonly name: string;
  /** As printed, for the reader. */
  readonly printed: string;
  readonly value: number;
}

/**
 * The readings of a page's figures: of each well-known quantity the sum over the figures of the first name that
 * stands for it, so that a counter by route adds up and one that is told twice does not count twice.
 */
export function readWellKnown(source: string, figures: readonly PageFigure[]): readonly CounterReading[] {
  return WELL_KNOWN.flatMap(({ quantity, unit, kind, ends, capacityEnds, capacity }): CounterReading[] => {
    const found = sumOf(figures, ends);
    if (found === undefined) return [];
    const limit = capacity ?? (capacityEnds && sumOf(figures, capacityEnds)?.value);
    return [
      {
        source,
        quantity,
        unit,
        kind,
        value: found.value,
        label: found.printed,
        ...(limit !== undefined && limit > 0 && { capacity: limit }),
      },
    ];
  });
}

function sumOf(figures: readonly PageFigure[], ends: readonly string[]): PageFigure | undefined {
  for (const end of ends) {
    const first = figures.find(({ name }) => endsIn(name, [end]));
    if (first === undefined) continue;
    const same = figures.filter(({ name }) => name === first.name);
    return { ...first, value: same.reduce((sum, { value }) => sum + value, 0) };
  }
  return undefined;
}
