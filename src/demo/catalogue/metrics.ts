/** What the service counts of itself, and its page of metrics. */
export interface ServiceMetrics {
  inFlightCount: number;
  cacheHitCount: number;
  cacheMissCount: number;
  countAnswer(route: string, status: number): void;
  /** Prometheus text format 0.0.4. */
  page(): string;
}

export function createServiceMetrics(): ServiceMetrics {
  const answers = new Map<string, number>();
  return {
    inFlightCount: 0,
    cacheHitCount: 0,
    cacheMissCount: 0,
    countAnswer(route, status) {
      const labels = `{route="${route}",status="${status}"}`;
      answers.set(labels, (answers.get(labels) ?? 0) + 1);
    },
    page() {
      const { user, system } = process.cpuUsage();
      const requests = [...answers].map(([labels, count]) => `catalogue_requests_total${labels} ${count}`);
      return [
        ...describe('catalogue_requests_total', 'counter', 'Requests answered, by route and status.'),
        ...requests,
        ...describe('catalogue_cache_hits_total', 'counter', 'Searches answered from the result cache.'),
        `catalogue_cache_hits_total ${this.cacheHitCount}`,
        ...describe('catalogue_cache_misses_total', 'counter', 'Searches the result cache did not have.'),
        `catalogue_cache_misses_total ${this.cacheMissCount}`,
        ...describe('catalogue_requests_in_flight', 'gauge', 'Requests not yet answered, this one included.'),
        `catalogue_requests_in_flight ${this.inFlightCount}`,
        ...describe('process_cpu_seconds_total', 'counter', 'User and system CPU time.'),
        `process_cpu_seconds_total ${(user + system) / 1e6}`,
        ...describe('process_resident_memory_bytes', 'gauge', 'Resident set size.'),
        `process_resident_memory_bytes ${process.memoryUsage.rss()}`,
        '',
      ].join('\n');
    },
  };
}

const describe = (name: string, type: string, help: string): readonly string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
];
