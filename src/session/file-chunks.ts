import { open } from 'node:fs/promises';

const CHUNK_BYTES = 1 << 20;

/**
 * Bytes [fromByte, toByte) of a file in chunks. Two buffers take turns: while one is looked at, the other is
 * filled. A chunk holds its bytes only until the next one is asked for.
 */
export async function* fileChunks(
  path: string,
  fromByte: number,
  toByte: number,
): AsyncGenerator<Uint8Array> {
  const file = await open(path);
  try {
    let at = fromByte;
    const fill = async (buffer: Uint8Array): Promise<Uint8Array> => {
      const length = Math.min(buffer.length, toByte - at);
      const { bytesRead } = await file.read(buffer, 0, length, at);
      at += bytesRead;
      return buffer.subarray(0, bytesRead);
    };
    let spare = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    let used = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    let next = fill(spare);
    for (;;) {
      const chunk = await next;
      if (chunk.length === 0) return;
      [spare, used] = [used, spare];
      next = fill(spare);
      // A consumer that stops early, or fails, leaves this one unasked for.
      next.catch(() => undefined);
      yield chunk;
    }
  } finally {
    await file.close();
  }
}
