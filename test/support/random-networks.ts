import type { Random } from '../../src/stats/random.ts';
import { drawExponential } from '../../src/stats/random.ts';

/** A closed network with its exact throughput at 1 … reach·N* users, 2·N* where not said otherwise. */
export interface RandomNetwork {
  /** N* = (D + Z)·m/Dmax. */
  readonly kneeUsers: number;
  /** Z/(D + Z). */
  readonly thinkRatio: number;
  readonly throughputs: readonly number[];
}

const FEWEST_USERS = 8;
const MOST_USERS = 60;

/** Networks of one to six stations with exponentially drawn demands, one to eight servers each, think time 0, 2·D or 10·D. */
export const drawNetworks = (random: Random, count: number, reach?: number): RandomNetwork[] =>
  collect(count, reach, () => {
    const stations = whole(random, 1, 6);
    const demands = Array.from({ length: stations }, () => drawExponential(random, 1));
    return { demands, servers: whole(random, 1, 8), thinkShare: oneOf(random, [0, 2, 10]) };
  });

/** Networks of four to sixteen stations that are all equally busy or nearly so, think time 0, 0.3·D or 2·D. */
export const drawBalancedNetworks = (random: Random, count: number, reach?: number): RandomNetwork[] =>
  collect(count, reach, () => {
    const spread = oneOf(random, [0, 0.2]);
    const stations = whole(random, 4, 16);
    const demands = Array.from({ length: stations }, () => 1 - spread * random.next());
    return { demands, servers: oneOf(random, [1, 1, 2, 4]), thinkShare: oneOf(random, [0, 0, 0.3, 2]) };
  });

/** One pool of eight to thirty-two slots behind think time 0, 0.5·D or 2·D: the hardest corner there is. */
export const drawPools = (random: Random, count: number, reach?: number): RandomNetwork[] =>
  collect(count, reach, () => ({
    demands: [1],
    servers: whole(random, 8, 32),
    thinkShare: oneOf(random, [0, 0.5, 2]),
  }));

interface Description {
  readonly demands: readonly number[];
  /** Servers of each station. */
  readonly servers: number;
  /** Z/D. */
  readonly thinkShare: number;
}

function collect(count: number, reach: number | undefined, describe: () => Description): RandomNetwork[] {
  const networks: RandomNetwork[] = [];
  while (networks.length < count) {
    const network = describe();
    const { demands, servers, thinkShare } = network;
    const total = demands.reduce((sum, demand) => sum + demand, 0);
    const kneeUsers = ((1 + thinkShare) * total * servers) / Math.max(...demands);
    if (kneeUsers < FEWEST_USERS || kneeUsers > MOST_USERS) continue;
    const throughputs = throughputsOf(network, thinkShare * total, Math.ceil((reach ?? 2) * kneeUsers));
    networks.push({ kneeUsers, thinkRatio: thinkShare / (1 + thinkShare), throughputs });
  }
  return networks;
}

/**
 * X(1 … N) by Buzen's convolution in ordinary numbers, the demands scaled to a largest of one server: exact while
 * nothing overflows (at most 60 users at the knee), and much faster than in logarithms.
 */
function throughputsOf({ demands, servers }: Description, thinkTime: number, users: number): number[] {
  const scale = Math.max(...demands) / servers;
  const stations = demands.map((demand) => ({ demand, servers }));
  const constants = [...stations, { demand: thinkTime, servers: Infinity }].reduce(
    (total, { demand, servers: m }) => {
      const weights = [1];
      for (let n = 1; n <= users; n += 1) weights.push((weights[n - 1]! * demand) / scale / Math.min(n, m));
      return total.map((_, n) =>
        total.slice(0, n + 1).reduce((sum, value, k) => sum + value * weights[n - k]!, 0),
      );
    },
    Array.from({ length: users + 1 }, (_, n): number => (n === 0 ? 1 : 0)),
  );
  return Array.from({ length: users }, (_, n) => constants[n]! / constants[n + 1]! / scale);
}

const whole = (random: Random, least: number, most: number): number =>
  least + Math.floor(random.next() * (most - least + 1));

const oneOf = <Value>(random: Random, values: readonly Value[]): Value =>
  values[Math.floor(random.next() * values.length)]!;
