import { readFileSync, realpathSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, relative, resolve } from 'node:path';
import { ShiploadError } from '../errors.ts';
import { type LoadSource, loadSourceOf } from '../import/loads/index.ts';
import { type ImportedLoad, MOST_BODY_CHARACTERS } from '../import/loads/imported-load.ts';
import type { ImportedMix } from '../import/loads/urls.ts';
import type { Notice } from '../model/notice.ts';
import { readText } from './read-text.ts';

/** The kind of a file, and what it says as a load. */
export type OpenImport = ImportedLoad | ImportedMix;

const HEAD_BYTES = 1 << 16;
/** Of text that is read whole. */
const MOST_BYTES = 1 << 28;
const MOST_NOTICES = 12;

/**
 * The kind of a file that another tool has written or reads, by its content; undefined for an access log, a workload,
 * a scenario, what is no file, and what is not there.
 */
export async function loadSourceAt(path: string): Promise<LoadSource | undefined> {
  const entry = path === '-' ? undefined : await stat(path).catch(() => undefined);
  if (entry?.isFile() !== true) return undefined;
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const { bytesRead, buffer } = await file.read({ buffer: Buffer.alloc(HEAD_BYTES) });
    const head = buffer.toString('utf8', 0, bytesRead);
    // The last line may be cut.
    return loadSourceOf(
      bytesRead === HEAD_BYTES ? head.slice(0, head.lastIndexOf('\n') + 1) || head : head,
      path,
    );
  } finally {
    await file.close();
  }
}

/** Reads a file of a kind. Throws `import-invalid` with the place, and what reading a file throws. */
export async function openImport(path: string, source: LoadSource, origin?: string): Promise<OpenImport> {
  const { size } = await stat(path);
  if (size > MOST_BYTES)
    throw new ShiploadError(
      'import-invalid',
      `${source.title} of ${size} bytes is larger than the ${MOST_BYTES} that are read`,
      {
        where: path,
      },
    );
  const text = await plainScript(await readText(path), path, source);
  return source.read(text, path, {
    ...(origin !== undefined && { origin }),
    readFile: (name) => fileBeside(path, name),
  });
}

/** A k6 script in TypeScript without its types. */
async function plainScript(text: string, path: string, { name }: LoadSource): Promise<string> {
  if (name !== 'k6' || !/ts$/i.test(path)) return text;
  const { transform } = await import('esbuild');
  try {
    return (await transform(text, { loader: 'ts', target: 'esnext', logLevel: 'silent' })).code;
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new ShiploadError('import-invalid', message, { where: path, cause });
  }
}

/** Text of a file in the folder of `path`, or below it; commands are not followed out of there. */
function fileBeside(path: string, name: string): string | undefined {
  try {
    const folder = realpathSync(dirname(resolve(path)));
    const wanted = realpathSync(resolve(folder, name));
    const inside = relative(folder, wanted);
    if (inside.startsWith('..') || isAbsolute(inside)) return undefined;
    const content = readFileSync(wanted);
    return content.length > MOST_BODY_CHARACTERS
      ? undefined
      : new TextDecoder('utf8', { fatal: true }).decode(content);
  } catch {
    return undefined;
  }
}

/** What was seen in an import and what of it was left out, for the run's notes. */
export function importNotices(imported: OpenImport, path: string): readonly Notice[] {
  const { notes, summary } = imported;
  const shown = notes.slice(0, MOST_NOTICES);
  const more = notes.length - shown.length;
  const messages = [
    `${basename(path)} is ${summary}`,
    ...shown,
    ...(more > 0 ? [`${more} more notes: shipload init ${path} writes them all`] : []),
  ];
  return messages.map((message) => ({ code: 'imported', severity: 'info', message }));
}
