import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import hdr from 'hdr-histogram-js';
import { saturationUsers } from '../../src/stats/queueing/bounds.ts';
import { mixedMultiClass } from '../../src/stats/queueing/mixed-network.ts';
import { mmm } from '../../src/stats/queueing/open-queues.ts';
import {
  interactiveResponseTime,
  serviceDemand,
  utilization,
} from '../../src/stats/queueing/operational-laws.ts';
import {
  binsOf,
  Histogram,
  mergeHistograms,
  percentileOf,
  percentileRank,
} from '../../src/stats/histogram.ts';
import { sampleQuantile } from '../../src/stats/order-statistics.ts';
import { outliersIn } from '../../src/stats/outliers.ts';
import { rankSumTest } from '../../src/stats/rank-test.ts';
import { shared, skipWithout } from '../support/paths.ts';
import { near } from '../support/truth.ts';

/* Published figures that no other test holds; they lie beside the clone, and key figures of the same kind in the other tests. */

const file = (name: string) => shared('truth', name);
const read = (name: string): unknown => JSON.parse(readFileSync(file(name)!, 'utf8'));
const skip = (name: string) => ({ skip: skipWithout(file(name)) });

test('quantiles by nearest rank are type 1 of R, in every case', skip('quantiles.json'), () => {
  const { cases, published } = read('quantiles.json') as {
    cases: { id: string; x: number[]; p: number[]; types: { type1: number[] } }[];
    published: { x: number[]; nearest_rank?: Record<string, number> }[];
  };
  for (const { id, x, p, types } of cases)
    for (const [i, share] of p.entries())
      if (share > 0) near(sampleQuantile(x, share), types.type1[i]!, 1e-12, `${id} at ${share}`);
  for (const { x, nearest_rank: ranks = {} } of published)
    for (const [percent, value] of Object.entries(ranks))
      assert.equal(sampleQuantile(x, Number(percent) / 100), value);
});

test(
  'values further than ten robust deviations are outliers, where the reference says so',
  skip('outliers.json'),
  () => {
    const { cases } = read('outliers.json') as { cases: { x: number[]; n: number }[] };
    for (const { x, n } of cases) assert.equal(outliersIn(x).length, n, x.join(', '));
  },
);

interface Comparisons {
  mann_whitney: { cases: { id: string; x: number[]; y: number[]; cliffs_delta: number; A12: number }[] };
  benchstat: { compare: { x: number[]; y: number[]; p: number }[]; min_n: Record<string, number> };
}

test('p of benchstat, its least sample sizes, and effect sizes from U', skip('comparison_tests.json'), () => {
  const { mann_whitney: ranks, benchstat } = read('comparison_tests.json') as Comparisons;
  for (const { x, y, p } of benchstat.compare)
    near(rankSumTest(x, y).pValue, p, 1e-12, `${x.join()} and ${y.join()}`);
  for (const [level, least] of Object.entries(benchstat.min_n)) {
    const apart = (n: number): number =>
      rankSumTest(
        Array.from({ length: n }, (_, i) => i),
        Array.from({ length: n }, (_, i) => n + i),
      ).pValue;
    assert.ok(apart(least) <= Number(level) && apart(least - 1) > Number(level), level);
  }
  for (const { id, x, y, cliffs_delta: delta, A12 } of ranks.cases) {
    const share = rankSumTest(x, y).statistic / (x.length * y.length);
    near(share, A12, 1e-9, `A12 of ${id}`);
    near(2 * share - 1, delta, 1e-9, `Cliff's delta of ${id}`);
  }
});

interface HdrTruth {
  java: {
    p_examples: Record<string, Record<string, number>>;
    equivalent: { v: number; lowest: number; highest: number }[];
  };
  percentile_merging: {
    data: Record<
      string,
      { intervals: number; total: number; merged: Record<string, number>; mean_of_interval: { p99: number } }
    >;
  };
}

