import { basename } from 'node:path';
import type { LogSource } from '../access-log/read-log.ts';
import { fileChunks } from './file-chunks.ts';

/** A log in a regular file, which can be opened again anywhere. */
export function fileSource(path: string): LogSource & Required<Pick<LogSource, 'reopen'>> {
  const reopen = (from: number, to: number): LogSource['chunks'] => fileChunks(path, from, to);
  return { name: basename(path), chunks: reopen(0, Infinity), reopen };
}
