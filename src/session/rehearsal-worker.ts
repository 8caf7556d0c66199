import { dirname, resolve } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { FeedReader } from '../drive/scenario-host.ts';
import { ShiploadError } from '../errors.ts';
import { onSecret } from '../host/secret-values.ts';
import { feedsMadeIn } from '../scenario/feed.ts';
import { type LoadedScenario, loadScenario, placeOf } from './load-scenario.ts';
import { openFeeds } from './open-feeds.ts';
import type { RehearsalMessage, RehearsalTask } from './open-scenario.ts';
import { rehearse } from './rehearse.ts';

const say = (message: RehearsalMessage): void => parentPort!.postMessage(message);

onSecret((value) => say({ kind: 'secret', value }));

/** Drawing at random would read a whole file before the first record. */
const firstOf = (feeds: FeedReader): FeedReader => ({
  take: (feed, ...draw) =>
    feeds.take(feed.order === 'random' ? { ...feed, order: 'sequential' } : feed, ...draw),
});

/** Loads and rehearses a scenario in a thread of its own, so that one which never gives the word back can be ended. */
async function work({ path, origin, seed, isDry }: RehearsalTask): Promise<void> {
  const feeds = openFeeds(dirname(resolve(path)));
  try {
    let loaded: LoadedScenario | undefined;
    const made = await feedsMadeIn(async () => (loaded = await loadScenario(path, origin, isDry)));
    // All that the file names, also those that the first user never comes to.
    for (const feed of made) await feeds.check(feed);
    const { compiled } = loaded!;
    const { headers } = compiled;
    const onJourney = (name: string): void => say({ kind: 'journey', name });
    const rehearsal = await rehearse(compiled, { origin, seed, feeds: firstOf(feeds), headers, onJourney });
    say({ kind: 'done', rehearsal });
  } catch (error) {
    if (!(error instanceof ShiploadError)) throw error;
    const { code, message, hint, where, cause } = error;
    const place = where ?? placeOf(cause ?? error, path) ?? path;
    say({ kind: 'refused', code, message, where: place, ...(hint !== undefined && { hint }) });
  } finally {
    await feeds.close();
  }
}

// Deep enough to reach the scenario's own line from within the library.
Error.stackTraceLimit = 50;

await work(workerData as RehearsalTask);
