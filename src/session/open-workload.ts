import { open } from 'node:fs/promises';
import type { WorkloadModel } from '../model/workload.ts';
import { modelLog } from '../pipeline.ts';
import { parseWorkload } from '../record/validate.ts';
import { openLogs, parseJson, readText } from './read-text.ts';

/** How a log is read, where the input is one. */
export interface LogOptions {
  readonly format?: string;
  readonly window?: string;
  readonly sessionTimeoutSeconds?: number;
}

/**
 * The workload of an input file: a `workload.json` as it stands, or an access log modelled. Which it is shows
 * in the first bytes. Throws what reading either throws.
 */
export async function openWorkload(path: string, options: LogOptions): Promise<WorkloadModel> {
  if (await isWorkloadFile(path)) return parseWorkload(parseJson(await readText(path), path), path);
  return modelLog(await openLogs([path]), options);
}

/** A JSON log also begins with a brace; a workload says what it is among its first fields. */
async function isWorkloadFile(path: string): Promise<boolean> {
  if (path === '-') return false;
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return false;
  try {
    const { bytesRead, buffer } = await file.read({ buffer: Buffer.alloc(200) });
    return /^\s*\{\s*"kind"\s*:\s*"workload"/.test(buffer.toString('latin1', 0, bytesRead));
  } catch {
    return false;
  } finally {
    await file.close();
  }
}
