import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LogTable } from '../model/log-table.ts';
import { createRandom, drawExponential } from '../stats/random.ts';
import { findSessions } from './sessions.ts';

type Request = readonly [at: number, client: number, seconds: number, agent?: number];

const tableOf = (requests: readonly Request[], stampResolutionSeconds = 0.001): LogTable => ({
  files: ['x.log'],
  format: 'simple',
  timestampMeaning: 'start',
  stampResolutionSeconds,
  lines: { total: requests.length, blank: 0, comment: 0, ok: requests.length, badRequest: 0, unparsed: 0 },
  lineExamples: [],
  notices: [],
  rowCount: requests.length,
  atSeconds: requests.map(([at]) => at),
  responseTimeSeconds: requests.map(([, , seconds]) => seconds),
  status: requests.map(() => 200),
  methodIds: requests.map(() => 0),
  targetIds: requests.map(() => 0),
  clientIds: requests.map(([, client]) => client),
  agentIds: requests.map(([, , , agent]) => agent ?? 0),
  methods: ['GET'],
  targets: ['/'],
  clients: Array.from({ length: 100 }, (_, index) => `c${index}`),
  agents: ['', 'other'],
});

const find = (requests: readonly Request[], timeoutSeconds = 1800): ReturnType<typeof findSessions> =>
  findSessions(tableOf(requests), Uint32Array.from(requests.keys()), timeoutSeconds, true);

/** A user who loops for an hour: answer after `seconds`, then a pause with the given mean. */
function user(client: number, seconds: number, meanPause: number, seed: number): Request[] {
  const random = createRandom(seed);
  const requests: Request[] = [];
  for (let at = random.next(); at < 3600; at += seconds + drawExponential(random, meanPause))
    requests.push([at, client, seconds]);
  return requests;
}

test('a gap runs from the end of a request to the start of the next', () => {
  const { gapSeconds, sessionCount } = find([
    [10, 0, 0.5],
    [12, 0, 0.25],
    [15, 0, 1],
    [11, 1, 1],
  ]);
  assert.deepEqual([...gapSeconds], [1.5, 2.75]);
  assert.equal(sessionCount, 2);
});

test('a pause beyond the timeout ends the session and is no think time', () => {
  const requests: Request[] = [
    [0, 0, 1],
    [61, 0, 1],
    [122.001, 0, 1],
  ];
  const { gapSeconds, sessionCount } = find(requests, 60);
  assert.deepEqual([...gapSeconds], [60]);
  assert.equal(sessionCount, 2);
});

test('one address with two user agents is two clients', () => {
  const { gapSeconds, clientKeyCount } = find([
    [0, 0, 1, 0],
    [1, 0, 1, 1],
  ]);
  assert.deepEqual([gapSeconds.length, clientKeyCount], [0, 2]);
});

test('of users behind one address nothing is learned, the others give the think time', () => {
  const alone = Array.from({ length: 10 }, (_, client) => user(client, 0.5, 8, client)).flat();
  const together = Array.from({ length: 20 }, (_, index) => user(50, 0.5, 8, 100 + index)).flat();
  const found = find([...alone, ...together]);
  assert.deepEqual([found.sharedClientCount, found.notIdentifiable], [1, undefined]);
  assert.deepEqual([...found.gapSeconds], [...find(alone).gapSeconds]);
});

const NOT_TOLD = [
  ['one client', user(0, 0.1, 2, 1), /one client/],
  [
    'two gaps',
    [
      [0, 0, 1],
      [5, 0, 1],
      [0, 1, 1],
      [9, 1, 1],
    ],
    /only 2 gaps/,
  ],
  [
    'addresses that all stand for many',
    [0, 1, 2].flatMap((client) =>
      Array.from({ length: 20 }, (_, index) => user(client, 0.5, 8, client * 20 + index)).flat(),
    ),
    /3 of 3 clients/,
  ],
  [
    'a burst within one step of the stamps',
    [0, 1, 2].flatMap((client) => Array.from({ length: 20 }, () => [5, client, 0] as const)),
    /mean gap of a client is 0\.0 s/,
  ],
] as const;

for (const [what, requests, reason] of NOT_TOLD)
  test(`think time cannot be told from ${what}`, () => {
    assert.match(find(requests).notIdentifiable ?? '', reason);
  });
