import { readFileSync } from 'node:fs';
import type { GivenLoad } from '../../src/import/results/result-format.ts';
import type { StepMeasurement } from '../../src/model/measurement.ts';
import { importResults, type ImportedResults, type ImportOptions } from '../../src/session/import-results.ts';
import type { ResultSource } from '../../src/session/result-lines.ts';
import { mergeHistograms } from '../../src/stats/histogram.ts';
import type { HistogramData } from '../../src/model/histogram.ts';
import { fixture } from './paths.ts';

/** A text as a file of results, in chunks of `chunkBytes`. */
export function resultText(text: string | Uint8Array, chunkBytes = 1 << 16, name = 'results'): ResultSource {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  return {
    name,
    async *open() {
      for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
    },
  };
}

/** A reference sample: what the real tool wrote. */
export const sampleText = (name: string): string => readFileSync(fixture('import', name), 'utf8');

export const importSample = (name: string, options: ImportOptions = {}): Promise<ImportedResults> =>
  importResults(resultText(sampleText(name), 4096, name), options);

/** All of a file as one step, whatever its loads: as the tool's own summary has it. */
export async function wholeSample(name: string, kind: GivenLoad['kind'] = 'users'): Promise<StepMeasurement> {
  const { measurements } = await importSample(name, { load: { kind, values: [4] } });
  return measurements[0]!;
}

/** Times of all answers, failures among them: tools do not keep those apart. */
export const allTimes = ({ byRoute }: StepMeasurement): HistogramData =>
  mergeHistograms(byRoute.flatMap((route) => [route.responseTime, route.failureTime]));
