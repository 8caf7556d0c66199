import type { CounterReading } from './counter-source.ts';
import { readProc } from './proc-files.ts';

const RESOURCES = ['cpu', 'memory', 'io'] as const;

/**
 * Seconds in which at least one task waited for a resource (`some … total=` in microseconds); undefined in a text
 * that does not say. Source: the kernel's PSI.
 */
export function parsePressureSeconds(text: string): number | undefined {
  const total = /^some .*\btotal=(\d+)/m.exec(text)?.[1];
  return total === undefined ? undefined : Number(total) / 1e6;
}

/** `cpuPressureSeconds`, `memoryPressureSeconds` and `ioPressureSeconds` of the files that `pathOf` names. */
export function readPressure(
  source: string,
  pathOf: (resource: string) => string,
  read: (path: string) => string | undefined = readProc,
): readonly CounterReading[] {
  return RESOURCES.flatMap((resource): CounterReading[] => {
    const value = parsePressureSeconds(read(pathOf(resource)) ?? '');
    if (value === undefined) return [];
    const quantity = `${resource}PressureSeconds`;
    return [{ source, quantity, unit: 'seconds', kind: 'cumulative', capacity: 1, value }];
  });
}
