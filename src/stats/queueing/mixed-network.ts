import { exactMultiClass } from './multi-class.ts';
import type { ClassSolution, ClosedClass, StationKind } from './multi-class.ts';

/** A class of requests that arrive from outside at a rate of their own. */
export interface OpenClass {
  readonly arrivalRatePerSecond: number;
  /** One demand a station, seconds; 0 where the class does not go. */
  readonly demandSeconds: readonly number[];
}

/** The classes in their order; residence times and populations stand in the order of the stations. */
export interface MixedSolution {
  readonly open: readonly ClassSolution[];
  readonly closed: readonly ClassSolution[];
}

/**
 * Open and closed classes together, exact for product-form networks of single servers and delays. Open classes take
 * ρₖ = Σ λ·Dₖ of a queue off the closed ones, which see demands of D/(1 − ρₖ); an open class then has
 * R_ck = D_ck(1 + Q_k,closed)/(1 − ρₖ) there, D at a delay (Zahorjan & Wong 1981; Lazowska et al. 1984, 7.4). Without
 * closed classes it is the open network, R = D/(1 − ρ). Infinite for the open classes at a queue with ρ ≥ 1; throws a
 * RangeError there when closed classes visit it, and what `exactMultiClass` throws.
 */
export function mixedMultiClass(
  openClasses: readonly OpenClass[],
  closedClasses: readonly ClosedClass[],
  stations: readonly StationKind[],
): MixedSolution {
  const taken = stations.map((kind, k) =>
    kind === 'delay'
      ? 0
      : openClasses.reduce((sum, one) => sum + one.arrivalRatePerSecond * one.demandSeconds[k]!, 0),
  );
  const closed = closedClasses.length === 0 ? [] : exactMultiClass(slowed(closedClasses, taken), stations);
  const waiting = stations.map((_, k) => closed.reduce((sum, one) => sum + one.meanAtStation[k]!, 0));
  const open = openClasses.map(({ arrivalRatePerSecond, demandSeconds }) => {
    const residenceTimeSeconds = stations.map((kind, k) => {
      const demand = demandSeconds[k]!;
      if (kind === 'delay' || demand === 0) return demand;
      return taken[k]! < 1 ? (demand * (1 + waiting[k]!)) / (1 - taken[k]!) : Infinity;
    });
    return {
      throughputPerSecond: arrivalRatePerSecond,
      responseTimeSeconds: residenceTimeSeconds.reduce((sum, seconds) => sum + seconds, 0),
      residenceTimeSeconds,
      meanAtStation: residenceTimeSeconds.map((seconds) => arrivalRatePerSecond * seconds),
    };
  });
  return { open, closed };
}

/** Closed classes with the demands that they see beside open ones. */
function slowed(classes: readonly ClosedClass[], taken: readonly number[]): ClosedClass[] {
  return classes.map((one) => ({
    ...one,
    demandSeconds: one.demandSeconds.map((demand, k) => {
      if (demand === 0) return 0;
      if (taken[k]! >= 1) throw new RangeError(`open classes alone fill station ${k}`);
      return demand / (1 - taken[k]!);
    }),
  }));
}
