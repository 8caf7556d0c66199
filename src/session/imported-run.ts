import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { ShiploadError } from '../errors.ts';
import { readEnvironment } from '../host/environment.ts';
import type { ImportedRun } from '../model/imported.ts';
import type { StepMeasurement } from '../model/measurement.ts';
import type { RunRecord } from '../model/record.ts';
import type { Target } from '../model/verdict.ts';
import { concludeRun } from '../pipeline.ts';
import { fileChunks } from './file-chunks.ts';
import { sameLoads } from '../import/results/summary-notices.ts';
import { importResults, type ImportedResults, type ImportOptions } from './import-results.ts';
import type { ResultSource } from './result-lines.ts';

/** How results become a record, and what they are judged by. */
export interface ImportRequest extends ImportOptions {
  readonly label?: string;
  readonly command?: readonly string[];
  readonly targets?: readonly Target[];
  readonly marginRatio?: number;
}

/** A file of results. Throws `file-not-found` or `file-unreadable`. */
export async function resultFile(path: string): Promise<ResultSource> {
  const entry = await stat(path).catch(() => undefined);
  if (entry === undefined) throw new ShiploadError('file-not-found', `there is no ${path}`, { where: path });
  if (!entry.isFile()) {
    throw new ShiploadError('file-unreadable', `${path} is no regular file, and results are read twice`, {
      where: path,
      hint: 'Write them to a file first.',
    });
  }
  return { name: path, open: () => fileChunks(path, 0, Infinity) };
}

/**
 * Results of another tool, in one file or several of one kind, as the record of a run: its steps in the order of the
 * files. There is no plan, no machine, no counters of ours. Throws what `importResults` throws, and `results-invalid`
 * for files of different kinds.
 */
export async function importRun(paths: readonly string[], request: ImportRequest = {}): Promise<RunRecord> {
  const parts: ImportedResults[] = [];
  const load = request.load;
  for (const [i, path] of paths.entries()) {
    // Of several files each is one step, and takes the load at its place.
    const own =
      load !== undefined && paths.length > 1 ? { ...load, values: load.values.slice(i, i + 1) } : load;
    parts.push(
      await importResults(await resultFile(path), { ...request, ...(own !== undefined && { load: own }) }),
    );
  }
  return importedRecord(parts.length === 1 ? parts[0]! : joined(parts), request);
}

/** Results that have been read, as a record. */
export function importedRecord(
  { imported, measurements }: ImportedResults,
  request: ImportRequest = {},
): RunRecord {
  const files = imported.files.map((path) => basename(path)).join(', ');
  return concludeRun({
    manifest: {
      kind: 'run',
      schemaVersion: 1,
      label: request.label ?? files,
      startedAt: new Date().toISOString(),
      state: 'completed',
      command: request.command ?? [],
      plan: { seed: 0, shape: 'imported', requests: [], requestTimeoutSeconds: 0, steps: [] },
      service: {
        url: files,
        sameHost: false,
        ...(request.serverCount !== undefined && {
          serverCount: request.serverCount,
          serverCountSource: '--cores',
        }),
      },
      targets: request.targets ?? [],
      marginRatio: request.marginRatio ?? 0.1,
      environment: readEnvironment(),
    },
    imported,
    measurements,
  });
}

function joined(parts: readonly ImportedResults[]): ImportedResults {
  const first = parts[0]!.imported;
  const other = parts.find(({ imported }) => imported.format !== first.format)?.imported;
  if (other !== undefined || first.basis === 'table') {
    throw new ShiploadError(
      'results-invalid',
      other === undefined
        ? 'several tables make no run: put their rows into one'
        : `${first.files[0]} is of ${first.format} and ${other.files[0]} of ${other.format}: one run has one kind of results`,
      { where: first.files[0]!, hint: 'Import each as a run of its own.' },
    );
  }
  const steps = parts.flatMap(({ imported }) => imported.steps ?? []);
  const measurements = parts
    .flatMap((part) => part.measurements)
    .map((one, index): StepMeasurement => ({ ...one, step: { ...one.step, index } }));
  const { startedAt: _, ...rest } = first;
  const imported: ImportedRun = {
    ...rest,
    files: parts.flatMap((part) => part.imported.files),
    lines: {
      total: parts.reduce((sum, part) => sum + part.imported.lines.total, 0),
      unread: parts.reduce((sum, part) => sum + part.imported.lines.unread, 0),
      examples: parts.flatMap((part) => part.imported.lines.examples),
    },
    notices: [
      ...parts.flatMap((part) =>
        part.imported.notices.map((notice) => ({
          ...notice,
          where: notice.where ?? part.imported.files[0]!,
        })),
      ),
      ...sameLoads(steps),
    ],
    ...(first.steps !== undefined && { steps }),
  };
  return { imported, measurements };
}
