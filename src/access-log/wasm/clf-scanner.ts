import { CLF_PROGRAM, MEMORY_MAP, RECORD_BYTES } from './clf-program.ts';
import { assemble } from './wat.ts';

/** As much of the WebAssembly interface as is used here; engines without it have no such global. */
interface Engine {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: Exports };
}

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly scan: (at: number, end: number, record: number, recordsEnd: number, layout: number) => number;
}

const engine = (globalThis as { readonly WebAssembly?: Engine }).WebAssembly;

let compiled: object | undefined | 'refused';

/** The scanner in an instance of its own; undefined where the engine has no vectors of 128 bits. */
export function openScanner(): ClfScanner | undefined {
  if (compiled === undefined)
    try {
      compiled = new engine!.Module(assemble(CLF_PROGRAM));
    } catch {
      compiled = 'refused';
    }
  return compiled === 'refused' ? undefined : new ClfScanner(new engine!.Instance(compiled).exports);
}

/** Runs the program on pieces of a block of lines. */
export class ClfScanner {
  /** `RECORD`s of the lines last scanned; their places count from `origin`. */
  readonly records: Int32Array;
  readonly #scan: Exports['scan'];
  readonly #lines: Uint8Array;

  constructor({ memory, scan }: Exports) {
    this.records = new Int32Array(memory.buffer, MEMORY_MAP.records);
    this.#lines = new Uint8Array(memory.buffer, MEMORY_MAP.lines);
    this.#scan = scan;
  }

  /** What to add to a place in a record to make it one in the bytes that were scanned from `start`. */
  origin(start: number): number {
    return start - MEMORY_MAP.lines;
  }

  /**
   * Scans lines of [start, end), which ends in a line break, and returns how many it has made records of; 0
   * where the first line is too long.
   */
  scan(bytes: Uint8Array, start: number, end: number, layout: number): number {
    const most = Math.min(end - start, MEMORY_MAP.lineBytes);
    const piece = bytes.subarray(start, start + most);
    const length = piece.lastIndexOf(LINE_BREAK) + 1;
    if (length === 0) return 0;
    this.#lines.set(piece);
    const from = MEMORY_MAP.lines;
    const recordsEnd = this.#scan(from, from + length, MEMORY_MAP.records, from, layout);
    return (recordsEnd - MEMORY_MAP.records) / RECORD_BYTES;
  }
}

const LINE_BREAK = 10;
