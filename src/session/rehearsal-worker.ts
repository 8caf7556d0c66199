import { dirname, resolve } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { ShiploadError } from '../errors.ts';
import { loadScenario } from './load-scenario.ts';
import { openFeeds } from './open-feeds.ts';
import type { RehearsalMessage, RehearsalTask } from './open-scenario.ts';
import { rehearse } from './rehearse.ts';

/** Loads and rehearses a scenario in a thread of its own, so that one which never gives the word back can be ended. */
async function work({ path, origin, seed }: RehearsalTask): Promise<void> {
  const say = (message: RehearsalMessage): void => parentPort!.postMessage(message);
  try {
    const { compiled } = await loadScenario(path, origin);
    const feeds = openFeeds(dirname(resolve(path)));
    const headers = compiled.headers;
    const onJourney = (name: string): void => say({ kind: 'journey', name });
    const rehearsal = await rehearse(compiled, { origin, seed, feeds, headers, onJourney });
    await feeds.close();
    say({ kind: 'done', rehearsal });
  } catch (error) {
    if (!(error instanceof ShiploadError)) throw error;
    const { code, message, hint, where } = error;
    say({
      kind: 'refused',
      code,
      message,
      ...(hint !== undefined && { hint }),
      ...(where !== undefined && { where }),
    });
  }
}

await work(workerData as RehearsalTask);
