import { open, readdir, readFile, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { ShiploadError } from '../errors.ts';
import { makeFolder } from './make-folder.ts';
import type { Segment } from './segments.ts';
import { hideSecrets } from './secret-values.ts';
import { claimFile, replaceFile, syncFolder, writeError } from './write-file.ts';
import type { RunManifest } from '../model/record.ts';
import type { WorkloadModel } from '../model/workload.ts';

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

/**
 * The folder of one run, written while it goes. Appends never wait on the caller: they are queued, written in
 * order and flushed to the disk after every second, so that a killed run loses at most the last one. A failed
 * write is kept in `failure`; the run goes on in memory and the caller decides. Values marked as secret are in no file.
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

  /**
   * Throws `run-folder-in-use` when the folder holds a run or a set of them, or is to lie within a run: a run would be
   * mixed with what it has nothing to do with. Asked before anything is started.
   */
  static async requireUnused(path: string): Promise<void> {
    if (await holdsRun(path)) throw folderInUse(path);
    const [first, ...others] = await runsBelow(path);
    if (first !== undefined) {
      const names = [first, ...others.slice(0, 2)].map((folder) => basename(folder)).join(', ');
      throw folderInUse(path, `runs already (${names}${others.length > 2 ? ', …' : ''})`);
    }
    const parent = dirname(resolve(path));
    if (await holdsRun(parent)) throw folderInUse(parent);
  }

  /** Throws `run-folder-in-use` when the folder holds a run already, `cannot-write` when it cannot be made. */
  static async create(path: string, manifest: RunManifest, workload?: WorkloadModel): Promise<RunFolder> {
    try {
      await makeFolder(path);
      await claimFile(join(path, RUN_FILES.manifest), toJson(manifest));
      if (workload !== undefined) await replaceFile(join(path, RUN_FILES.workload), toJson(workload));
      const folder = new RunFolder(path, await open(join(path, RUN_FILES.segments), 'a', 0o600));
      await syncFolder(path);
      return folder;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'EEXIST' && (await holdsRun(path))) {
        throw folderInUse(path);
      }
      throw writeError(path, cause);
    }
  }

  appendSegment(segment: Segment): void {
    const line = hideSecrets(`${JSON.stringify(segment)}\n`);
    this.#enqueue(RUN_FILES.segments, async () => {
      await this.#segments.appendFile(line);
      await this.#segments.datasync();
    });
  }

  /** Writes the manifest of a plan that has grown, so that a killed run can still be read by its steps. */
  replaceManifest(manifest: RunManifest): void {
    this.#enqueue(RUN_FILES.manifest, () =>
      replaceFile(join(this.path, RUN_FILES.manifest), toJson(manifest)),
    );
  }

  /** Appends rows to `requests.csv`; the header comes with the first. */
  appendRequests(rows: string): void {
    this.#enqueue(RUN_FILES.requests, async () => {
      if (this.#requests === undefined) {
        this.#requests = await open(join(this.path, RUN_FILES.requests), 'a', 0o600);
        await this.#requests.appendFile('at_seconds,route,ms,failed\n');
      }
      await this.#requests.appendFile(hideSecrets(rows));
    });
  }

  /** Writes a whole file: to a temporary name first, so that a reader never sees half of it. */
  async write(name: string, content: string): Promise<void> {
    await this.flush();
    try {
      await replaceFile(join(this.path, name), hideSecrets(content));
    } catch (cause) {
      throw writeError(join(this.path, name), cause);
    }
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

/** The folders right below that hold a run, by their names. */
export async function runsBelow(path: string): Promise<readonly string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const folders: string[] = [];
  for (const name of names.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })))
    if (await holdsRun(join(path, name))) folders.push(join(path, name));
  return folders;
}

const folderInUse = (path: string, what = 'a run already'): ShiploadError =>
  new ShiploadError('run-folder-in-use', `${path} holds ${what}`, {
    where: path,
    hint: 'Name another folder with -o or --label; a run never overwrites one.',
  });

/** Whether the folder is that of a run. */
export async function holdsRun(path: string): Promise<boolean> {
  return readFile(join(path, RUN_FILES.manifest)).then(
    () => true,
    () => false,
  );
}

function toJson(value: unknown): string {
  return hideSecrets(`${JSON.stringify(value, null, 1)}\n`);
}
