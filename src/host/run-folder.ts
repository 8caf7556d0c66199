import { open, readFile, rename, writeFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { ShiploadError } from '../errors.ts';
import { makeFolder } from './make-folder.ts';
import type { CounterSample } from '../drive/counter-log.ts';
import type { Frame } from '../model/measurement.ts';
import type { RunManifest } from '../model/record.ts';
import type { WorkloadModel } from '../model/workload.ts';

/** A line of `segments.jsonl`: a second of a run. */
export interface Segment {
  readonly frame: Frame;
  readonly sample: CounterSample;
}

export const RUN_FILES = {
  manifest: 'run.json',
  workload: 'workload.json',
  segments: 'segments.jsonl',
  counters: 'counters.csv',
  requests: 'requests.csv',
  record: 'record.json',
  html: 'report.html',
  markdown: 'report.md',
} as const;

/** Turns what the file system says into an error with a hint; other errors pass through. */
export function writeError(path: string, cause: unknown): ShiploadError {
  const code = (cause as NodeJS.ErrnoException).code ?? 'unknown';
  const why: Readonly<Record<string, string>> = {
    ENOSPC: 'the disk is full',
    EDQUOT: 'the disk quota is used up',
    EACCES: 'permission denied',
    EROFS: 'the file system is read-only',
    ENOTDIR: 'a part of the path is not a folder',
    EEXIST: 'a file of that name is in the way',
    EMFILE: 'too many open files',
  };
  return new ShiploadError('cannot-write', `cannot write ${path}: ${why[code] ?? code}`, {
    where: path,
    hint: 'Choose another place with -o, or make room and run again.',
    cause,
  });
}

/**
 * The folder of one run, written while it goes. Appends never wait on the caller: they are queued, written in
 * order and flushed to the disk after every second, so that a killed run loses at most the last one. A failed
 * write is kept in `failure`; the run goes on in memory and the caller decides.
 */
export class RunFolder {
  readonly path: string;
  failure: ShiploadError | undefined;
  readonly #segments: FileHandle;
  #requests: FileHandle | undefined;
  #queue: Promise<void> = Promise.resolve();

  private constructor(path: string, segments: FileHandle) {
    this.path = path;
    this.#segments = segments;
  }

  /** Throws `run-folder-in-use` when the folder holds a run: asked before anything is started. */
  static async requireUnused(path: string): Promise<void> {
    if (await holdsRun(path)) throw folderInUse(path);
  }

  /** Throws `run-folder-in-use` when the folder holds a run already, `cannot-write` when it cannot be made. */
  static async create(path: string, manifest: RunManifest, workload?: WorkloadModel): Promise<RunFolder> {
    try {
      await makeFolder(path);
      await writeFile(join(path, RUN_FILES.manifest), toJson(manifest), { flag: 'wx', mode: 0o600 });
      if (workload !== undefined)
        await writeFile(join(path, RUN_FILES.workload), toJson(workload), { mode: 0o600 });
      return new RunFolder(path, await open(join(path, RUN_FILES.segments), 'a', 0o600));
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'EEXIST' && (await holdsRun(path))) {
        throw folderInUse(path);
      }
      throw writeError(path, cause);
    }
  }

  appendSegment(segment: Segment): void {
    const line = `${JSON.stringify(segment)}\n`;
    this.#enqueue(RUN_FILES.segments, async () => {
      await this.#segments.appendFile(line);
      await this.#segments.datasync();
    });
  }

  /** Writes the manifest of a plan that has grown, so that a killed run can still be read by its steps. */
  replaceManifest(manifest: RunManifest): void {
    this.#enqueue(RUN_FILES.manifest, () => this.#replace(RUN_FILES.manifest, toJson(manifest)));
  }

  /** Appends rows to `requests.csv`; the header comes with the first. */
  appendRequests(rows: string): void {
    this.#enqueue(RUN_FILES.requests, async () => {
      if (this.#requests === undefined) {
        this.#requests = await open(join(this.path, RUN_FILES.requests), 'a', 0o600);
        await this.#requests.appendFile('at_seconds,route,ms,failed\n');
      }
      await this.#requests.appendFile(rows);
    });
  }

  /** Writes a whole file: to a temporary name first, so that a reader never sees half of it. */
  async write(name: string, content: string): Promise<void> {
    await this.flush();
    try {
      await this.#replace(name, content);
    } catch (cause) {
      throw writeError(join(this.path, name), cause);
    }
  }

  async #replace(name: string, content: string): Promise<void> {
    const path = join(this.path, name);
    await writeFile(`${path}.part`, content, { mode: 0o600 });
    await rename(`${path}.part`, path);
  }

  /** Resolves when everything queued is on the disk, or has failed. */
  async flush(): Promise<void> {
    await this.#queue;
  }

  async close(): Promise<void> {
    await this.flush();
    await this.#segments.close();
    await this.#requests?.close();
  }

  #enqueue(name: string, work: () => Promise<void>): void {
    this.#queue = this.#queue.then(work).catch((cause: unknown) => {
      this.failure ??= writeError(join(this.path, name), cause);
    });
  }
}

const folderInUse = (path: string): ShiploadError =>
  new ShiploadError('run-folder-in-use', `${path} holds a run already`, {
    where: path,
    hint: 'Name another folder with -o or --label; a run never overwrites one.',
  });

async function holdsRun(path: string): Promise<boolean> {
  return readFile(join(path, RUN_FILES.manifest)).then(
    () => true,
    () => false,
  );
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 1)}\n`;
}

/** The segments that were written whole: a line cut off by a crash is the end. Throws `record-invalid` for a line before it that cannot be read. */
export function parseSegments(text: string, where: string): readonly Segment[] {
  const lines = text.split('\n');
  const segments: Segment[] = [];
  for (const [i, line] of lines.entries()) {
    if (line === '') continue;
    try {
      segments.push(JSON.parse(line) as Segment);
    } catch (cause) {
      if (lines.slice(i + 1).every((later) => later === '')) break;
      throw new ShiploadError('record-invalid', `line ${i + 1} is no segment of a run`, {
        where: `${where}:${i + 1}`,
        cause,
      });
    }
  }
  return segments;
}
