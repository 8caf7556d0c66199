import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { writeError } from '../host/write-file.ts';
import type { NoiseFloor, RunManifest, RunRecord } from '../model/record.ts';
import { machineOf, noiseFloorOf, planKey } from '../record/noise-floor.ts';
import { parseNoiseFloor } from '../record/validate.ts';
import { parseJson, readIfThere } from './read-text.ts';

const FILE = 'noise-floors.json';
/** A run lies in the folder of its set, or in the folder of all runs, where the floors are. */
const FOLDERS_UP = 3;

const hashOf = (manifest: RunManifest): string =>
  createHash('sha256').update(planKey(manifest)).digest('hex').slice(0, 16);

async function readFloors(folder: string): Promise<readonly NoiseFloor[]> {
  const path = join(folder, FILE);
  const text = await readIfThere(path);
  if (text === undefined) return [];
  const floors = parseJson(text, path);
  return Array.isArray(floors) ? floors.map((floor) => parseNoiseFloor(floor, path)) : [];
}

/**
 * Measures the noise floor of equal runs and stores it in `noise-floors.json` of a folder, in the place of an older
 * one of the same plan and machine. Throws `cannot-write`, or `record-invalid` for a file that is not ours.
 */
export async function rememberNoiseFloor(folder: string, records: readonly RunRecord[]): Promise<NoiseFloor> {
  const floor = noiseFloorOf(records, { planHash: hashOf(records[0]!.manifest) });
  const others = (await readFloors(folder)).filter(
    ({ planHash, machine }) => planHash !== floor.planHash || machine !== floor.machine,
  );
  const path = join(folder, FILE);
  try {
    await writeFile(path, `${JSON.stringify([...others, floor], null, 1)}\n`, { mode: 0o600 });
  } catch (cause) {
    throw writeError(path, cause);
  }
  return floor;
}

/** The floor of a run's plan and machine, from the folders above it; undefined where none was measured. */
export async function findNoiseFloor(
  runPath: string,
  { manifest }: RunRecord,
): Promise<NoiseFloor | undefined> {
  const planHash = hashOf(manifest);
  let folder = resolve(runPath);
  for (let up = 0; up < FOLDERS_UP; up += 1) {
    const floors = await readFloors(folder);
    const found = floors.find((one) => one.planHash === planHash && one.machine === machineOf(manifest));
    if (found !== undefined) return found;
    folder = dirname(folder);
  }
  return undefined;
}
