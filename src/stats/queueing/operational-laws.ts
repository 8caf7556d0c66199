/** Utilisation law: U = B/(T·m), the share of `serverCount` servers that was busy; B in busy seconds. */
export const utilization = (busySeconds: number, windowSeconds: number, serverCount: number): number =>
  busySeconds / (windowSeconds * serverCount);

/** Service demand law: D = U·m/X, busy seconds a request; NaN at X = 0. */
export const serviceDemand = (
  utilizationRatio: number,
  serverCount: number,
  throughputPerSecond: number,
): number => (utilizationRatio * serverCount) / throughputPerSecond;

/** Little's law with think time: N = X(R + Z), users (Little 1961; Denning & Buzen 1978). */
export const usersByLittle = (
  throughputPerSecond: number,
  responseTimeSeconds: number,
  thinkTimeSeconds: number,
): number => throughputPerSecond * (responseTimeSeconds + thinkTimeSeconds);

/** Interactive response time law: R = N/X − Z, seconds. */
export const interactiveResponseTime = (
  users: number,
  throughputPerSecond: number,
  thinkTimeSeconds: number,
): number => users / throughputPerSecond - thinkTimeSeconds;
