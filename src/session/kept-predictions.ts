import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { PredictionDocument } from '../model/documents.ts';
import type { Prediction } from '../model/prediction.ts';
import { parsePrediction } from '../record/validate.ts';
import { parseJson, readText } from './read-text.ts';

const NAME = /^prediction-.*\.json$/;

/** The file in a run's folder that keeps what was predicted under these changes; one for each set of changes. */
export const predictionFile = (folder: string, whatIf: readonly string[]): string =>
  join(folder, `prediction-${whatIf.join('-').replace(/[^\w.]+/g, '_')}.json`);

/** What `predict --what-if` kept in a run's folder. Throws `record-invalid` for a file that is no prediction. */
export async function readKeptPredictions(folder: string): Promise<readonly Prediction[]> {
  const names = await readdir(folder).catch(() => []);
  const kept: PredictionDocument[] = [];
  for (const name of names.filter((one) => NAME.test(one)).sort()) {
    const path = join(folder, name);
    kept.push(parsePrediction(parseJson(await readText(path), path), path));
  }
  return kept;
}
