import { constants } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { LogSource } from '../access-log/read-log.ts';
import type { ScannedPart } from '../access-log/scanned-part.ts';
import { type ErrorCode, ShiploadError } from '../errors.ts';
import { RUN_FILES } from '../host/run-folder.ts';
import { kindOfText, RUN_KIND, takenByText } from '../record/document-kinds.ts';
import { fileSource } from './file-source.ts';
import { scanParts, threadsFor } from './scan-parts.ts';

/** The longest text that there can be; more is refused before a byte of it is read. */
const MOST_TEXT_BYTES = constants.MAX_STRING_LENGTH;

/** A file as text; undefined when it is not there. Throws `file-unreadable`. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    const { size } = await stat(path);
    if (size > MOST_TEXT_BYTES)
      throw new ShiploadError(
        'file-unreadable',
        `${path} is ${Math.round(size / 1e6)} MB; as one document at most ${Math.round(MOST_TEXT_BYTES / 1e6)} MB are read`,
        { where: path },
      );
    return await readFile(path, 'utf8');
  } catch (cause) {
    if (cause instanceof ShiploadError) throw cause;
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new ShiploadError('file-unreadable', `cannot read ${path}: ${code ?? 'unknown'}`, {
      where: path,
      cause,
    });
  }
}

/** A file as text. Throws `file-not-found` or `file-unreadable`. */
export async function readText(path: string): Promise<string> {
  const text = await readIfThere(path);
  if (text === undefined) throw new ShiploadError('file-not-found', `there is no ${path}`, { where: path });
  return text;
}

const HEAD_BYTES = 200;

/** The first characters of a file; undefined where it cannot be read. */
export async function readHead(path: string): Promise<string | undefined> {
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const { bytesRead, buffer } = await file.read({ buffer: Buffer.alloc(HEAD_BYTES) });
    return buffer.toString('latin1', 0, bytesRead);
  } catch {
    return undefined;
  } finally {
    await file.close();
  }
}

/** Throws `log-format-unknown` where a log was asked for and a document of ours was given. */
async function refuseDocument(path: string): Promise<void> {
  const kind = kindOfText((await readHead(path)) ?? '');
  if (kind === undefined) return;
  throw new ShiploadError('log-format-unknown', `this is ${kind.what}, not an access log`, {
    where: path,
    hint: takenByText(kind),
  });
}

/** JSON with the place of the first fault: `code` at file:line:column. */
export function parseJson(text: string, path: string, code: ErrorCode = 'record-invalid'): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    const position = /position (\d+)/.exec(message)?.[1];
    const before = position === undefined ? '' : text.slice(0, Number(position));
    const line = before.split('\n').length;
    const column = before.length - before.lastIndexOf('\n');
    const place = position === undefined ? path : `${path}:${line}:${column}`;
    throw new ShiploadError(code, `this is not JSON: ${message}`, { where: place, cause });
  }
}

/**
 * The logs at these paths, opened when they are read; `-` is standard input. Long ones are counted by
 * several threads, or by as many as asked for. Throws `file-not-found` or `file-unreadable`.
 */
export async function openLogs(
  paths: readonly string[],
  options: { readonly threads?: number } = {},
): Promise<readonly LogSource[]> {
  return Promise.all(
    paths.map(async (path) => {
      if (path === '-') return { name: 'standard input', chunks: process.stdin };
      const entry = await stat(path).catch(() => undefined);
      if (entry === undefined)
        throw new ShiploadError('file-not-found', `there is no ${path}`, { where: path });
      if (entry.isDirectory()) {
        const isRun = (await readIfThere(join(path, RUN_FILES.manifest))) !== undefined;
        throw new ShiploadError('file-unreadable', `${path} is a ${isRun ? 'run' : 'folder'}, not a log`, {
          where: path,
          hint: isRun ? takenByText(RUN_KIND) : 'Name the files in it.',
        });
      }
      // A pipe (`<(zcat access.log.gz)`) comes once, like standard input.
      if (!entry.isFile()) return { name: basename(path), chunks: createReadStream(path) };
      await refuseDocument(path);
      const { size: byteLength } = entry;
      const threads = options.threads ?? threadsFor(byteLength);
      const inParts = (format: string): Promise<readonly ScannedPart[]> =>
        scanParts(path, byteLength, format, threads);
      return { ...fileSource(path), byteLength, ...(threads > 1 && { scanParts: inParts }) };
    }),
  );
}
