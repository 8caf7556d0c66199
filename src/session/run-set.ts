import { ShiploadError } from '../errors.ts';
import { holdsRun, runsBelow } from '../host/run-folder.ts';
import type { RunRecord } from '../model/record.ts';
import { planKey } from '../record/noise-floor.ts';
import type { ImportRequest } from './imported-run.ts';
import { readRun } from './stored-run.ts';

/**
 * The run at a path, or the repeats in the folders below it (`run --repeat`), in order of their names. Throws what
 * `readRun` throws, and `usage` for a folder of runs that are no repeats of one another.
 */
export async function readRuns(path: string, request: ImportRequest = {}): Promise<readonly RunRecord[]> {
  const folders = (await holdsRun(path)) ? [] : await runsBelow(path);
  if (folders.length === 0) return [await readRun(path, request)];
  const records: RunRecord[] = [];
  for (const folder of folders) records.push(await readRun(folder));
  requireRepeats(path, folders, records);
  return records;
}

/** Repeats have one label and one plan; runs that merely lie side by side are not read as one. */
function requireRepeats(path: string, folders: readonly string[], records: readonly RunRecord[]): void {
  const labels = [...new Set(records.map(({ manifest }) => manifest.label))];
  const plans = new Set(records.map(({ manifest }) => repeatKey(manifest)));
  if (labels.length === 1 && plans.size === 1) return;
  const what = labels.length > 1 ? `of several names (${labels.join(', ')})` : 'of several plans';
  throw new ShiploadError(
    'usage',
    `${path} holds ${folders.length} runs ${what}: they are no repeats of one`,
    {
      where: path,
      hint: `Name one (${folders[0]}), or two sides: shipload compare --before ${folders[0]} --after ${folders.at(-1)}`,
    },
  );
}

/** Steps that a plan grew by follow from what was measured, and differ from repeat to repeat. */
const repeatKey = (manifest: RunRecord['manifest']): string =>
  planKey(
    manifest.plan.growth === undefined
      ? manifest
      : { ...manifest, plan: { ...manifest.plan, steps: manifest.plan.steps.slice(0, 1) } },
  );
