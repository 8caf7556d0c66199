import assert from 'node:assert/strict';
import test from 'node:test';
import { predictCurve } from '../analysis/predict.ts';
import type { DemandBasis } from '../analysis/demand-basis.ts';
import { stepTable } from '../analysis/step-table.ts';
import { simulateStep } from './simulate-step.ts';

const SEED = 7;
const SECONDS = 60;

/** Eight places of 5 ms each, hardly any CPU: no think time, so that X = 8/5 ms from eight workers on. */
const POOL: DemandBasis = {
  basis: 'test',
  coreCount: 1,
  poolSize: 8,
  routes: [{ route: '/pool', shareRatio: 1, cpuSeconds: 1e-5, elsewhereSeconds: 5e-3, squaredVariation: 0 }],
  notices: [],
};

const predict = (whatIf: readonly string[], users: readonly number[]) =>
  predictCurve(POOL, {
    thinkTimeSeconds: 0,
    users,
    whatIf,
    simulate: ({ service, requests }, workers) =>
      stepTable([simulateStep(service, workers, requests, undefined, 1, SEED, SECONDS)], {
        serverCount: 1,
      })[0]!,
  }).steps.map(
    ({ throughputPerSecond, p95ByRoute }) => [throughputPerSecond, p95ByRoute!['/pool']!] as const,
  );

// N workers around one full pool of m places of S seconds each: X = m/S, and everyone waits N·S/m in all.
const CASES = [
  { title: 'eight places', whatIf: [], workers: 32, places: 8 },
  { title: 'sixteen places', whatIf: ['pool=16'], workers: 32, places: 16 },
  { title: 'twice the time held', whatIf: ['pool=4'], workers: 8, places: 4 },
] as const;
for (const { title, whatIf, workers, places } of CASES) {
  test(`a full pool of ${title} carries m/S, and its p95 is N·S/m`, () => {
    const [[throughput, p95]] = predict(whatIf, [workers]) as [readonly [number, number]];
    assert.ok(Math.abs(throughput / (places / 5e-3) - 1) < 0.02, `X ${throughput}/s`);
    // Constant times in a closed loop keep their order: all wait alike, within the bins of the histogram.
    assert.ok(Math.abs(p95 / ((workers * 5e-3) / places) - 1) < 0.02, `p95 ${p95} s`);
  });
}
