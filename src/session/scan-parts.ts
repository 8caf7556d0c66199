import { open, type FileHandle } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { type ScannedPart, scanPart } from '../access-log/scanned-part.ts';
import { fileSource } from './file-source.ts';

/** What a worker is told: see `scan-worker.ts`. */
export interface PartOrder {
  readonly path: string;
  readonly format: string;
  readonly fromByte: number;
  readonly toByte: number;
}

/** More threads than this wait for memory rather than work. */
const MOST_THREADS = 4;
const LEAST_PART_BYTES = 1 << 26;
const LINE_BREAK = 0x0a;

/** How many threads pay for a file of that size on this machine. */
export const threadsFor = (byteLength: number): number =>
  Math.max(1, Math.min(MOST_THREADS, availableParallelism(), Math.floor(byteLength / LEAST_PART_BYTES)));

/** Counts a file in parts that end with a line, each in a thread of its own, this one the first. Throws what a part throws. */
export async function scanParts(
  path: string,
  byteLength: number,
  format: string,
  threads: number,
): Promise<readonly ScannedPart[]> {
  const bounds = await lineBounds(path, byteLength, threads);
  const orders = bounds.slice(1).map((toByte, index) => ({ path, format, fromByte: bounds[index]!, toByte }));
  const [first, ...others] = orders;
  // Threads first: this one is busy from then on.
  const elsewhere = others.map(scanInThread);
  return Promise.all([scanHere(first!), ...elsewhere]);
}

const scanHere = ({ path, format: name, fromByte, toByte }: PartOrder): Promise<ScannedPart> =>
  scanPart(fileSource(path), name, fromByte, toByte);

/** 0, then the ends of the lines at equal distances, then the end of what the file held when it was opened. */
async function lineBounds(path: string, byteLength: number, parts: number): Promise<number[]> {
  const file = await open(path);
  try {
    const bounds = [0];
    for (let part = 1; part < parts; part += 1)
      bounds.push(
        await lineEndFrom(
          file,
          Math.max(bounds.at(-1)!, Math.floor((byteLength * part) / parts)),
          byteLength,
        ),
      );
    return [...bounds, byteLength];
  } finally {
    await file.close();
  }
}

async function lineEndFrom(file: FileHandle, from: number, byteLength: number): Promise<number> {
  const buffer = Buffer.alloc(1 << 16);
  for (let at = from; at < byteLength;) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
    if (bytesRead === 0) break;
    const found = buffer.subarray(0, bytesRead).indexOf(LINE_BREAK);
    if (found >= 0) return at + found + 1;
    at += bytesRead;
  }
  return byteLength;
}

function scanInThread(order: PartOrder): Promise<ScannedPart> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./scan-worker.js', import.meta.url), { workerData: order });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) =>
      reject(new Error(`the thread that reads ${order.path} ended with ${code}`)),
    );
  });
}
