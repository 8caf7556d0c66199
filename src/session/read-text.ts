import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { LogSource } from '../access-log/read-log.ts';
import type { ScannedPart } from '../access-log/scanned-part.ts';
import { type ErrorCode, ShiploadError } from '../errors.ts';
import { fileSource } from './file-source.ts';
import { scanParts, threadsFor } from './scan-parts.ts';

/** A file as text; undefined when it is not there. Throws `file-unreadable`. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
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
        throw new ShiploadError('file-unreadable', `${path} is a folder, not a log`, {
          where: path,
          hint: 'Name the files in it.',
        });
      }
      // A pipe (`<(zcat access.log.gz)`) comes once, like standard input.
      if (!entry.isFile()) return { name: basename(path), chunks: createReadStream(path) };
      const { size: byteLength } = entry;
      const threads = options.threads ?? threadsFor(byteLength);
      const inParts = (format: string): Promise<readonly ScannedPart[]> =>
        scanParts(path, byteLength, format, threads);
      return { ...fileSource(path), byteLength, ...(threads > 1 && { scanParts: inParts }) };
    }),
  );
}
