import assert from 'node:assert/strict';
import { test } from 'node:test';
import { confusionMatrix, type DiagnosedRun, isFalseAlarm, isRight, summary } from './diagnosis-matrix.ts';

const run = (truth: string | undefined, ...named: string[]): DiagnosedRun => ({
  member: 'pool',
  variant: truth === undefined ? 'off' : 'on',
  seed: 1,
  ...(truth !== undefined && { truth }),
  named,
  disturbedCount: 0,
});

test('a run is right by its leading cause, or by none where there is none', () => {
  assert.ok(isRight(run('pool-bound', 'pool-bound', 'cpu-bound')));
  assert.ok(!isRight(run('pool-bound', 'cpu-bound', 'pool-bound')));
  assert.ok(!isRight(run('pool-bound')));
  assert.ok(isRight(run(undefined)));
  assert.ok(isFalseAlarm(run(undefined, 'cpu-bound')));
});

test('the matrix counts truths down and names across, nothing last', () => {
  const runs = [run('b'), run('b', 'b'), run('a', 'b'), run(undefined), run(undefined)];
  assert.deepEqual(confusionMatrix(runs).split('\n'), [
    '| truth \\ named | a   | b   | nothing |',
    '| ------------- | --- | --- | ------- |',
    '| a             |     | 1   |         |',
    '| b             |     | 1   | 1       |',
    '| nothing       |     |     | 2       |',
  ]);
  assert.match(summary(runs), /^3 of 5 runs right \(60\.0 %\); a cause named where there is none in 0 of 2;/);
});
