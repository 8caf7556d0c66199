import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '../host/virtual-clock.ts';
import { timeLimitsOf, type TimeLimits, timeoutOf } from './time-limits.ts';
import { TimeoutSweep, type Watched } from './timeout-sweep.ts';

/** Waits for its first byte for ever; notes when it was given up. */
class Waiting implements Watched {
  startedAtSeconds = Infinity;
  expiredAtSeconds: number | undefined;

  overdue(now: number, limits: TimeLimits) {
    return timeoutOf('waiting', now - this.startedAtSeconds, now - this.startedAtSeconds, limits);
  }

  expire(nowSeconds: number): void {
    this.expiredAtSeconds = nowSeconds;
    this.startedAtSeconds = Infinity;
  }
}

const limits = timeLimitsOf({ requestTimeoutSeconds: 2 } as Parameters<typeof timeLimitsOf>[0]);

test('each request is given up at its limit, at most one sweep late, and the clock has nothing to do after the last', () => {
  const clock = new VirtualClock();
  const sweep = new TimeoutSweep<Waiting>(clock, limits);
  const channels = [0, 0.03, 1.234].map((at) => {
    const channel = new Waiting();
    sweep.channels.add(channel);
    const begin = (): void => {
      channel.startedAtSeconds = at;
      sweep.watch(at);
    };
    clock.schedule(at, { onTime: begin });
    return { at, channel };
  });
  clock.run();
  for (const { at, channel } of channels) {
    const late = channel.expiredAtSeconds! - at - 2;
    assert.ok(late >= 0 && late <= limits.sweepSeconds + 1e-9, `${late} s late`);
  }
  // The last sweep found nothing in flight and planned no other.
  assert.ok(clock.nowSeconds() <= 1.234 + 2 + 2 * limits.sweepSeconds);
});

test('a request that was answered, or whose channel was taken away, is not given up', () => {
  const clock = new VirtualClock();
  const sweep = new TimeoutSweep<Waiting>(clock, limits);
  const [answered, taken] = [new Waiting(), new Waiting()];
  for (const channel of [answered, taken]) {
    sweep.channels.add(channel);
    channel.startedAtSeconds = 0;
    sweep.watch(0);
  }
  clock.schedule(1, { onTime: () => (answered.startedAtSeconds = Infinity) });
  clock.schedule(1, { onTime: () => sweep.channels.delete(taken) });
  clock.run();
  assert.deepEqual([answered.expiredAtSeconds, taken.expiredAtSeconds], [undefined, undefined]);
});
