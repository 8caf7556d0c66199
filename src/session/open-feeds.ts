import { resolve } from 'node:path';
import { ShiploadError } from '../errors.ts';
import type { PlanPart } from '../drive/plan-part.ts';
import type { FeedReader } from '../drive/scenario-host.ts';
import type { Step } from '../model/load.ts';
import type { Feed, FeedOrder } from '../scenario/feed.ts';
import { countText } from '../stats/wording.ts';
import { FeedFile } from './feed-file.ts';

/** The feeds of a scenario, opened when first taken from, by paths beside its file. */
export interface OpenFeeds extends FeedReader {
  /** Opens a feed now. Throws what `FeedFile.open` throws. */
  check(feed: Feed<unknown>): Promise<void>;
  /** The same, and reads what taking from it would have to read first. */
  prepare(feed: Feed<unknown>): Promise<void>;
  /** Throws `feed-invalid` where a unique feed has fewer records than there are users, who each need one. */
  requireRecords(feed: Feed<unknown>, userCount: number): Promise<void>;
  close(): Promise<void>;
}

/** `part`: the share of the records that is handed out here; `places`: of files that are not below the folder. */
export function openFeeds(
  folder: string,
  part?: PlanPart,
  places: ReadonlyMap<string, string> = new Map(),
): OpenFeeds {
  const files = new Map<string, Promise<FeedFile>>();
  const placeOf = (path: string): string => places.get(path) ?? resolve(folder, path);
  // Each order goes through the file on its own.
  const opened = (path: string, order: FeedOrder): Promise<FeedFile> => {
    const key = `${order} ${path}`;
    const known = files.get(key);
    if (known !== undefined) return known;
    const file = new FeedFile(path, part);
    const opening = file.open().then(() => file);
    files.set(key, opening);
    return opening;
  };
  return {
    async take({ path, order }, userIndex, random) {
      const file = await opened(placeOf(path), order);
      if (order === 'unique') return file.ofUser(userIndex);
      return order === 'random' ? file.any(random) : file.next();
    },
    async check({ path, order }) {
      try {
        await opened(placeOf(path), order);
      } catch (error) {
        if (!(error instanceof ShiploadError) || error.hint !== undefined) throw error;
        const { code, message, where, cause } = error;
        const hint = `The scenario names it: feed('${path}'), a path beside its file.`;
        throw new ShiploadError(code, message, { hint, ...(where !== undefined && { where }), cause });
      }
    },
    async prepare({ path, order }) {
      const file = await opened(placeOf(path), order);
      if (order === 'random') await file.prepareAny();
    },
    async requireRecords({ path, order }, userCount) {
      if (order !== 'unique') return;
      const where = placeOf(path);
      const recordCount = await (await opened(where, order)).countUpTo(userCount);
      if (recordCount >= userCount) return;
      throw new ShiploadError(
        'feed-invalid',
        `the file has ${countText(recordCount, 'record')}, and ${userCount} users need one each`,
        {
          where,
          hint: `Add records, run at most ${countText(recordCount, 'user')}, or let users share them: feed('${path}', { order: 'sequential' }).`,
        },
      );
    },
    async close() {
      for (const file of files.values()) await (await file.catch(() => undefined))?.close();
    },
  };
}

/**
 * Throws `feed-invalid` before a load in which more users take part than a unique feed has records. How many users an
 * open load needs shows only while it runs.
 */
export async function requireRecords(
  feeds: ReadonlySet<Feed<unknown>>,
  folder: string,
  steps: readonly Step[],
): Promise<void> {
  const userCount = Math.max(0, ...steps.map(({ driver }) => (driver.kind === 'closed' ? driver.users : 0)));
  const open = openFeeds(folder);
  try {
    for (const feed of feeds) await open.requireRecords(feed, userCount);
  } finally {
    await open.close();
  }
}
