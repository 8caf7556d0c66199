import { test } from 'node:test';
import { saturationUsers } from '../../src/stats/queueing/bounds.ts';
import { mmm } from '../../src/stats/queueing/open-queues.ts';
import {
  interactiveResponseTime,
  serviceDemand,
  usersByLittle,
  utilization,
} from '../../src/stats/queueing/operational-laws.ts';
import { near } from '../support/truth.ts';

test('Menascé, Almeida & Dowdy, Performance by Design 3.2: 36 s busy in 60 s, 1800 requests', () => {
  const u = utilization(36, 60, 1);
  near(u, 0.6, 1e-12, 'U');
  near(serviceDemand(u, 1, 1800 / 60), 0.02, 1e-12, 'S');
});

test('twelve terminals, 1800 s, 1600 completions, Z = 12 s, busy 1080, 400 and 600 s', () => {
  const throughput = 1600 / 1800;
  const demands = [1080, 400, 600].map((b) => serviceDemand(utilization(b, 1800, 1), 1, throughput));
  for (const [k, expected] of [0.675, 0.25, 0.375].entries()) near(demands[k], expected, 1e-12, `D${k}`);
  near(interactiveResponseTime(12, throughput, 12), 1.5, 1e-12, 'R');
  near(usersByLittle(throughput, 1.5, 12), 12, 1e-12, 'N');
  near(saturationUsers(demands, 12), 19.703703703703702, 1e-12, 'N*');
});

test("Gunther's e-business test: R = N/X", () => {
  for (const [users, throughput, response] of [
    [1, 24, 0.041666666666666664],
    [4, 85, 0.047058823529411764],
    [20, 94, 0.2127659574468085],
  ] as const)
    near(interactiveResponseTime(users, throughput, 0), response, 1e-12, `R(${users})`);
});

test('Lazowska p. 113 and Jain 33, open: R = S/(1 − U) at every station', () => {
  for (const { arrivals, visits, services, responses } of [
    {
      arrivals: 0.3,
      visits: [121, 70, 50],
      services: [0.005, 0.03, 0.027],
      responses: [0.006108735491753207, 0.08108108108108107, 0.0453781512605042],
    },
    {
      arrivals: 3,
      visits: [16, 7, 8],
      services: [0.01, 0.02, 0.03],
      responses: [0.019230769230769232, 0.03448275862068965, 0.10714285714285711],
    },
  ])
    for (const [k, service] of services.entries())
      near(
        mmm(arrivals * visits[k]!, service, 1).responseTimeSeconds,
        responses[k]!,
        1e-9,
        `R at station ${k}`,
      );
});

test('Gross & Harris 4.2 (insurance office): three stations in a row, printed digits', () => {
  const arrivals = 0.5833333333333334;
  const stations = [
    { demand: 0.5, servers: 1, response: 0.7059 },
    { demand: 3.342, servers: 3, response: 4.6815 },
    { demand: 9.2228, servers: 7, response: 11.6274 },
  ];
  let total = 0;
  for (const { demand, servers, response } of stations) {
    const solved = mmm(arrivals, demand, servers).responseTimeSeconds;
    near(solved, response, 8e-5, 'R');
    total += solved;
  }
  near(total, 17.0148, 8e-5, 'R of the office');
});
