import assert from 'node:assert/strict';
import { test } from 'node:test';
import { near } from '../../../test/support/truth.ts';
import { finiteSource, meanValueAnalysis } from './closed-network.ts';
import { solveFcfsNetwork } from './fcfs-network.ts';
import type { FcfsDemand } from './fcfs-network.ts';
import { mg1 } from './open-queues.ts';

const exponential = (serviceTimeSeconds: number): FcfsDemand => ({ serviceTimeSeconds, squaredVariation: 1 });
const constant = (serviceTimeSeconds: number): FcfsDemand => ({ serviceTimeSeconds, squaredVariation: 0 });

test('exponential service at single servers is exact mean value analysis, at every population', () => {
  const demands = [0.2, 0.05, 0.11];
  const expected = meanValueAnalysis(
    demands.map((demandSeconds) => ({ demandSeconds, serverCount: 1 })),
    1.5,
    40,
  );
  const actual = solveFcfsNetwork(
    demands.map((s) => ({ serverCount: 1, demands: [exponential(s)] })),
    [1],
    1.5,
    40,
  );
  actual.forEach(({ users, throughputPerSecond, responseTimeSeconds }, i) => {
    near(throughputPerSecond, expected[i]!.throughputPerSecond, 1e-10, `X at ${users}`);
    near(responseTimeSeconds, expected[i]!.responseTimeSeconds, 1e-9, `R at ${users}`);
  });
});

test('exponential service at one station of several servers is the exact finite source', () => {
  for (const [service, servers, think] of [
    [4, 8, 10],
    [0.1, 2, 0.5],
    [0.02, 4, 2],
  ] as const) {
    const solutions = solveFcfsNetwork(
      [{ serverCount: servers, demands: [exponential(service)] }],
      [1],
      think,
      80,
    );
    for (const users of [1, 4, 9, 30, 80]) {
      const exact = finiteSource(service, servers, think, users);
      const { throughputPerSecond, responseTimeSeconds } = solutions[users - 1]!;
      near(throughputPerSecond, exact.throughputPerSecond, 1e-8, `X at ${users}, m = ${servers}`);
      near(responseTimeSeconds, exact.responseTimeSeconds, 1e-7, `R at ${users}, m = ${servers}`);
    }
  }
});

test('with many users who think long, a lane waits as Pollaczek–Khinchine says', () => {
  // 21.61/s in all, 1 ms and 120 ms: the fast route waits 16.4 ms behind 8 % slow requests.
  const arrivals = [19.86, 1.75] as const;
  const total = arrivals[0] + arrivals[1];
  const expected = mg1([
    { arrivalRatePerSecond: arrivals[0], serviceTimeSeconds: 0.001, squaredVariation: 0 },
    { arrivalRatePerSecond: arrivals[1], serviceTimeSeconds: 0.12, squaredVariation: 0 },
  ]);
  const users = 4000;
  const [fast, slow] = solveFcfsNetwork(
    [{ serverCount: 1, demands: [constant(0.001), constant(0.12)] }],
    arrivals.map((rate) => rate / total),
    users / total,
    users,
  ).at(-1)!.responseTimeByClassSeconds;
  near(fast, 0.017373555457449296, 0.003, 'fast route, published');
  near(slow, expected[1]!.responseTimeSeconds, 0.003, 'slow route');
});

test('a class that does not visit a station neither waits there nor counts as a visit', () => {
  const [first] = solveFcfsNetwork(
    [
      { serverCount: 1, demands: [constant(0.01), constant(0.01)] },
      { serverCount: 2, demands: [constant(0), constant(0.5)] },
    ],
    [0.9, 0.1],
    0,
    1,
  );
  near(first!.responseTimeByClassSeconds[0], 0.01, 1e-12, 'the class that stays away');
  near(first!.responseTimeByClassSeconds[1], 0.51, 1e-12, 'the class that goes');
  near(first!.throughputPerSecond, 1 / 0.06, 1e-12, 'X = 1/D at one user without think time');
});

test('throughput never exceeds the limit of the busiest station', () => {
  const solutions = solveFcfsNetwork([{ serverCount: 1, demands: [constant(0.1)] }], [1], 1, 200);
  assert.ok(solutions.every(({ throughputPerSecond }) => throughputPerSecond <= 10));
  near(solutions.at(-1)!.responseTimeSeconds, 200 * 0.1 - 1, 1e-9, 'R = N·D − Z at saturation');
});
