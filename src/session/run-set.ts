import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { RUN_FILES } from '../host/run-folder.ts';
import type { RunRecord } from '../model/record.ts';
import type { ImportRequest } from './imported-run.ts';
import { readIfThere } from './read-text.ts';
import { readRun } from './stored-run.ts';

/** The run at a path, or the runs in the folders below it (`run --repeat`), in order of their names. Throws what `readRun` throws. */
export async function readRuns(path: string, request: ImportRequest = {}): Promise<readonly RunRecord[]> {
  const folders = await foldersOfRuns(path);
  if (folders.length === 0) return [await readRun(path, request)];
  const records: RunRecord[] = [];
  for (const folder of folders) records.push(await readRun(folder));
  return records;
}

async function foldersOfRuns(path: string): Promise<readonly string[]> {
  if (await holdsRun(path)) return [];
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const folders: string[] = [];
  for (const name of names.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })))
    if (await holdsRun(join(path, name))) folders.push(join(path, name));
  return folders;
}

const holdsRun = async (path: string): Promise<boolean> =>
  (await readIfThere(join(path, RUN_FILES.manifest))) !== undefined;
