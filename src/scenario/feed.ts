import { ScenarioFault } from '../errors.ts';
import { didYouMean } from '../stats/did-you-mean.ts';
import { asText, shown } from './values.ts';
import { isRecord } from '../stats/is-record.ts';

/** How records are handed out. */
export const FEED_ORDERS = ['sequential', 'random', 'unique'] as const;
export type FeedOrder = (typeof FEED_ORDERS)[number];

/** Records of a file, read as they are needed. Where they are taken, `shipload` opens the file beside the scenario. */
export interface Feed<Row> {
  readonly kind: 'feed';
  readonly path: string;
  readonly order: FeedOrder;
  /** Only for the type. */
  readonly row?: Row;
}

/**
 * Records of a CSV file (first line: names) or a JSONL file. `sequential`: one after the other over all users,
 * from the start again after the last; `random`: each as likely, by the user's seed; `unique`: every user gets a
 * record of its own and keeps it, and a user for whom none is left fails.
 */
export function feed<Row = Readonly<Record<string, string>>>(
  path: string,
  options: { readonly order?: FeedOrder } = {},
): Feed<Row> {
  if (typeof path !== 'string' || path === '')
    throw new ScenarioFault(`feed: ${shown(path)} is no path of a CSV or JSONL file`);
  if (!isRecord(options)) throw new ScenarioFault(`feed: its options are an object, not ${shown(options)}`);
  const { order = 'sequential', ...others } = options;
  for (const name in others)
    throw new ScenarioFault(`a feed has no option "${name}"${didYouMean(name, ['order'])}`);
  if (!FEED_ORDERS.includes(order))
    throw new ScenarioFault(
      `feed: there is no order ${shown(order)}${didYouMean(asText(order), FEED_ORDERS)}`,
    );
  const made: Feed<Row> = { kind: 'feed', path, order };
  for (const feeds of collectors) feeds.add(made);
  return made;
}

const collectors = new Set<Set<Feed<unknown>>>();

/** The feeds that are made while `work` goes on, which loads a scenario: those its file names. */
export async function feedsMadeIn(work: () => Promise<unknown>): Promise<ReadonlySet<Feed<unknown>>> {
  const feeds = new Set<Feed<unknown>>();
  collectors.add(feeds);
  try {
    await work();
  } finally {
    collectors.delete(feeds);
  }
  return feeds;
}
