import { parentPort, workerData } from 'node:worker_threads';
import { scanPart } from '../access-log/scanned-part.ts';
import { fileSource } from './file-source.ts';
import type { PartOrder } from './scan-parts.ts';

/** A thread that counts one part of a log and posts what it has counted. */
const { path, format, fromByte, toByte } = workerData as PartOrder;
const part = await scanPart(fileSource(path), format, fromByte, toByte);
parentPort!.postMessage(part, []);
