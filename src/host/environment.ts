import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../model/record.ts';

/** The version in package.json, found upwards from this file. */
export function shiploadVersion(): string {
  const manifest = findUpwards(dirname(fileURLToPath(import.meta.url)), 'package.json');
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}

function findUpwards(folder: string, name: string): string {
  const path = join(folder, name);
  try {
    readFileSync(path);
    return path;
  } catch (cause) {
    const parent = dirname(folder);
    if (parent === folder) throw cause;
    return findUpwards(parent, name);
  }
}

/** The machine and the versions a run was made with. */
export function readEnvironment(): Environment {
  const processors = cpus();
  return {
    shiploadVersion: shiploadVersion(),
    nodeVersion: process.version,
    platform: `${process.platform} ${process.arch}`,
    cpuModel: processors[0]?.model.trim() ?? 'unknown',
    machineCoreCount: processors.length,
    usableCoreCount: availableParallelism(),
    memoryBytes: totalmem(),
  };
}
