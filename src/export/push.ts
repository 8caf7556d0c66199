import type { MetricSnapshot } from './metric.ts';
import type { PushTarget } from './targets.ts';

const PUSH_MILLISECONDS = 5_000;

/** For stores that ask who writes: the value of the header `Authorization` of every push. */
export const AUTHORIZATION_VARIABLE = 'SHIPLOAD_EXPORT_AUTHORIZATION';

/** Sends a snapshot. Throws an `Error` in one line when it is not taken. */
export async function push(
  { name, url, headers, body }: PushTarget,
  snapshot: MetricSnapshot,
): Promise<void> {
  const authorization = process.env[AUTHORIZATION_VARIABLE] ?? basic(url);
  const bare = new URL(url);
  bare.username = '';
  bare.password = '';
  const response = await fetch(bare, {
    method: 'POST',
    headers: { ...headers, ...(authorization !== undefined && { authorization }) },
    body: body(snapshot),
    signal: AbortSignal.timeout(PUSH_MILLISECONDS),
  }).catch((cause: unknown) => {
    throw new Error(`${name} at ${bare.origin} could not be reached`, { cause });
  });
  const answer = await response.text().catch(() => '');
  if (!response.ok)
    throw new Error(`${name} at ${bare.origin} answered ${response.status} ${answer.slice(0, 200)}`);
}

function basic({ username, password }: URL): string | undefined {
  if (username === '') return undefined;
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}
