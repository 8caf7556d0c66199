import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ownFrames } from './own-stack.ts';

test('a stack shows the places of a scenario, not those of this library or of Node', () => {
  const library = fileURLToPath(import.meta.url);
  const stack = [
    'JourneyError: nothing there',
    `    at ReceivedAnswer.json (${library}:76:39)`,
    '    at recorded (/elsewhere/walk.ts:3:9)',
    '    at async run (file:///elsewhere/walk.ts:9:1)',
    '    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)',
    `    at async ScenarioUser.perform (file://${library}:1:2)`,
  ].join('\n');
  assert.deepEqual(ownFrames(stack, 5), [
    'at recorded (/elsewhere/walk.ts:3:9)',
    'at async run (file:///elsewhere/walk.ts:9:1)',
  ]);
  assert.deepEqual(ownFrames(stack, 1), ['at recorded (/elsewhere/walk.ts:3:9)']);
  assert.deepEqual(ownFrames('only a message', 3), []);
});
