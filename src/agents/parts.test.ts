import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { LoadPlan } from '../model/load.ts';
import { closedStep } from '../../test/support/simulate.ts';
import { packBundle, unpackBundle } from './bundle.ts';
import { driftBeyondDoubt, estimateOffset } from './clock-offset.ts';
import { EventInbox } from './event-inbox.ts';
import { frameTimes, SampleLog } from './sample-log.ts';
import { makeKeyPair, openSigned, signingKeyOf, signMessage, trustedKeyOf } from './signature.ts';
import { eventOf, fits, SUBJECTS } from './subjects.ts';

test('the offset of a clock is found within half of the shortest round trip, whatever the ways take', () => {
  const way = fc.double({ min: 0.0001, max: 0.5, noNaN: true });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(way, way), { minLength: 15, maxLength: 30 }),
      fc.double({ min: -1e5, max: 1e5, noNaN: true }),
      (ways, trueOffset) => {
        let now = 0;
        const pings = ways.map(([out, back]) => {
          const sentAtSeconds = (now += 0.01);
          const remoteAtSeconds = (now += out) + trueOffset;
          const receivedAtSeconds = (now += back);
          return { sentAtSeconds, remoteAtSeconds, receivedAtSeconds };
        });
        const { offsetSeconds, uncertaintySeconds } = estimateOffset(pings);
        const shortest = Math.min(...ways.map(([out, back]) => out + back));
        assert.ok(Math.abs(uncertaintySeconds - shortest / 2) < 1e-9);
        assert.ok(Math.abs(offsetSeconds - trueOffset) <= uncertaintySeconds + 1e-9);
      },
    ),
  );
});

test('a clock has drifted only beyond what both estimates leave open', () => {
  const at = (offsetSeconds: number, uncertaintySeconds: number) => ({
    offsetSeconds,
    uncertaintySeconds,
    pingCount: 15,
  });
  assert.equal(driftBeyondDoubt(at(1, 0.002), at(1.003, 0.002)), 0);
  assert.ok(Math.abs(driftBeyondDoubt(at(1, 0.002), at(1.01, 0.001)) - 0.007) < 1e-12);
});

test('events in any order, as often as they come, are handed on once and in order', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 30 }),
      fc.array(fc.nat(29), { maxLength: 60 }),
      fc.infiniteStream(fc.nat()),
      (length, again, order) => {
        const received: number[] = [];
        const inbox = new EventInbox((seq, data) => {
          assert.equal(data[0], seq);
          received.push(seq);
        });
        const rank = Array.from({ length }, () => order.next().value as number);
        const all = [...Array.from({ length }, (_, i) => i), ...again.filter((seq) => seq < length)];
        for (const seq of all.toSorted((a, b) => rank[a]! - rank[b]!)) inbox.receive(seq, Uint8Array.of(seq));
        assert.deepEqual(
          received,
          Array.from({ length }, (_, i) => i),
        );
        assert.equal(inbox.duplicateCount, all.length - length);
        assert.equal(inbox.hasGap, false);
      },
    ),
  );
});

test('what was signed is opened by the trusted key alone, for its subject alone, and unchanged alone', () => {
  const [own, other] = [makeKeyPair(), makeKeyPair()];
  const message = { runId: 'r', count: 1 };
  const data = signMessage(signingKeyOf(own.privatePem), 'shipload.run.r.beat', message);
  const trusted = [trustedKeyOf(other.publicPem), trustedKeyOf(own.publicPem)];
  assert.deepEqual(openSigned(trusted, 'shipload.run.r.beat', data), message);
  assert.equal(openSigned(trusted, 'shipload.run.s.beat', data), undefined);
  assert.equal(openSigned([trustedKeyOf(other.publicPem)], 'shipload.run.r.beat', data), undefined);
  const changed = new TextDecoder().decode(data).replace('1', '2');
  assert.equal(openSigned(trusted, 'shipload.run.r.beat', new TextEncoder().encode(changed)), undefined);
  assert.throws(() => trustedKeyOf(own.privatePem), /private half/);
});

test('a sample of counters is found by its second, however late that is asked for', () => {
  const log = new SampleLog();
  assert.equal(log.nearest(1), undefined);
  for (let second = 0; second <= 100; second += 1) log.add({ atSeconds: second + 0.002, readings: [] });
  for (const [asked, found] of [
    [0, 0.002],
    [41.1, 41.002],
    [99.9, 100.002],
    [400, 100.002],
  ] as const)
    assert.equal(log.nearest(asked)!.atSeconds, found);
});

test('counters are read when the frames of the plan are cut', () => {
  const plan = {
    steps: [closedStep(0, 1, 1.5, 2), { ...closedStep(1, 1, 0, 1), restSeconds: 0.25 }],
  } as unknown as LoadPlan;
  const times: number[] = [];
  for (const at of frameTimes(plan)) {
    if (at > 7) break;
    times.push(at);
  }
  assert.deepEqual(times, [1, 1.5, 2.5, 3.5, 3.75, 4.75, 5.75, 6.75]);
});

test('a bundle comes back as it was packed, a replayed log with it', () => {
  const plan: LoadPlan = {
    seed: 1,
    shape: 'steps',
    requests: [],
    requestTimeoutSeconds: 5,
    steps: [closedStep(0, 1, 1, 1)],
  };
  const bundle = {
    plan,
    route: { url: 'https://10.0.0.1/', readyPath: '/', givenAddresses: ['10.0.0.1'], tls: { ca: 'PEM' } },
    replay: {
      atSeconds: Float64Array.of(0, 0.5, 1.25),
      classIndex: Uint32Array.of(0, 1, 0),
      targetIndex: Uint32Array.of(2, 1, 0),
      classIds: ['GET /a', 'GET /b'],
      targets: ['/a/1', '/b', '/a/2'],
      spanSeconds: 2,
    },
    scenario: { path: 's.ts', code: 'x', headers: {}, feeds: [{ path: 'a.csv', sha256: 'f'.repeat(64) }] },
  };
  assert.deepEqual(unpackBundle(packBundle(bundle)), bundle);
});

test('subjects fit patterns word by word, and events tell their agent and number', () => {
  assert.ok(fits('a.b.c', 'a.*.c') && !fits('a.b.c.d', 'a.*.c') && !fits('a.b', 'a.*.c'));
  assert.deepEqual(eventOf(SUBJECTS.event('r1', 'a1', 17)), { agentId: 'a1', seq: 17 });
  assert.equal(eventOf(SUBJECTS.manifest('r1')), undefined);
});
