import type { CounterReading, CounterSource } from './counter-source.ts';
import { parseJsonStats } from './json-stats.ts';
import { parsePrometheusText } from './prometheus.ts';
import { readServiceTimes, serviceTimesOf, type ServiceTimes } from './service-times.ts';
import { plainName, readWellKnown, type PageFigure } from './well-known-names.ts';

/** Fetches the text of a page, on a connection that is not the load's; rejects when it does not come in time. */
export type FetchPage = () => Promise<string>;

export interface EndpointOptions {
  /** The page's own path: requests for it are not the load's. */
  readonly path: string;
  readonly everySeconds?: number;
  readonly nowSeconds?: () => number;
}

interface Page {
  readonly source: 'prometheus' | 'stats';
  readonly figures: readonly PageFigure[];
  readonly times: ServiceTimes | undefined;
}

/**
 * What the service says of itself, on a page in the Prometheus text format or in JSON, read once a second beside the
 * load; docs/counters.md lists the names it knows. A reading answers once from the last page that came, with its age; a
 * page that does not come, or cannot be read, is counted in `scrapeFailureCount` and leaves a gap.
 *
 * The first page is awaited: rejects with `metrics-unreadable` when it cannot be read, or with what `fetchPage` does.
 */
export async function openEndpointSource(
  fetchPage: FetchPage,
  { path, everySeconds = 1, nowSeconds = () => performance.now() / 1000 }: EndpointOptions,
): Promise<CounterSource> {
  const first = parsePage(await fetchPage(), path);
  const { source } = first;
  let times = first.times;
  let latest: { readonly atSeconds: number; readonly readings: readonly CounterReading[] } | undefined = {
    atSeconds: nowSeconds(),
    readings: readingsOf(first, undefined),
  };
  let failureCount = 0;
  let isFetching = false;
  const poll = async (): Promise<void> => {
    if (isFetching) return;
    isFetching = true;
    try {
      const page = parsePage(await fetchPage(), path);
      latest = { atSeconds: nowSeconds(), readings: readingsOf(page, times) };
      times = page.times;
    } catch {
      failureCount += 1;
    } finally {
      isFetching = false;
    }
  };
  const timer = setInterval(() => void poll(), everySeconds * 1000);
  timer.unref();
  return {
    name: source,
    gone: false,
    read() {
      const page = latest;
      latest = undefined;
      const ageSeconds = page === undefined ? 0 : Math.max(0, nowSeconds() - page.atSeconds);
      return [
        ...(page?.readings ?? []).map((reading) => ({ ...reading, ageSeconds })),
        { source, quantity: 'scrapeFailureCount', unit: 'count', kind: 'cumulative', value: failureCount },
      ];
    },
    close: () => clearInterval(timer),
  };
}

const readingsOf = ({ source, figures, times }: Page, before: ServiceTimes | undefined) => [
  ...readWellKnown(source, figures),
  ...(times === undefined ? [] : readServiceTimes(source, before, times)),
];

function parsePage(text: string, path: string): Page {
  if (text.trimStart().startsWith('{')) {
    const { figures, serviceTimes } = parseJsonStats(text);
    return { source: 'stats', figures, times: serviceTimes };
  }
  const page = parsePrometheusText(text);
  const figures = page.samples
    .filter(({ value }) => Number.isFinite(value))
    .map(({ name, value }) => ({ name: plainName(name), printed: name, value }));
  return { source: 'prometheus', figures, times: serviceTimesOf(page, path) };
}
