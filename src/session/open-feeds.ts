import { resolve } from 'node:path';
import type { FeedReader } from '../drive/scenario-host.ts';
import type { FeedOrder } from '../scenario/feed.ts';
import { FeedFile } from './feed-file.ts';

/** The feeds of a scenario, opened when first taken from, by paths beside its file. */
export interface OpenFeeds extends FeedReader {
  close(): Promise<void>;
}

export function openFeeds(folder: string): OpenFeeds {
  const files = new Map<string, Promise<FeedFile>>();
  // Each order goes through the file on its own.
  const opened = (path: string, order: FeedOrder): Promise<FeedFile> => {
    const key = `${order} ${path}`;
    const known = files.get(key);
    if (known !== undefined) return known;
    const file = new FeedFile(path);
    const opening = file.open().then(() => file);
    files.set(key, opening);
    return opening;
  };
  return {
    async take({ path, order }, userIndex, random) {
      const file = await opened(resolve(folder, path), order);
      if (order === 'unique') return file.ofUser(userIndex);
      return order === 'random' ? file.any(random) : file.next();
    },
    async close() {
      for (const file of files.values()) await (await file.catch(() => undefined))?.close();
    },
  };
}
