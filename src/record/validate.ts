import type { z } from 'zod';
import type { Frame } from '../model/measurement.ts';
import type { ErrorCode } from '../errors.ts';
import { ShiploadError } from '../errors.ts';
import type { IsolationDocument, PredictionDocument } from '../model/documents.ts';
import type { NoiseFloor, RunManifest, RunRecord } from '../model/record.ts';
import type { TargetSet, WorkloadModel } from '../model/workload.ts';
import { kindOfDocument, takenByText } from './document-kinds.ts';
import { isolationDocumentSchema, noiseFloorSchema, predictionDocumentSchema } from './schema/documents.ts';
import { segmentSchema } from './schema/measurement.ts';
import { runManifestSchema, runRecordSchema } from './schema/run.ts';
import { workloadSchema } from './schema/workload.ts';

/**
 * A stored workload, checked. Fields that the schema does not know are kept.
 * @throws {ShiploadError} `workload-invalid`, naming the file, the field and what was expected there.
 */
export function parseWorkload(value: unknown, file: string): WorkloadModel {
  const workload = check<WorkloadModel>(workloadSchema, value, {
    code: 'workload-invalid',
    what: 'a workload',
    file,
  });
  for (const [i, { targets }] of workload.requestClasses.entries()) {
    const fault = targetsFault(targets);
    if (fault === undefined) continue;
    const field = `requestClasses[${i}].targets${fault.field}`;
    throw new ShiploadError('workload-invalid', fault.message, {
      where: `${file}: ${field}`,
      hint: 'model the log again, or mend the field',
    });
  }
  return workload;
}

/**
 * A stored run manifest, checked.
 * @throws {ShiploadError} `record-invalid`, naming the file, the field and what was expected there.
 */
export function parseRunManifest(value: unknown, file: string): RunManifest {
  return check<RunManifest>(runManifestSchema, value, {
    code: 'record-invalid',
    what: 'a run manifest',
    file,
  });
}

/**
 * A stored run record, checked, with its measurements.
 * @throws {ShiploadError} `record-invalid`, naming the file, the field and what was expected there.
 */
export function parseRunRecord(value: unknown, file: string): RunRecord {
  return check<RunRecord>(runRecordSchema, value, { code: 'record-invalid', what: 'a run record', file });
}

/**
 * A stored second of a run, checked, with as many routes as the plan has requests.
 * @throws {ShiploadError} `record-invalid`, naming the file, the line and the field.
 */
export function parseSegment<T extends { readonly frame: Frame }>(
  value: T,
  requestCount: number,
  place: string,
): T {
  check(segmentSchema, value, { code: 'record-invalid', what: 'a segment of a run', file: place });
  const { routes, startedAtSeconds, endedAtSeconds } = value.frame;
  // A scenario adds routes as they show.
  if (routes.length >= requestCount && startedAtSeconds <= endedAtSeconds) return value;
  throw new ShiploadError('record-invalid', 'this second does not belong to the run in run.json', {
    where: place,
    hint: 'the files of a run folder belong together',
  });
}

/**
 * A stored isolation (what `isolate --json` printed), checked.
 * @throws {ShiploadError} `record-invalid`, naming the file, the field and what was expected there.
 */
export function parseIsolation(value: unknown, file: string): IsolationDocument {
  return check<IsolationDocument>(isolationDocumentSchema, value, {
    code: 'record-invalid',
    what: 'an isolation',
    file,
  });
}

/**
 * A stored prediction, checked.
 * @throws {ShiploadError} `record-invalid`, naming the file, the field and what was expected there.
 */
export function parsePrediction(value: unknown, file: string): PredictionDocument {
  return check<PredictionDocument>(predictionDocumentSchema, value, {
    code: 'record-invalid',
    what: 'a prediction',
    file,
  });
}

/**
 * A stored noise floor, checked.
 * @throws {ShiploadError} `record-invalid`, naming the file, the field and what was expected there.
 */
export function parseNoiseFloor(value: unknown, file: string): NoiseFloor {
  return check<NoiseFloor>(noiseFloorSchema, value, { code: 'record-invalid', what: 'a noise floor', file });
}

/** What a schema cannot say of a set of targets: one count a target, something to draw, nothing but paths. */
function targetsFault({ targets, counts, draw }: TargetSet): { field: string; message: string } | undefined {
  const foreign = targets.findIndex((target) => !/^(\/|\*$)/.test(target));
  if (foreign >= 0) {
    return {
      field: `.targets[${foreign}]`,
      message: `a target is a path that begins with /, not "${targets[foreign]!.slice(0, 80)}"`,
    };
  }
  if (draw === 'counted' && counts === undefined)
    return { field: '.counts', message: 'counted targets need their counts' };
  if (counts === undefined) return undefined;
  if (counts.length !== targets.length) {
    return { field: '.counts', message: `${counts.length} counts stand beside ${targets.length} targets` };
  }
  const isDrawable = targets.length === 0 || counts.some((count) => count > 0);
  return isDrawable ? undefined : { field: '.counts', message: 'all counts are zero: nothing can be drawn' };
}

interface Subject {
  readonly code: ErrorCode;
  readonly what: string;
  readonly file: string;
}

/** The value itself, not a copy: a schema's copy would lose the fields that a newer version added. */
function check<T>(schema: z.ZodType<T>, value: unknown, { code, what, file }: Subject): T {
  const result = schema.safeParse(value);
  if (result.success) return value as T;
  const kind = kindOfDocument(value);
  if (kind !== undefined && !what.startsWith(kind.what)) {
    throw new ShiploadError(code, `this is ${kind.what}, not ${what}`, {
      where: file,
      hint: takenByText(kind),
    });
  }
  const { issues } = result.error;
  const first = issues[0]!;
  const field = fieldPath(first.path);
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : '';
  throw new ShiploadError(code, `not ${what}: ${field}: ${first.message}${more}`, {
    where: `${file}: ${field}`,
    hint: hintFor(first.path),
  });
}

function hintFor(path: readonly PropertyKey[]): string {
  return path.at(-1) === 'schemaVersion'
    ? 'the file was written by another version of Shipload; this one reads schemaVersion 1'
    : 'compare the file with its schema in docs/schema';
}

/** `requestClasses[3].shareRatio`; the top level is `(the whole file)`. */
function fieldPath(path: readonly PropertyKey[]): string {
  const parts = path.map((key) => {
    if (typeof key === 'number') return `[${key}]`;
    return /^[A-Za-z_]\w*$/.test(String(key)) ? `.${String(key)}` : `[${JSON.stringify(String(key))}]`;
  });
  return parts.join('').replace(/^\./, '') || '(the whole file)';
}
