import { resolve } from 'node:path';
import { ShiploadError } from '../errors.ts';
import type { PlanPart } from '../drive/plan-part.ts';
import type { FeedReader } from '../drive/scenario-host.ts';
import type { Feed, FeedOrder } from '../scenario/feed.ts';
import { FeedFile } from './feed-file.ts';

/** The feeds of a scenario, opened when first taken from, by paths beside its file. */
export interface OpenFeeds extends FeedReader {
  /** Opens a feed now. Throws what `FeedFile.open` throws. */
  check(feed: Feed<unknown>): Promise<void>;
  /** The same, and reads what taking from it would have to read first. */
  prepare(feed: Feed<unknown>): Promise<void>;
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
    async close() {
      for (const file of files.values()) await (await file.catch(() => undefined))?.close();
    },
  };
}
