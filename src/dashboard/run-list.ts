import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { RUN_FILES } from '../host/run-folder.ts';
import { parseRunManifest } from '../record/validate.ts';
import { DECISION_WORDS } from '../report/words.ts';
import type { RunManifest, RunRecord } from '../model/record.ts';
import type { Verdict } from '../model/verdict.ts';

/** What the files of a run say of it. */
interface ReadRun {
  /** Path of its folder below the one that is listed, with slashes: how it is addressed. */
  readonly name: string;
  readonly label: string;
  readonly startedAt: string;
  readonly url: string;
  readonly state: RunManifest['state'];
  readonly decision: Verdict['decision'] | undefined;
  readonly reason: string | undefined;
  readonly peakThroughputPerSecond: number | undefined;
  readonly stepCount: number;
}

/** A run as the list shows it. */
export interface ListedRun extends ReadRun {
  /** It has a record that cannot be read: what is shown is of its beginning. */
  readonly isBroken: boolean;
  /** It has no record and has written nothing for a while: killed, or busy with what is not stored by the second. */
  readonly isSilent: boolean;
}

/** Sets of runs and demos are folders of runs; deeper ones are somebody else's. */
const DEEPEST = 3;
/** A run that goes on writes every second. */
export const SILENCE_MILLISECONDS = 10_000;

/** The runs of a folder and of the sets in it, newest first. What was read is kept as long as its file does not change. */
export class RunList {
  readonly #folder: string;
  readonly #known = new Map<string, { readonly stamp: string; readonly run: ReadRun }>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  pathOf(name: string): string {
    return join(this.#folder, name);
  }

  async read(): Promise<readonly ListedRun[]> {
    const runs = await this.#below('', 1);
    return runs.sort((a, b) => b.startedAt.localeCompare(a.startedAt) || a.name.localeCompare(b.name));
  }

  async #below(parent: string, depth: number): Promise<ListedRun[]> {
    const entries = await readdir(this.pathOf(parent), { withFileTypes: true }).catch(() => []);
    const runs: ListedRun[] = [];
    for (const entry of entries) {
      if (!entry.isDirectory() || entry.name === 'node_modules') continue;
      const name = parent === '' ? entry.name : `${parent}/${entry.name}`;
      const run = await this.#readOne(name);
      if (run !== undefined) runs.push(run);
      else if (depth < DEEPEST) runs.push(...(await this.#below(name, depth + 1)));
    }
    return runs;
  }

  /** The run of a name in the list; undefined for any other, so that no path leads out of the folder. */
  async find(name: string): Promise<ListedRun | undefined> {
    return (await this.read()).find((run) => run.name === name);
  }

  async #readOne(name: string): Promise<ListedRun | undefined> {
    let isBroken = false;
    for (const file of [RUN_FILES.record, RUN_FILES.manifest]) {
      const path = join(this.#folder, name, file);
      const stamp = await stampOf(path);
      if (stamp === undefined) continue;
      const known = this.#known.get(name);
      const run =
        known?.stamp === stamp ? known.run : await readListed(path, name, file === RUN_FILES.record);
      if (run !== undefined) {
        this.#known.set(name, { stamp, run });
        return { ...run, isBroken, isSilent: run.state === 'running' && (await this.#isSilent(name)) };
      }
      isBroken = file === RUN_FILES.record;
    }
    return undefined;
  }

  async #isSilent(name: string): Promise<boolean> {
    const times = await Promise.all(
      [RUN_FILES.segments, RUN_FILES.manifest].map((file) =>
        stat(join(this.#folder, name, file)).then(
          ({ mtimeMs }) => mtimeMs,
          () => 0,
        ),
      ),
    );
    return Date.now() - Math.max(...times) > SILENCE_MILLISECONDS;
  }
}

async function stampOf(path: string): Promise<string | undefined> {
  return stat(path).then(
    ({ mtimeMs, size }) => `${path} ${mtimeMs} ${size}`,
    () => undefined,
  );
}

/**
 * Undefined for a file that is no run: a list does not fail because of one folder. Of a record only what the list
 * shows is looked at; opening it checks the whole.
 */
async function readListed(path: string, name: string, isRecord: boolean): Promise<ReadRun | undefined> {
  try {
    const value = JSON.parse(await readFile(path, 'utf8')) as Partial<RunRecord>;
    const manifest = parseRunManifest(isRecord ? value.manifest : value, path);
    const { decision, reason } = value.verdict ?? {};
    const throughputs = (value.analysis?.steps ?? [])
      .filter(({ valid }) => valid)
      .map((step) => step.throughputPerSecond);
    return {
      name,
      label: manifest.label,
      startedAt: manifest.startedAt,
      url: manifest.service.url,
      state: manifest.state,
      decision: decision !== undefined && Object.hasOwn(DECISION_WORDS, decision) ? decision : undefined,
      reason,
      peakThroughputPerSecond: throughputs.length > 0 ? Math.max(...throughputs) : undefined,
      stepCount: manifest.plan.steps.length,
    };
  } catch {
    return undefined;
  }
}
