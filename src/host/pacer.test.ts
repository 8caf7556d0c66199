import assert from 'node:assert/strict';
import { test } from 'node:test';
import { realTimeTest } from '../../test/support/calm.ts';
import { Pacer } from './pacer.ts';
import { RealClock } from './real-clock.ts';

const nowSeconds = (): number => performance.now() / 1e3;
/** A busy machine spoils many wake-ups and not the best quarter; timers, in steps of 1 ms, are late by 0.25 ms there. */
const lowerQuartile = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 2] ?? NaN;

/** Asks for `count` wake-ups, one after the other, each at its time of a grid; how late each came, in seconds. */
async function latenessOf(count: number, gapSeconds: number): Promise<readonly number[]> {
  const lateSeconds: number[] = [];
  let atSeconds = nowSeconds() + 0.2;
  await new Promise<void>((resolve) => {
    const pacer = new Pacer(() => {
      lateSeconds.push(nowSeconds() - atSeconds);
      if (lateSeconds.length === count) {
        pacer.stop();
        resolve();
        return;
      }
      atSeconds += gapSeconds;
      pacer.wakeAt(atSeconds);
    });
    pacer.wakeAt(atSeconds);
    // The pacer alone keeps no process alive.
    const hold = setInterval(() => lateSeconds.length === count && clearInterval(hold), 20);
  });
  return lateSeconds;
}

realTimeTest('a pacer wakes at the time asked for, never before, far finer than a timer', async () => {
  // A gap that is no whole number of milliseconds: timers alone would be late by half a step in the middle.
  const lateSeconds = await latenessOf(300, 0.0013);
  assert.ok(Math.min(...lateSeconds) > -1e-6, `early by ${-Math.min(...lateSeconds)} s`);
  assert.ok(
    lowerQuartile(lateSeconds) < 0.0002,
    `the best quarter is late by ${lowerQuartile(lateSeconds)} s`,
  );
});

test('an earlier time replaces a later one, and a sleeping pacer is woken for it', async () => {
  const woken = await new Promise<number>((resolve) => {
    const pacer = new Pacer(() => {
      pacer.stop();
      clearTimeout(hold);
      resolve(nowSeconds());
    });
    const hold = setTimeout(() => resolve(Infinity), 5000);
    pacer.wakeAt(nowSeconds() + 60);
    setTimeout(() => pacer.wakeAt(nowSeconds() + 0.01), 300);
  });
  assert.ok(woken < Infinity, 'the earlier time was not heard of');
});

realTimeTest('tasks a few milliseconds apart are called closer to their time than a timer can', async () => {
  const clock = new RealClock();
  const lateSeconds: number[] = [];
  await new Promise<void>((resolve) => {
    let atSeconds = clock.nowSeconds() + 0.01;
    const task = {
      onTime(): void {
        lateSeconds.push(clock.nowSeconds() - atSeconds);
        if (lateSeconds.length === 700) return resolve();
        atSeconds += 0.0033;
        clock.schedule(atSeconds, task);
      },
    };
    clock.schedule(atSeconds, task);
  });
  // The clock looks at half a second before it decides, and the thread has to start.
  const settled = lateSeconds.slice(400);
  assert.ok(lowerQuartile(settled) < 0.0002, `the best quarter is late by ${lowerQuartile(settled)} s`);
});

test('what is due is called when whoever handled an answer offers it, not before and not twice', () => {
  const clock = new RealClock();
  let calls = 0;
  clock.schedule(clock.nowSeconds() + 0.0005, { onTime: () => (calls += 1) });
  clock.catchUp();
  assert.equal(calls, 0);
  const start = clock.nowSeconds();
  while (clock.nowSeconds() < start + 0.001);
  clock.catchUp();
  clock.catchUp();
  assert.equal(calls, 1);
});

test('a task that is called in passing may schedule itself, and is not called again within the same turn', () => {
  const clock = new RealClock();
  let calls = 0;
  const task = {
    onTime(): void {
      calls += 1;
      clock.catchUp();
      if (calls < 3) clock.schedule(clock.nowSeconds(), task);
    },
  };
  clock.schedule(clock.nowSeconds(), task);
  clock.nowSeconds();
  clock.catchUp();
  assert.equal(calls, 1);
});
