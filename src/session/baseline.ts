import { readFile, stat } from 'node:fs/promises';
import { ShiploadError } from '../errors.ts';
import type { NoiseFloor, RunRecord } from '../model/record.ts';
import { parseNoiseFloor, parseRunRecord } from '../record/validate.ts';
import { sniff } from './import-results.ts';
import { resultFile, type ImportRequest } from './imported-run.ts';
import { findNoiseFloor } from './noise-floors.ts';
import { parseJson } from './read-text.ts';
import { readRuns } from './run-set.ts';

/**
 * One or several runs of one plan in a file that is small enough for a repository: what a comparison reads, without
 * measurements and request targets. It carries the noise floor of its plan and machine.
 */
interface Baseline {
  readonly kind: 'baseline';
  readonly schemaVersion: 1;
  readonly records: readonly RunRecord[];
  readonly noiseFloor?: NoiseFloor;
}

/** The runs of one side of a comparison, with the noise floor that was measured beside them. */
export interface RunSide {
  readonly records: readonly RunRecord[];
  readonly noiseFloor?: NoiseFloor;
}

/** A baseline of runs as text. */
export function baselineText({ records, noiseFloor }: RunSide): string {
  const baseline: Baseline = {
    kind: 'baseline',
    schemaVersion: 1,
    records: records.map(slimRecord),
    ...(noiseFloor !== undefined && { noiseFloor }),
  };
  return `${JSON.stringify(baseline, null, 1)}\n`;
}

function slimRecord({ manifest, imported, analysis, verdict, options, limits }: RunRecord): RunRecord {
  const requests = manifest.plan.requests.map((request) => ({
    ...request,
    targets: { draw: request.targets.draw, targets: [], distinctCount: request.targets.distinctCount },
  }));
  return {
    manifest: { ...manifest, plan: { ...manifest.plan, requests } },
    ...(imported !== undefined && { imported }),
    measurements: [],
    analysis,
    verdict,
    ...(options !== undefined && { options }),
    limits,
  };
}

/** A run, a folder of runs, results of another tool, or a baseline file. Throws what reading a run throws. */
export async function readSide(path: string, request: ImportRequest = {}): Promise<RunSide> {
  const baseline = await readBaseline(path);
  if (baseline !== undefined) return baseline;
  const records = await readRuns(path, request);
  const noiseFloor = await findNoiseFloor(path, records[0]!);
  return { records, ...(noiseFloor !== undefined && { noiseFloor }) };
}

async function readBaseline(path: string): Promise<RunSide | undefined> {
  const isFile = await stat(path).then(
    (entry) => entry.isFile(),
    () => false,
  );
  if (!isFile || (await sniff(await resultFile(path))) !== 'json') return undefined;
  const value = parseJson(await readFile(path, 'utf8'), path);
  if (typeof value !== 'object' || value === null || !('kind' in value) || value.kind !== 'baseline')
    return undefined;
  const { schemaVersion, records, noiseFloor } = value as Partial<Baseline>;
  if (schemaVersion !== 1 || !Array.isArray(records) || records.length === 0) {
    throw new ShiploadError('record-invalid', `${path} is a baseline that holds no run of version 1`, {
      where: path,
      hint: 'Make it again: shipload export <run> --to baseline -o FILE',
    });
  }
  return {
    records: records.map((record) => parseRunRecord(record, path)),
    ...(noiseFloor !== undefined && { noiseFloor: parseNoiseFloor(noiseFloor, path) }),
  };
}
