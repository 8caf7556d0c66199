import { readFileSync } from 'node:fs';

/** The units in which the kernel counts. */
export interface KernelUnits {
  readonly pageBytes: number;
  readonly ticksPerSecond: number;
}

const AT_PAGESZ = 6n;
const AT_CLKTCK = 17n;
const USUAL: KernelUnits = { pageBytes: 4096, ticksPerSecond: 100 };

/**
 * Page size and clock ticks from the auxiliary vector the kernel hands to every process: pairs of native
 * words, type and value. What it does not say is as on most machines (4096 bytes, 100 per second). Source: getauxval(3).
 */
export function parseAuxiliaryVector(vector: Buffer): KernelUnits {
  let { pageBytes, ticksPerSecond } = USUAL;
  for (let at = 0; at + 16 <= vector.length; at += 16) {
    const type = vector.readBigUInt64LE(at);
    const value = Number(vector.readBigUInt64LE(at + 8));
    if (type === AT_PAGESZ) pageBytes = value;
    if (type === AT_CLKTCK) ticksPerSecond = value;
  }
  return { pageBytes, ticksPerSecond };
}

/** The units of the running kernel. */
export function readKernelUnits(): KernelUnits {
  try {
    return parseAuxiliaryVector(readFileSync('/proc/self/auxv'));
  } catch {
    return USUAL;
  }
}