test(
  'bins share the values that HdrHistogram shares at three digits, and ranks are its own',
  skip('hdr_histogram.json'),
  () => {
    const { java } = read('hdr_histogram.json') as HdrTruth;
    let compared = 0;
    for (const { v, lowest, highest } of java.equivalent) {
      if (highest >= 2 ** 32) continue;
      const histogram = new Histogram();
      histogram.record(v / 1e6);
      const [bin] = [...binsOf(histogram.toData())];
      near(bin!.lowSeconds, lowest / 1e6, 1e-12, `lowest of ${v}`);
      near(bin!.highSeconds, highest / 1e6, 1e-12, `highest of ${v}`);
      compared += 1;
    }
    assert.ok(compared >= 8);
    for (const [values, percentiles] of Object.entries(java.p_examples)) {
      const sorted = values.split(',').map(Number);
      for (const [percentile, value] of Object.entries(percentiles))
        assert.equal(
          sorted[percentileRank(Number(percentile), sorted.length) - 1],
          value,
          `${percentile} of ${values}`,
        );
    }
  },
);

const LOG = 'jHiccup-2.0.7S.logV2.hlog';
test(
  '62 seconds of a public log: the merged p99 is 1427 ms, where their mean is 70 ms',
  skip('hdr_histogram.json'),
  () => {
    const { percentile_merging: merging } = read('hdr_histogram.json') as HdrTruth;
    const { intervals, total, merged, mean_of_interval: means } = merging.data[LOG]!;
    const reader = new hdr.HistogramLogReader(readFileSync(shared('truth', 'hdr', LOG)!, 'utf8'));
    const parts = [];
    for (let part = reader.nextIntervalHistogram(); part !== null; part = reader.nextIntervalHistogram()) {
      const histogram = new Histogram();
      const lowest = lowestOf(part);
      // A unit of the log (a nanosecond) as our microsecond; the reference merged the lowest values of the log's wide bins.
      for (const { countAddedInThisIterationStep, valueIteratedTo } of recordedValues(part))
        for (let i = 0; i < countAddedInThisIterationStep; i += 1)
          histogram.record(lowest(valueIteratedTo) / 1e6);
      parts.push(histogram.toData());
    }
    assert.equal(parts.length, intervals);
    const all = mergeHistograms(parts);
    assert.equal(all.totalCount, total);
    for (const [name, value] of Object.entries(merged)) {
      const percentile = name === 'p999' ? 99.9 : Number(name.slice(1));
      near(percentileOf(all, percentile)! * 1e6, value, 2 ** -10, name);
    }
    const mean = parts.reduce((sum, part) => sum + percentileOf(part, 99)! * 1e6, 0) / parts.length;
    // Bins of two digits are up to 1.6 % wide.
    near(mean, means.p99, 0.016, 'mean of the p99 of seconds');
  },
);

function lowestOf(histogram: unknown): (value: number) => number {
  const { lowestEquivalentValue } = histogram as { lowestEquivalentValue: (value: number) => number };
  return (value) => lowestEquivalentValue.call(histogram, value);
}

interface Iteration {
  readonly countAddedInThisIterationStep: number;
  readonly valueIteratedTo: number;
}

/** Values and counts of a histogram of the reference; its types leave the iterator out. */
function* recordedValues(histogram: unknown): Generator<Iteration> {
  const { recordedValuesIterator: iterator } = histogram as {
    recordedValuesIterator: { reset(): void; hasNext(): boolean; next(): Iteration };
  };
  iterator.reset();
  while (iterator.hasNext()) yield iterator.next();
}

interface Example<Given, Expected> {
  readonly given: Given;
  readonly expect: Expected;
}
interface Servers {
  readonly S: number;
  readonly servers: number;
}
interface WorkedExamples {
  readonly pdq_server_data: Example<
    { busy_min: number[]; T_min: number },
    Record<'B' | 'S' | 'X' | 'U' | 'R_mm1' | 'Q_mm1' | 'W_mm1', number>
  >;
  readonly pdq_service_demand: Example<Record<'B' | 'C' | 'visits', number>, { D: number }>;
  readonly observed_system_12_terminals: Example<
    Record<'N' | 'Z_s' | 'T_s' | 'completions' | 'B_cpu' | 'B_fast' | 'B_slow', number>,
    Record<'R' | 'Nstar' | 'Xmax', number>
  >;
  readonly little_five_jobs: Example<Record<'N' | 'R_s', number>, { X: number }>;
  readonly lazowska_p138_open_multiclass: Example<
    { lam: number[]; V: number[][]; S: number[][] },
    Record<'X11' | 'U11' | 'R11' | 'Q11', number>
  >;
  readonly pdq_bookstore_network: Example<
    { lam: number; browsing: Servers; checkout: Servers },
    { N: number; R: number; checkout: Record<'U' | 'Q' | 'Wq' | 'R', number> }
  >;
}

