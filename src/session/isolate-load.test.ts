import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cumulative, soundStep } from '../../test/support/measurements.ts';
import { sampleRecord } from '../../test/support/sample-record.ts';
import type { LoadPlan } from '../model/load.ts';
import { isolateLoad } from './isolate-load.ts';

/** CPU seconds a second of each route, and how much of them on the busiest thread; two cores are allowed. */
const USED: Readonly<Record<string, readonly [cpu: number, thread: number]>> = {
  'GET /cheap': [0.02, 0.015],
  'GET /dear': [0.6, 0.59],
  'GET /spread': [0.6, 0.3],
};

function planOf(ids: readonly string[]): LoadPlan {
  const { plan } = sampleRecord().manifest;
  return { ...plan, requests: ids.map((id) => ({ ...plan.requests[0]!, id, shareRatio: 1 / ids.length })) };
}

const isolated = (...ids: string[]) =>
  isolateLoad(planOf(ids), {
    users: 10,
    stepSeconds: 60,
    run: ({ requests }) => {
      const [cpu, thread] = USED[requests[0]!.id]!;
      const counters = [
        cumulative('process', 'cpuSeconds', cpu, 60, 2),
        cumulative('process', 'busiestThreadCpuSeconds', thread, 60),
      ];
      return Promise.resolve({ reason: 'completed', measurements: [soundStep({ counters })] } as never);
    },
  });

test('all isolated routes are divided by one m: a cheap route does not make a service of one thread use two cores', async () => {
  for (const order of [
    ['GET /cheap', 'GET /dear'],
    ['GET /dear', 'GET /cheap'],
  ]) {
    const isolation = await isolated(...order);
    assert.equal(isolation?.serverCount, 1, order.join());
    const dear = isolation.routes.find(({ requestClassId }) => requestClassId === 'GET /dear')!;
    assert.ok(Math.abs(dear.utilizationRatio - 0.6) < 1e-9);
  }
  assert.equal((await isolated('GET /cheap', 'GET /dear', 'GET /spread'))?.serverCount, 2);
});
