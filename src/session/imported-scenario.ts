import { basename } from 'node:path';
import { ShiploadError } from '../errors.ts';
import type { ImportedLoad } from '../import/loads/imported-load.ts';
import { scenarioText } from '../import/loads/scenario-text.ts';
import type { Notice } from '../model/notice.ts';
import { loadSourceAt, openImport } from './import-load.ts';

/** The scenario that a file of another tool stands for. */
export interface ImportedScenario {
  readonly imported: ImportedLoad;
  /** As `shipload init` writes it. */
  readonly text: string;
}

/**
 * The scenario of a file that another tool has written; undefined for one that is a scenario itself. It is the very
 * text that `shipload init` writes, so that what is tried is what is kept; in a dry run with secrets that are `madeUp`.
 * Throws `import-invalid`.
 */
export async function importedScenario(
  path: string,
  origin?: string,
  madeUp = false,
): Promise<ImportedScenario | undefined> {
  const source = await loadSourceAt(path);
  if (source === undefined) return undefined;
  const imported = await openImport(path, source, origin);
  if (!('journeys' in imported)) return undefined;
  return { imported, text: scenarioText(imported, basename(path), madeUp) };
}

/** Names and places of the secrets of an import that no environment variable gives. */
const missingSecrets = ({ secrets }: ImportedLoad): readonly string[] =>
  secrets
    .filter(({ variable }) => process.env[variable] === undefined)
    .map(({ variable, place }) => `${variable} (${place})`);

/** Throws `import-invalid` for one that sends nothing. */
export function requireRequests({ journeys, notes }: ImportedLoad, path: string): void {
  if (journeys.length === 0)
    throw new ShiploadError('import-invalid', 'no request has a URL that is written out', {
      where: path,
      hint: `${notes[0] ?? ''} shipload init ${path} writes its load and targets, with a journey to fill in.`.trim(),
    });
}

/** Throws `scenario-invalid` with every variable that is not set. */
export function requireSecrets(imported: ImportedLoad, path: string): void {
  const missing = missingSecrets(imported);
  if (missing.length === 0) return;
  const list = missing.join(', ');
  throw new ShiploadError(
    'scenario-invalid',
    `what is secret comes from environment variables, and these are not set: ${list}`,
    { where: path, hint: 'Set them and run again; one that is set to nothing is sent empty.' },
  );
}

/** A run asks for what a dry run makes up. */
export function secretNotices(imported: ImportedLoad): readonly Notice[] {
  const missing = missingSecrets(imported);
  if (missing.length === 0) return [];
  return [
    {
      code: 'imported',
      severity: 'info',
      message: `A run needs these environment variables, which are not set and made up here: ${missing.join(', ')}.`,
    },
  ];
}
