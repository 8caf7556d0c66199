import type { ImportedRun } from '../model/imported.ts';
import type { RunManifest } from '../model/record.ts';
import type { StepMeasurement } from '../model/measurement.ts';
import { secondsText } from '../stats/wording.ts';

/** What carries over from a run and what does not, one sentence each. */
export function limitsOf(manifest: RunManifest, measurements: readonly StepMeasurement[]): readonly string[] {
  const { service, environment } = manifest;
  const isLoopback = /^(127\.|localhost$|\[::1\]$)/.test(hostOf(service.url));
  const windows = measurements.map((measurement) => measurement.windowSeconds);
  const limits = [
    service.sameHost
      ? `Generator and service shared this machine: they competed for its ${sharedParts(environment)}; the order of ` +
        'magnitude of demands carries over to the same processor, the exact response times do not.'
      : 'The service ran on another machine than the generator.',
  ];
  if (isLoopback)
    limits.push(
      'Loopback: no network delay, loss or bandwidth limit; add the round trip to every response time.',
    );
  if (service.url.startsWith('http:'))
    limits.push('No TLS: handshakes and encryption are not in the demands.');
  limits.push(
    'One run: differences from run to run are not known; repeat before relying on a small difference.',
  );
  if (manifest.plan.shape === 'soak' && windows.length > 0) {
    const seconds = windows.reduce((sum, window) => sum + window, 0);
    limits.push(`A soak of ${secondsText(seconds)}: what drifts more slowly than that does not show.`);
  } else if (windows.length > 0) {
    limits.push(
      `Windows of ${rangeText(windows)} s: slow drifts (leaks, growing ` +
        'data, cache eviction) need a soak.',
    );
  }
  limits.push(
    `Measured on ${environment.cpuModel} (${environment.machineCoreCount} cores), Node ${environment.nodeVersion}; ` +
      'another machine has other demands.',
  );
  return limits;
}

/** What a run that another tool made does not tell, and what its figures mean. */
export function importedLimits({ tool, basis, missing, meaning }: ImportedRun): readonly string[] {
  if (basis === 'table') {
    return [
      'A table of steps: what is not in it (samples, counters, the generator’s condition) cannot be checked.',
    ];
  }
  return [
    `Made by ${tool}: the generator’s condition and the service’s counters are not known, so neither a generator at its limit nor U and D can be seen.`,
    ...(missing.length === 0 ? [] : [`Not in the file: ${missing.join('; ')}.`]),
    ...meaning,
    'One run: differences from run to run are not known; repeat before relying on a small difference.',
  ];
}

/** Cores kept apart still share what lies behind them. */
const sharedParts = ({ pinning }: RunManifest['environment']): string =>
  pinning?.serviceCores === undefined
    ? 'cores, caches and memory'
    : 'caches and memory, each on cores of its own';

function hostOf(url: string): string {
  return new URL(url).hostname;
}

function rangeText(seconds: readonly number[]): string {
  const [low, high] = [Math.min(...seconds).toFixed(0), Math.max(...seconds).toFixed(0)];
  return low === high ? low : `${low}–${high}`;
}
