import assert from 'node:assert/strict';
import test from 'node:test';
import type { CounterReading, CounterSource } from './counter-source.ts';
import { createSampler } from './sampler.ts';

function scripted(name: string, values: readonly (number | undefined)[]): CounterSource {
  let at = 0;
  const description = {
    source: name,
    quantity: 'cpuSeconds',
    unit: 'seconds',
    kind: 'cumulative',
    capacity: 2,
  };
  return {
    name,
    get gone() {
      return at > 0 && values[at - 1] === undefined;
    },
    read() {
      const value = values[at];
      at += 1;
      return value === undefined ? [] : [{ ...description, value } as CounterReading];
    },
    close() {},
  };
}

test('all sources of a sample share its time, and a window takes the samples on both of its edges', () => {
  const sampler = createSampler([scripted('process', [1, 2, 3, 4]), scripted('machine', [10, 20, 30, 40])]);
  for (const atSeconds of [0, 1, 2, 3]) sampler.sample(atSeconds);
  const common = { quantity: 'cpuSeconds', unit: 'seconds', kind: 'cumulative', capacity: 2 };
  assert.deepEqual(sampler.between(1, 2), [
    {
      ...common,
      source: 'process',
      points: [
        [1, 2],
        [2, 3],
      ],
    },
    {
      ...common,
      source: 'machine',
      points: [
        [1, 20],
        [2, 30],
      ],
    },
  ]);
});

test('a source that ended is named, and its series stops', () => {
  const sampler = createSampler([scripted('process', [1, undefined]), scripted('machine', [1, 2])]);
  sampler.sample(0);
  assert.deepEqual(sampler.goneSources(), []);
  sampler.sample(1);
  assert.deepEqual(sampler.goneSources(), ['process']);
  assert.deepEqual(
    sampler.between(0.5, 1).map((series) => series.source),
    ['machine'],
  );
});
