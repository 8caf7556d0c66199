import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { listenForInterrupts } from './interrupts.ts';

test('the end of a permission ends the load as a first signal does, without a signal’s exit code', async (t) => {
  const said: string[] = [];
  const interrupts = listenForInterrupts(
    () => said.push('signal'),
    () => said.push('second'),
  );
  t.after(() => interrupts.release());
  interrupts.endAt(new Date(Date.now() + 30).toISOString(), () => said.push('end'));
  assert.equal(interrupts.signal.aborted, false);
  // The timer holds nothing up by itself.
  const held = setTimeout(() => {}, 10_000);
  await once(interrupts.signal, 'abort');
  clearTimeout(held);
  assert.deepEqual(said, ['end']);
  assert.equal(interrupts.exitCode(), undefined);
});

test('a permission of years is no timer that is over at once; released, it ends nothing', async () => {
  const interrupts = listenForInterrupts(
    () => {},
    () => {},
  );
  interrupts.endAt('2999-01-01T00:00:00Z', () => {});
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(interrupts.signal.aborted, false);
  interrupts.release();
});
