import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CounterSeries, Frame } from '../model/measurement.ts';
import { generatorNotices } from './generator-notices.ts';

const frame = (seconds: number, errorCodes: Readonly<Record<string, number>> = {}): Frame =>
  ({ startedAtSeconds: 10, endedAtSeconds: 10 + seconds, errorCodes }) as unknown as Frame;

const counter = (quantity: string, first: number, last: number): CounterSeries => ({
  source: 'generator',
  quantity,
  unit: 'seconds',
  kind: 'cumulative',
  points: [
    [10, first],
    [15, last],
  ],
});

const cases: readonly {
  readonly title: string;
  readonly frames: readonly Frame[];
  readonly counters?: readonly CounterSeries[];
  readonly codes: readonly string[];
  readonly message?: RegExp;
}[] = [
  { title: 'a quiet window has none', frames: [frame(1), frame(1.4)], codes: [] },
  {
    title: 'a frame of eight seconds: seven were lost',
    frames: [frame(1), frame(8)],
    codes: ['generator-stood-still'],
    message: /for 7\.0 s/,
  },
  {
    title: 'sleep before the window does not count, sleep within it does',
    frames: [frame(1)],
    counters: [counter('suspendedSeconds', 100, 161.5)],
    codes: ['machine-suspended'],
    message: /61\.5 s/,
  },
  {
    title: 'sleep before the window alone is none of its business',
    frames: [frame(1)],
    counters: [counter('suspendedSeconds', 100, 100.02)],
    codes: [],
  },
  {
    title: 'a wall clock set back an hour is told as such',
    frames: [frame(1)],
    counters: [counter('clockStepSeconds', 0, -3600)],
    codes: ['wall-clock-stepped'],
    message: /back by 3600\.0 s/,
  },
  {
    title: 'no descriptors and no ports left, over two frames',
    frames: [frame(1, { EMFILE: 2, ECONNRESET: 5 }), frame(1, { EMFILE: 1, EADDRNOTAVAIL: 4 })],
    codes: ['generator-out-of-resources'],
    message: /EMFILE 3 times, EADDRNOTAVAIL 4 times/,
  },
];

for (const { title, frames, counters = [], codes, message = /^/ } of cases) {
  test(title, () => {
    const notices = generatorNotices(frames, counters);
    assert.deepEqual(
      notices.map(({ code }) => code),
      codes,
    );
    for (const notice of notices) assert.match(notice.message, message);
  });
}

test('what makes a step useless is a red flag, a stepped wall clock is only told', () => {
  const all = generatorNotices(
    [frame(8, { EMFILE: 1 })],
    [counter('suspendedSeconds', 0, 9), counter('clockStepSeconds', 0, 9)],
  );
  assert.deepEqual(
    all.map(({ severity }) => severity),
    ['red-flag', 'red-flag', 'red-flag', 'info'],
  );
});
