import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { measurementsFromFrames } from '../drive/recover.ts';
import { ShiploadError } from '../errors.ts';
import { RUN_FILES } from '../host/run-folder.ts';
import { readSegments } from '../host/segments.ts';
import type { RunManifest, RunRecord } from '../model/record.ts';
import { concludeRun } from '../pipeline.ts';
import { parseRunManifest, parseRunRecord, parseSegment, parseWorkload } from '../record/validate.ts';
import { sniff } from './import-results.ts';
import { importRun, resultFile, type ImportRequest } from './imported-run.ts';
import { parseJson, readIfThere, readText } from './read-text.ts';

/**
 * Reads a run folder: its record, concluded again by the rules of today; or, of a run that was killed, what its
 * segments add up to. A file is a record, results of another tool, or a table of steps. Throws `file-not-found`,
 * `record-invalid`, and what importing throws.
 */
export async function readRun(path: string, request: ImportRequest = {}): Promise<RunRecord> {
  const isFolder = await stat(path).then(
    (entry) => entry.isDirectory(),
    () => undefined,
  );
  if (isFolder === undefined)
    throw new ShiploadError('file-not-found', `there is no ${path}`, { where: path });
  if (!isFolder) {
    const isRecord =
      (request.format ?? 'auto') === 'auto' && (await sniff(await resultFile(path))) === 'json';
    if (!isRecord) return importRun([path], request);
    return concludeRun(parseRunRecord(parseJson(await readText(path), path), path));
  }
  const recordPath = join(path, RUN_FILES.record);
  const stored = await readIfThere(recordPath);
  if (stored !== undefined) return concludeRun(parseRunRecord(parseJson(stored, recordPath), recordPath));
  return recoverRun(path);
}

/** What a run folder says of a run before it ends. Throws `file-not-found` or `record-invalid`. */
export async function readManifest(path: string): Promise<RunManifest> {
  const manifestPath = join(path, RUN_FILES.manifest);
  const manifestText = await readIfThere(manifestPath);
  if (manifestText === undefined) {
    throw new ShiploadError('file-not-found', `${path} holds no run: ${RUN_FILES.manifest} is missing`, {
      where: path,
    });
  }
  return parseRunManifest(parseJson(manifestText, manifestPath), manifestPath);
}

async function recoverRun(path: string): Promise<RunRecord> {
  const manifest = await readManifest(path);
  const segmentsPath = join(path, RUN_FILES.segments);
  const stored = await readSegments(segmentsPath);
  const { requests } = manifest.plan;
  const segments = stored.map((segment, i) =>
    parseSegment(segment, requests.length, `${segmentsPath}:${i + 1}`),
  );
  const workloadPath = join(path, RUN_FILES.workload);
  const workloadText = await readIfThere(workloadPath);
  return concludeRun({
    manifest: { ...manifest, state: manifest.state === 'running' ? 'interrupted' : manifest.state },
    ...(workloadText !== undefined && {
      workload: parseWorkload(parseJson(workloadText, workloadPath), workloadPath),
    }),
    measurements: measurementsFromFrames(manifest.plan, segments, 'interrupted'),
    planNotices: [
      {
        code: 'recovered-from-segments',
        severity: 'warning',
        message: `This run did not come to its end; ${segments.length} stored seconds were read back.`,
      },
    ],
  });
}
