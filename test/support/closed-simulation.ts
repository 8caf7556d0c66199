import type { StepRow } from '../../src/model/analysis.ts';
import type { PlannedRequest } from '../../src/model/load.ts';
import type { SimulatedService, Visit } from '../../src/model/simulation.ts';
import { Histogram, percentileOf } from '../../src/stats/histogram.ts';
import { createRandom, durationSampler, weightedSampler } from '../../src/stats/random.ts';
import { stepRow } from './step-rows.ts';

interface Job {
  readonly request: PlannedRequest;
  readonly sentAt: number;
  readonly visits: readonly Visit[];
  next: number;
}

/** A closed loop of users with a think time of 1 to 3 s against first-come-first-served stations, by events. */
export function simulateClosed(
  service: SimulatedService,
  users: number,
  requests: readonly PlannedRequest[],
  seconds = 120,
  warmupSeconds = 10,
): StepRow {
  const random = createRandom(1);
  const pick = weightedSampler(requests.map(({ shareRatio }) => shareRatio));
  const think = durationSampler({ kind: 'uniform', meanSeconds: 2, minSeconds: 1, maxSeconds: 3 });
  const busyUntil = new Map(
    service.stations.map(({ name, serverCount }) => [
      name,
      Array.from({ length: serverCount ?? 0 }, () => 0),
    ]),
  );
  const times = new Map<string, Histogram>();
  // Arrivals at stations in order of time make first-come-first-served a matter of the earliest free server.
  const events = new Queue<Job | undefined>();
  for (let i = 0; i < users; i += 1) events.push(think(random), undefined);
  for (let event = events.pop(); event !== undefined && event.at < seconds; event = events.pop()) {
    const { at } = event;
    const job = event.item ?? start(at);
    const visit = job.visits[job.next];
    if (visit === undefined) {
      if (job.sentAt >= warmupSeconds) record(job.request.route, at - job.sentAt);
      events.push(at + think(random), undefined);
      continue;
    }
    job.next += 1;
    const servers = busyUntil.get(visit.station)!;
    const duration = durationSampler(visit.service)(random);
    if (servers.length === 0) {
      events.push(at + duration, job);
      continue;
    }
    const server = servers.indexOf(Math.min(...servers));
    servers[server] = Math.max(at, servers[server]!) + duration;
    events.push(servers[server], job);
  }
  return rowOf();

  function start(at: number): Job {
    const request = requests[pick(random)]!;
    return { request, sentAt: at, visits: service.visits[request.id]!, next: 0 };
  }

  function record(route: string, responseSeconds: number): void {
    const histogram = times.get(route) ?? new Histogram();
    histogram.record(responseSeconds);
    times.set(route, histogram);
  }

  function rowOf(): StepRow {
    const total = [...times.values()].reduce((sum, histogram) => sum + histogram.totalCount, 0);
    const byRoute = Object.fromEntries(
      [...times].map(([route, histogram]) => {
        const data = histogram.toData();
        return [route, { p50Seconds: percentileOf(data, 50)!, p95Seconds: percentileOf(data, 95)! }];
      }),
    );
    return stepRow({ users, throughputPerSecond: total / (seconds - warmupSeconds), byRoute });
  }
}

/** A binary heap by time. */
class Queue<T> {
  readonly #heap: { at: number; item: T }[] = [];

  push(at: number, item: T): void {
    const heap = this.#heap;
    heap.push({ at, item });
    for (let i = heap.length - 1; i > 0;) {
      const parent = (i - 1) >> 1;
      if (heap[parent]!.at <= heap[i]!.at) break;
      [heap[parent], heap[i]] = [heap[i]!, heap[parent]!];
      i = parent;
    }
  }

  pop(): { at: number; item: T } | undefined {
    const heap = this.#heap;
    const top = heap[0];
    const last = heap.pop();
    if (heap.length === 0 || last === undefined) return top;
    heap[0] = last;
    for (let i = 0; ;) {
      const left = 2 * i + 1;
      const right = left + 1;
      let least = i;
      if (left < heap.length && heap[left]!.at < heap[least]!.at) least = left;
      if (right < heap.length && heap[right]!.at < heap[least]!.at) least = right;
      if (least === i) return top;
      [heap[least], heap[i]] = [heap[i]!, heap[least]!];
      i = least;
    }
  }
}
