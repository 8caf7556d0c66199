import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '../host/virtual-clock.ts';
import type { TransportMeasurement } from '../model/measurement.ts';
import { paceProtocol } from './paced.ts';
import type { Channel, Protocol } from './protocol.ts';

/** Notes when each request went out, and answers it at once. */
function noting(clock: VirtualClock) {
  const sentAt: number[] = [];
  const protocol: Protocol = {
    name: 'noting',
    connectionCount: 0,
    openChannel: (onDone) => {
      const channel = {
        outcome: 'ok' as const,
        status: 200,
        errorCode: '',
        receivedBytes: 0,
        sentAtSeconds: 0,
        endedAtSeconds: 0,
        retried: false,
        send: () => {
          sentAt.push(clock.nowSeconds());
          clock.schedule(clock.nowSeconds(), { onTime: () => onDone(channel) });
        },
        close: () => {},
      };
      return channel;
    },
    close: () => Promise.resolve(),
  };
  return { protocol, sentAt };
}

for (const [maxPerSecond, workers] of [
  [50, 1],
  [50, 300],
  [0.5, 3],
  [2500, 40],
] as const) {
  test(`${workers} workers without a pause send ${maxPerSecond} a second, never more than that over a second's depth`, () => {
    const clock = new VirtualClock();
    const { protocol, sentAt } = noting(clock);
    const paced = paceProtocol(protocol, clock, maxPerSecond);
    const again = (channel: Channel): void => channel.send(0, '/');
    for (let i = 0; i < workers; i += 1) again(paced.openChannel(again));
    clock.run(20);
    const depth = Math.max(1, maxPerSecond);
    for (let from = 0; from < sentAt.length; from += Math.ceil(sentAt.length / 50)) {
      for (let to = from; to < sentAt.length; to += 1) {
        const allowed = maxPerSecond * (sentAt[to]! - sentAt[from]!) + depth;
        assert.ok(to - from + 1 <= allowed + 1e-6, `${to - from + 1} requests, ${allowed} allowed`);
      }
    }
    assert.ok(Math.abs(sentAt.length - (depth + 20 * maxPerSecond)) <= 0.02 * sentAt.length + 1);
    assert.ok(paced.heldCount > 0);
  });
}

test('below the ceiling nothing waits', () => {
  const clock = new VirtualClock();
  const { protocol, sentAt } = noting(clock);
  const paced = paceProtocol(protocol, clock, 100);
  const channel = paced.openChannel(() => {});
  for (let i = 0; i < 500; i += 1) clock.schedule(i * 0.0125, { onTime: () => channel.send(0, '/') });
  clock.run();
  assert.equal(sentAt.length, 500);
  assert.equal(paced.heldCount, 0);
});

test('a channel that is closed while it waits sends nothing', () => {
  const clock = new VirtualClock();
  const { protocol, sentAt } = noting(clock);
  const paced = paceProtocol(protocol, clock, 1);
  const channels = [0, 1, 2].map(() => paced.openChannel(() => {}));
  for (const channel of channels) channel.send(0, '/');
  channels[1]!.close();
  clock.run(10);
  assert.deepEqual(
    sentAt.map((seconds) => Math.round(seconds)),
    [0, 1],
  );
});

test('what was held back is taken with the transport, each once', () => {
  const clock = new VirtualClock();
  const { protocol } = noting(clock);
  const connectTime = { bits: 1 } as unknown as TransportMeasurement['connectTime'];
  const takeTransport = () => ({ connectionsOpenedCount: 0, redirectsFollowedCount: 0, connectTime });
  const paced = paceProtocol({ ...protocol, takeTransport }, clock, 1);
  const channels = Array.from({ length: 4 }, () => paced.openChannel(() => {}));
  for (const channel of channels) channel.send(0, '/');
  assert.equal(paced.takeTransport!().heldCount, 3);
  assert.equal(paced.takeTransport!().heldCount, undefined);
  assert.equal(paced.heldCount, 3);
});