test('the other worked examples of the operational laws', skip('operational_laws.json'), () => {
  const examples = Object.fromEntries(
    (read('operational_laws.json') as { id: string }[]).map((one) => [one.id, one]),
  ) as unknown as WorkedExamples;
  const server = examples.pdq_server_data;
  const busy = server.given.busy_min.reduce((sum, one) => sum + one, 0);
  const u = utilization(busy, server.given.T_min, 1);
  const x = server.given.busy_min.length / server.given.T_min;
  near(u, server.expect.U, 1e-4, 'U');
  near(serviceDemand(u, 1, x), server.expect.S, 2e-3, 'S');
  const queue = mmm(x, serviceDemand(u, 1, x), 1);
  near(queue.responseTimeSeconds, server.expect.R_mm1, 1e-3, 'R of M/M/1');
  near(queue.meanInSystem, server.expect.Q_mm1, 2e-3, 'Q of M/M/1');
  near(queue.waitingTimeSeconds, server.expect.W_mm1, 1e-3, 'W of M/M/1');
  const demand = examples.pdq_service_demand;
  near((demand.given.B / demand.given.C) * demand.given.visits, demand.expect.D, 1e-4, 'D');
  const terminals = examples.observed_system_12_terminals;
  const { given } = terminals;
  const demands = [given.B_cpu, given.B_fast, given.B_slow].map((b) => b / given.completions);
  near(
    interactiveResponseTime(given.N, given.completions / given.T_s, given.Z_s),
    terminals.expect.R,
    1e-9,
    'R',
  );
  near(saturationUsers(demands, given.Z_s), terminals.expect.Nstar, 1e-9, 'N*');
  near(1 / Math.max(...demands), terminals.expect.Xmax, 1e-9, 'Xmax');
  const jobs = examples.little_five_jobs;
  near(jobs.given.N / jobs.given.R_s, jobs.expect.X, 1e-9, 'X');
  const open = examples.lazowska_p138_open_multiclass;
  const classes = open.given.lam.map((arrivalRatePerSecond, c) => ({
    arrivalRatePerSecond,
    demandSeconds: open.given.V[c]!.map((visits, k) => visits * open.given.S[c]![k]!),
  }));
  const [first] = mixedMultiClass(classes, [], ['queue', 'queue']).open;
  const visits = open.given.V[0]![0]!;
  near(classes[0]!.arrivalRatePerSecond * visits, open.expect.X11, 2e-3, 'X of class 1 at station 1');
  near(classes[0]!.arrivalRatePerSecond * classes[0]!.demandSeconds[0]!, open.expect.U11, 2e-3, 'U');
  near(first!.residenceTimeSeconds[0]! / visits, open.expect.R11, 5e-3, 'R a visit');
  near(first!.meanAtStation[0], open.expect.Q11, 5e-3, 'Q');
  const { given: shop, expect: told } = examples.pdq_bookstore_network;
  const checkout = mmm(shop.lam, shop.checkout.S, shop.checkout.servers);
  near(checkout.utilizationRatio, told.checkout.U, 1e-6, 'U of the checkout');
  near(checkout.meanInSystem, told.checkout.Q, 1e-4, 'Q of the checkout');
  near(checkout.responseTimeSeconds, told.checkout.R, 1e-4, 'R of the checkout');
  const browsing = mmm(shop.lam, shop.browsing.S, shop.browsing.servers);
  near(browsing.responseTimeSeconds + checkout.responseTimeSeconds, told.R, 1e-4, 'R of the shop');
  near(browsing.meanInSystem + checkout.meanInSystem, told.N, 1e-4, 'N of the shop');
});
