import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Histogram } from '../stats/histogram.ts';
import { failureNotices } from './failures.ts';

type Step = Parameters<typeof failureNotices>[0];

const step = (more: Partial<Step>): Step => ({
  errorCodes: {},
  statusCounts: { 200: 100 },
  outcomeCounts: { ok: 100, error: 0, timeout: 0, dropped: 0 },
  retriedCount: 0,
  ...more,
});

const outcomes = (error: number, timeout: number) => ({ ok: 100, error, timeout, dropped: 0 });

function connectTimes(count: number) {
  const histogram = new Histogram();
  for (let i = 0; i < count; i++) histogram.record(0.004);
  return histogram.toData();
}

const beneath = (opened: number, followed: number): Partial<Step> => ({
  transport: {
    connectionsOpenedCount: opened,
    redirectsFollowedCount: followed,
    connectTime: connectTimes(opened),
  },
});

for (const [title, more, codes, severity, words] of [
  ['a step without a fault has nothing to say', {}, [], undefined, undefined],
  [
    'no port left is the generator’s fault and spoils the step',
    { errorCodes: { EADDRNOTAVAIL: 7 }, outcomeCounts: outcomes(7, 0) },
    ['generator-out-of-ports', 'failures'],
    'red-flag',
    /7 requests \(EADDRNOTAVAIL\)/,
  ],
  [
    'no descriptor left too, whichever limit it was',
    { errorCodes: { EMFILE: 2, ENFILE: 1 }, outcomeCounts: outcomes(3, 0) },
    ['generator-out-of-descriptors', 'failures'],
    'red-flag',
    /3 requests \(EMFILE, ENFILE\)/,
  ],
  [
    'nothing but redirects is no page',
    { statusCounts: { 301: 40, 302: 60 } },
    ['answers-are-redirects'],
    'warning',
    /100 of 100/,
  ],
  ['some redirects are', { statusCounts: { 200: 50, 302: 50 } }, [], undefined, undefined],
  ['304 is an answer and no redirect', { statusCounts: { 304: 100 } }, [], undefined, undefined],
  [
    'timeouts are told by how far they came',
    {
      errorCodes: { 'connect-timeout': 1, 'first-byte-timeout': 3, timeout: 2 },
      outcomeCounts: outcomes(0, 6),
    },
    ['timeouts'],
    'info',
    /6 requests timed out \(1 before the connection stood, 3 before the first byte of the answer, 2 in the/,
  ],
  [
    'failures are told by kind, the most frequent first, timeouts apart',
    { errorCodes: { ECONNRESET: 2, 'http-503': 9, timeout: 1 }, outcomeCounts: outcomes(11, 1) },
    ['timeouts', 'failures'],
    'info',
    undefined,
  ],
  [
    'requests sent again are counted',
    { retriedCount: 4, outcomeCounts: { ok: 400, error: 0, timeout: 0, dropped: 900 } },
    ['requests-sent-again'],
    'info',
    /^4 of 400 requests were sent again/,
  ],
  [
    'two of a short step may be chance',
    { retriedCount: 2, outcomeCounts: { ok: 20, error: 0, timeout: 0, dropped: 0 } },
    ['requests-sent-again'],
    'info',
    undefined,
  ],
  [
    'more than one in a hundred sent again is no chance',
    { retriedCount: 5, outcomeCounts: { ok: 400, error: 0, timeout: 0, dropped: 900 } },
    ['requests-sent-again'],
    'red-flag',
    /^5 of 400 requests .* too many for chance, it may have read them/,
  ],
  [
    'redirects that were followed are counted',
    beneath(1, 50),
    ['redirects-followed'],
    'info',
    /counts 50 requests more/,
  ],
  [
    'where connecting is part of the story its time stands apart',
    beneath(100, 0),
    ['connections-opened'],
    'info',
    /100 connections .* 4\.0\d ms/,
  ],
] as [string, Partial<Step>, string[], string | undefined, RegExp | undefined][]) {
  test(title, () => {
    const notices = failureNotices(step(more));
    assert.deepEqual(
      notices.map(({ code }) => code),
      codes,
    );
    assert.equal(notices[0]?.severity, severity);
    if (words !== undefined) assert.match(notices[0]!.message, words);
  });
}

test('where redirects are followed already, following is not advised', () => {
  const redirects = step({ statusCounts: { 302: 100 } });
  assert.match(failureNotices(redirects)[0]!.advice!, /--follow/);
  assert.doesNotMatch(failureNotices(redirects, true)[0]!.advice!, /--follow/);
});
