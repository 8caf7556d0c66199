import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import type { LogSource } from '../../src/access-log/read-log.ts';

/** A file as the reader takes it. */
export const logFile = (path: string): LogSource => ({
  name: basename(path),
  chunks: createReadStream(path, { highWaterMark: 1 << 20 }),
});

/** A text or bytes as a log, in chunks of `chunkBytes`. */
export function logText(content: string | Uint8Array, chunkBytes = 1 << 16, name = 'text.log'): LogSource {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  async function* chunks(): AsyncIterable<Uint8Array> {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  }
  return { name, chunks: chunks() };
}
