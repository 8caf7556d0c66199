/** A closed class of requests: its users, their think time and the demand at each station. */
export interface ClosedClass {
  readonly users: number;
  readonly thinkTimeSeconds: number;
  /** One demand a station, seconds; 0 where the class does not go. */
  readonly demandSeconds: readonly number[];
}

/** A single server with a queue, or a delay without one. */
export type StationKind = 'queue' | 'delay';

/** One class of a closed network. Residence times and queue lengths stand in the order of the stations. */
export interface ClassSolution {
  readonly throughputPerSecond: number;
  readonly responseTimeSeconds: number;
  readonly residenceTimeSeconds: readonly number[];
  readonly meanAtStation: readonly number[];
}

/** Populations beyond this many combinations are refused by the exact method. */
const MAX_POPULATIONS = 2_000_000;

/**
 * Exact mean value analysis of several classes (Reiser & Lavenberg 1980):
 * R_ck = D_ck(1 + Σⱼ Q_jk(n − 1_c)), over every population up to N. Throws a RangeError beyond two million
 * populations; use `approximateMultiClass` there.
 */
export function exactMultiClass(
  classes: readonly ClosedClass[],
  stations: readonly StationKind[],
): ClassSolution[] {
  const sizes = classes.map((c) => c.users + 1);
  const count = sizes.reduce((product, size) => product * size, 1);
  if (count > MAX_POPULATIONS) throw new RangeError(`${count} populations are too many for the exact method`);
  const strides = sizes.map((_, c) => sizes.slice(0, c).reduce((product, size) => product * size, 1));
  const queueAt = new Float64Array(count * stations.length);
  let solutions: ClassSolution[] = [];
  for (let population = 0; population < count; population += 1) {
    solutions = classes.map((cls, c) => {
      const users = Math.floor(population / strides[c]!) % sizes[c]!;
      const before = (population - strides[c]!) * stations.length;
      return solveClass(cls, users, stations, (k) => queueAt[before + k]!);
    });
    for (let k = 0; k < stations.length; k += 1) {
      queueAt[population * stations.length + k] = solutions.reduce((sum, s) => sum + s.meanAtStation[k]!, 0);
    }
  }
  return solutions;
}

/**
 * Bard–Schweitzer: exact analysis with the queue one user sees set to
 * Σ_{j≠c} Q_jk + Q_ck(N_c − 1)/N_c, iterated until no queue moves by more than 1e-12 of its size
 * (Schweitzer 1979). Any population; X up to 5 % low and R up to 10 % high on published networks.
 */
export function approximateMultiClass(
  classes: readonly ClosedClass[],
  stations: readonly StationKind[],
): ClassSolution[] {
  let queues = classes.map((c) => stations.map(() => c.users / stations.length));
  for (let round = 0; round < 100_000; round += 1) {
    const solutions = classes.map((cls, c) => {
      const seen = (k: number): number =>
        queues.reduce((sum, q, j) => sum + (j === c ? (q[k]! * (cls.users - 1)) / cls.users : q[k]!), 0);
      return solveClass(cls, cls.users, stations, seen);
    });
    const next = solutions.map((s) => [...s.meanAtStation]);
    const settled = next.every((row, c) =>
      row.every((q, k) => Math.abs(q - queues[c]![k]!) <= 1e-12 * Math.max(q, 1e-12)),
    );
    if (settled) return solutions;
    queues = next;
  }
  throw new RangeError('Bard–Schweitzer did not settle in 100 000 rounds');
}

function solveClass(
  { thinkTimeSeconds, demandSeconds }: ClosedClass,
  users: number,
  stations: readonly StationKind[],
  queueSeen: (station: number) => number,
): ClassSolution {
  if (users === 0) {
    const none = stations.map(() => 0);
    return {
      throughputPerSecond: 0,
      responseTimeSeconds: 0,
      residenceTimeSeconds: none,
      meanAtStation: none,
    };
  }
  const residence = stations.map((kind, k) =>
    kind === 'delay' || demandSeconds[k] === 0 ? demandSeconds[k]! : demandSeconds[k]! * (1 + queueSeen(k)),
  );
  const responseTimeSeconds = residence.reduce((sum, r) => sum + r, 0);
  const throughputPerSecond = users / (thinkTimeSeconds + responseTimeSeconds);
  const meanAtStation = residence.map((r) => throughputPerSecond * r);
  return { throughputPerSecond, responseTimeSeconds, residenceTimeSeconds: residence, meanAtStation };
}
