import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diagnosisInput } from '../../../test/support/diagnosis-input.ts';
import { stepMeasurement } from '../../../test/support/step-measurement.ts';
import { stepRow } from '../../../test/support/step-rows.ts';
import { cacheFill } from './cache-fill.ts';
import { descriptorLeak } from './descriptor-leak.ts';
import { memoryLeak } from './memory-leak.ts';
import { poolLeak } from './pool-leak.ts';

const WINDOWS = 10;

interface Soak {
  readonly quantity: 'rssBytes' | 'descriptorCount' | 'poolInUse';
  readonly at: (second: number) => number;
  readonly response?: (second: number) => number;
  readonly users?: (second: number) => number;
}

/** Ten windows of a second; a sample at each end. */
function soak({ quantity, at, response = () => 0.001, users = () => 12 }: Soak) {
  const seconds = Array.from({ length: WINDOWS }, (_, second) => second);
  const rows = seconds.map((index) =>
    stepRow({
      index,
      users: users(index),
      windowSeconds: 1,
      throughputPerSecond: 100,
      responseTimeSeconds: response(index),
    }),
  );
  const measurements = seconds.map((second) =>
    stepMeasurement(second, {
      counters: [
        {
          source: 'process',
          quantity,
          unit: 'count',
          kind: 'gauge',
          capacity: 1000,
          points: [second, second + 1].map((time) => [time, at(time)] as const),
        },
      ],
    }),
  );
  return diagnosisInput(rows, { measurements });
}

const leaking = (perSecond: number) => (time: number) => 60e6 + perSecond * time;
const filling = (full: number, tau: number) => (time: number) => 60e6 + full * (1 - Math.exp(-time / tau));

test('8 MB a second of memory, and no end to it, is a leak of 80 kB a request', () => {
  const [finding] = memoryLeak.examine(soak({ quantity: 'rssBytes', at: leaking(8e6) }));
  assert.equal(finding!.confidence, 'medium');
  assert.match(finding!.claim, /does not level off: 480 MB a minute/);
  assert.match(finding!.evidence[1]!.text, /80 kB for every request at 100\/s/);
  assert.deepEqual(finding!.experiment?.kind, 'repeat-load');
});

test('memory that levels off is a cache that fills, and no leak', () => {
  const input = soak({ quantity: 'rssBytes', at: filling(40e6, 1.5) });
  assert.deepEqual(memoryLeak.examine(input), []);
  assert.match(cacheFill.examine(input)[0]!.claim, /fills up and levels off/);
});

test('descriptors that are never closed reach their limit at a time that is said', () => {
  const [finding] = descriptorLeak.examine(soak({ quantity: 'descriptorCount', at: (t) => 20 + 28 * t }));
  // (1000 − 300) / 28 = 25 s.
  assert.match(finding!.claim, /its limit is reached in 25 s/);
});

test('pool places that are not given back starve the pool', () => {
  const [finding] = poolLeak.examine(soak({ quantity: 'poolInUse', at: (t) => 2 + Math.floor(0.8 * t) }));
  assert.match(finding!.claim, /pool places in use grows at constant load/);
  assert.deepEqual(poolLeak.examine(soak({ quantity: 'poolInUse', at: (t) => 4 + (t % 3) })), []);
});

test('a service that is slow at first and steady then has warmed up', () => {
  const response = (second: number): number => 0.004 + 0.06 * Math.exp(-second / 2);
  const [finding] = cacheFill.examine(soak({ quantity: 'rssBytes', at: () => 60e6, response }));
  assert.match(finding!.claim, /12\.3 times slower at first and warms up/);
});

const SILENT: readonly [why: string, input: Soak][] = [
  ['memory rises by little', { quantity: 'rssBytes', at: leaking(0.5e6) }],
  ['the load rises too', { quantity: 'rssBytes', at: leaking(8e6), users: (second) => 1 + second }],
  ['memory goes up and down', { quantity: 'rssBytes', at: (t) => 60e6 + (t % 2) * 20e6 }],
];
for (const [why, input] of SILENT) {
  test(`nothing is claimed where ${why}`, () =>
    assert.deepEqual(
      [memoryLeak, descriptorLeak, cacheFill].flatMap((rule) => rule.examine(soak(input))),
      [],
    ));
}
