import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { placeOfField } from './field-place.ts';
import { openScenario } from './open-scenario.ts';

const LIMIT_SECONDS = 3;

const ENDLESS: readonly [string, string, number, RegExp][] = [
  ['a loop without end while it is loaded', 'for (;;);', 0, /does not come to an end while it is loaded/],
  [
    'a loop without end in a journey',
    "export default scenario({ journeys: { b: [get('/')],\n  a: async () => { for (;;); } } });",
    3,
    /does not come to an end in the journey "a"/,
  ],
  [
    'a promise that is never kept',
    'export default scenario({ journeys: {\n  a: async () => { await new Promise(() => {}); } } });',
    3,
    /in the journey "a"/,
  ],
  [
    'a promise nobody awaits that is rejected in a journey',
    "export default scenario({ journeys: { a: async (user) => {\n  await user.get('/');\n  void Promise.reject(new Error('alone'));\n  await user.get('/'); } } });",
    4,
    /throws in the journey "a", where nobody catches it: alone/,
  ],
  [
    'an end of the process',
    'export default scenario({ journeys: {\n  a: async () => process.exit(0) } });',
    3,
    /ends the process in the journey "a"/,
  ],
];

for (const [name, body, line, message] of ENDLESS)
  test(`a scenario with ${name} is refused in time, with its place`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'shipload-test-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, 'walk.ts');
    writeFileSync(path, `import { get, scenario } from 'shipload';\n${body}\n`);
    await assert.rejects(openScenario(path, { rehearsalSeconds: LIMIT_SECONDS }), (error: Error) => {
      assert.match(error.message, message);
      const { code, where } = error as Error & { code: string; where: string };
      assert.equal(code, 'scenario-invalid');
      assert.match(where, line === 0 ? /walk\.ts$/ : new RegExp(`walk\\.ts:${line}:\\d+$`));
      return true;
    });
  });

test('the place of a field is that of its keys one after the other', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'shipload-test-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'walk.ts');
  const text =
    "const weight = 1;\nscenario({\n  journeys: {\n    a: { weight: 1 },\n    'b c': { weight: 0 },\n  },\n});";
  writeFileSync(path, text);
  assert.equal(placeOfField(path, 'journeys.a.weight'), `${path}:4:10`);
  assert.equal(placeOfField(path, 'journeys.b c.weight'), `${path}:5:14`);
  assert.equal(placeOfField(path, 'journeys.a.requests[0].method'), `${path}:4:5`);
  assert.equal(placeOfField(path, 'load'), undefined);
  assert.equal(placeOfField(join(folder, 'none.ts'), 'load'), undefined);
});
