import { mmm } from '../stats/queueing/open-queues.ts';

/** X(N)/a of a network with the knee N*, from N and N*. */
export type NetworkShape = (load: number, knee: number) => number;

/** Servers at each station. */
const SERVER_COUNTS = [1, 2, 4];
/** Shares of the time outside thinking that a request spends where nobody queues. */
const DELAY_RATIOS = [0, 0.25, 0.5, 0.75];
/** ρ is looked up between so many values of it. */
const RESOLUTION = 64;

/**
 * Curves of networks whose stations are all equally busy: the softest there are, since every station fills at once.
 * With m servers at each of many stations and the share z of the time spent thinking, N/N* = (1 − z)·L(ρ)/m + zρ,
 * L the population of M/M/m, X = a·N*·ρ (Buzen's convolution as the number of stations grows; with m = 1 and z = 0
 * it is X = aN/(1 + N/N*)). One for each m of 1, 2, 4 and each of four shares z from `thinkRatio` up: how much of the
 * rest is a delay is not known.
 */
export function balancedShapes(thinkRatio: number): NetworkShape[] {
  return SERVER_COUNTS.flatMap((serverCount) =>
    DELAY_RATIOS.map((delay) => balancedShape(serverCount, thinkRatio + (1 - thinkRatio) * delay)),
  );
}

function balancedShape(serverCount: number, delayRatio: number): NetworkShape {
  const loadRatios = Float64Array.from({ length: RESOLUTION }, (_, i) => {
    const busy = i / RESOLUTION;
    const queued = mmm(busy * serverCount, 1, serverCount).meanInSystem / serverCount;
    return (1 - delayRatio) * queued + delayRatio * busy;
  });
  return (load, knee) => knee * busyAt(loadRatios, load / knee);
}

/** ρ of a rising table N/N* by linear interpolation; beyond its end 1 − ρ falls with N as at one server. */
function busyAt(loadRatios: Float64Array, loadRatio: number): number {
  let low = 0;
  let high = RESOLUTION - 1;
  if (loadRatio >= loadRatios[high]!) return 1 - loadRatios[high]! / (RESOLUTION * loadRatio);
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (loadRatios[middle]! <= loadRatio) low = middle;
    else high = middle;
  }
  const part = (loadRatio - loadRatios[low]!) / (loadRatios[high]! - loadRatios[low]!);
  return (low + part) / RESOLUTION;
}
