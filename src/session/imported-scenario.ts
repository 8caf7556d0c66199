import { basename } from 'node:path';
import { ShiploadError } from '../errors.ts';
import type { ImportedLoad } from '../import/loads/imported-load.ts';
import { scenarioText } from '../import/loads/scenario-text.ts';
import { loadSourceAt, openImport } from './import-load.ts';

/** The scenario that a file of another tool stands for. */
export interface ImportedScenario {
  readonly imported: ImportedLoad;
  /** As `shipload init` writes it. */
  readonly text: string;
}

/**
 * The scenario of a file that another tool has written; undefined for one that is a scenario itself. It is the very
 * text that `shipload init` writes, so that what is tried is what is kept. Throws `import-invalid`.
 */
export async function importedScenario(path: string, origin?: string): Promise<ImportedScenario | undefined> {
  const source = await loadSourceAt(path);
  if (source === undefined) return undefined;
  const imported = await openImport(path, source, origin);
  if (!('journeys' in imported)) return undefined;
  return { imported, text: scenarioText(imported, basename(path)) };
}

/** Throws `import-invalid` for one that sends nothing, and `scenario-invalid` with every variable that is not set. */
export function requireRunnable({ journeys, secrets, notes }: ImportedLoad, path: string): void {
  if (journeys.length === 0)
    throw new ShiploadError('import-invalid', 'no request has a URL that is written out', {
      where: path,
      hint: `${notes[0] ?? ''} shipload init ${path} writes its load and targets, with a journey to fill in.`.trim(),
    });
  const missing = secrets.filter(({ variable }) => process.env[variable] === undefined);
  if (missing.length === 0) return;
  const list = missing.map(({ variable, place }) => `${variable} (${place})`).join(', ');
  throw new ShiploadError(
    'scenario-invalid',
    `what is secret comes from environment variables, and these are not set: ${list}`,
    { where: path, hint: 'Set them and run again; one that is set to nothing is sent empty.' },
  );
}
