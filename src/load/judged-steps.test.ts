import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Step } from '../model/load.ts';
import type { Target } from '../model/verdict.ts';
import { addJudgedLoads, lengthenJudgedSteps } from './judged-steps.ts';

const step = (users: number, measureSeconds: number): Step => ({
  index: 0,
  label: `${users} users`,
  driver: { kind: 'closed', users },
  warmupSeconds: 2,
  measureSeconds,
});
const request = (route: string, shareRatio: number) => ({
  id: `GET ${route}`,
  method: 'GET',
  route,
  shareRatio,
  targets: { draw: 'uniform' as const, targets: [route], distinctCount: 1 },
});
const basis = { requests: [request('/a', 0.75), request('/b', 0.25)], cycleSeconds: 2, peakLoad: 200 };
const target = (metric: Target['metric'], route: string | undefined, load?: number): Target => ({
  text: '',
  metric,
  comparison: '<=',
  limit: 0.1,
  ...(route !== undefined && { route }),
  ...(load !== undefined && { load }),
});

test('loads that targets are judged at become steps, and a notice says for which target', () => {
  const text = (load: number): string => `${load} users`;
  const at = (load: number | undefined, words: string): Target => ({
    ...target('p95', '/a', load),
    text: words,
  });
  const { loads, notices } = addJudgedLoads(
    [1, 50],
    [at(20, 'one'), at(20, 'two'), at(50, 'three')],
    50,
    text,
  );
  assert.deepEqual(loads, [1, 20, 50]);
  assert.deepEqual(
    notices.map(({ code, message }) => [code, message]),
    [['judged-step-added', 'A step of 20 users is added to the ladder: "one" and "two" are judged there.']],
  );
  // A smoke test asks for nothing but what is judged.
  assert.deepEqual(addJudgedLoads([], [at(20, 'one')], 50, text), { loads: [20], notices: [] });
  assert.deepEqual(addJudgedLoads([1, 50], [at(undefined, 'one')], 200, text).loads, [1, 50, 200]);
});

test('a judged step takes ten samples beyond its percentile, with 30 % slack', () => {
  // 200 users of 2 s make 25 requests of /b a second: 200 samples in 8 s, 10.4 s with slack.
  const { steps, notices } = lengthenJudgedSteps([step(100, 4), step(200, 4)], [target('p95', '/b')], basis);
  assert.deepEqual(
    steps.map((one) => one.measureSeconds),
    [4, 11],
  );
  assert.equal(notices[0]!.code, 'judged-step-lengthened');
});

test('the rarest route and the highest percentile decide, 30 s are the limit, 45 s where they do not suffice', () => {
  const seconds = (targets: readonly Target[]) =>
    lengthenJudgedSteps([step(200, 4)], targets, basis).steps[0]!.measureSeconds;
  assert.equal(seconds([target('p95', '/a'), target('p95', '/b')]), 11);
  assert.equal(seconds([target('p99', '/a')]), 18);
  assert.equal(seconds([target('p99', '/b')]), 45);
});

test('steps that are long enough, other loads and other metrics stay', () => {
  const same = [step(200, 40)];
  assert.deepEqual(lengthenJudgedSteps(same, [target('p95', '/b')], basis), { steps: same, notices: [] });
  for (const other of [target('p95', '/b', 100), target('mean', '/b'), target('cpu', undefined)]) {
    assert.deepEqual(lengthenJudgedSteps([step(200, 4)], [other], basis).notices, []);
  }
});
