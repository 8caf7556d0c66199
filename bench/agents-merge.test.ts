import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isBusy, onCalmMachine } from '../test/support/calm.ts';
import { measureMerge } from './agents-merge.ts';

/**
 * The whole run of 200 agents over 600 s is to take less than 10 s of CPU, which `npm run bench:agents` shows; here a
 * tenth of it, too short for the compiler and beside other tests: three times that is allowed.
 */
const SECONDS = 60;

test('a second of 200 agents is merged in a small part of it, and the memory does not grow', async () => {
  setFlagsFromString('--expose-gc');
  globalThis.gc = runInNewContext('gc') as NodeJS.GCFunction;
  await onCalmMachine(async () => {
    measureMerge(200, 5, 100); // compiled before it is timed
    const { mergedCount, sampleCount, cpuSeconds, heapBytes } = measureMerge(200, SECONDS, 100);
    assert.equal(mergedCount, sampleCount);
    // Neighbours that empty the processor's caches make the same work cost more.
    const limitSeconds = ((isBusy() ? 60 : 30) * SECONDS) / 600;
    assert.ok(cpuSeconds < limitSeconds, `${cpuSeconds} s of CPU`);
    const [early, late] = [Math.max(...heapBytes.slice(0, 4)), Math.max(...heapBytes.slice(-4))];
    assert.ok(late < early + 10e6, `${early} bytes, later ${late}`);
  });
});
