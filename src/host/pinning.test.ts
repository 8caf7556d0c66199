import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { ShiploadError } from '../errors.ts';
import { onCores, type PinRequest, planPinning } from './pinning.ts';

const PLANS: readonly (readonly [
  allowed: readonly number[],
  request: PinRequest,
  generators: number,
  generatorCores: readonly number[],
  serviceCores: readonly number[],
])[] = [
  [[0, 1], 'any', 1, [1], [0]],
  [[0, 1, 2, 3], 'any', 2, [2, 3], [0, 1]],
  [[0, 1, 2, 3], [0], 1, [0], [1, 2, 3]],
  [[4, 6, 9], [6, 9], 1, [6, 9], [4]],
];

for (const [allowed, request, generators, generatorCores, serviceCores] of PLANS) {
  test(`of cores ${String(allowed)}, --pin ${String(request)} gives ${generators} generator(s) ${String(generatorCores)}`, () => {
    assert.deepEqual(planPinning(allowed, request, generators), { generatorCores, serviceCores });
  });
}

const REFUSALS: readonly (readonly [
  title: string,
  allowed: readonly number[],
  request: PinRequest,
  generators: number,
  reason: RegExp,
])[] = [
  ['the only core', [0], 'any', 1, /none is left for the service/],
  ['all cores by number', [0, 1], [0, 1], 1, /none is left for the service/],
  ['a core that is not allowed', [0, 1], [5], 1, /core 5 is none/],
  ['more generators than cores given', [0, 1, 2], [1], 2, /2 generators do not fit on 1 core/],
  ['more generators than cores there are', [0, 1], 'any', 4, /4 generators do not fit on 2 cores/],
];

for (const [title, allowed, request, generators, reason] of REFUSALS) {
  test(`pinning is refused with the reason: ${title}`, () => {
    assert.throws(
      () => planPinning(allowed, request, generators),
      (thrown) =>
        thrown instanceof ShiploadError && thrown.code === 'option-invalid' && reason.test(thrown.message),
    );
  });
}

test('a command started on cores may use those alone', (t) => {
  if (spawnSync('taskset', ['-V']).error !== undefined) {
    t.skip('taskset is not installed');
    return;
  }
  const command = onCores([0], "grep -o 'Cpus_allowed_list.*' /proc/self/status | tr -d '[:space:]'");
  const { stdout } = spawnSync('/bin/sh', ['-c', command], { encoding: 'utf8' });
  assert.equal(stdout, 'Cpus_allowed_list:0');
});
