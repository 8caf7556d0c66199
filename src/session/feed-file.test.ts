import assert from 'node:assert/strict';
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { partsOf, type PlanPart } from '../drive/plan-part.ts';
import { createRandom } from '../stats/random.ts';
import { FeedFile } from './feed-file.ts';

async function opened(
  t: TestContext,
  name: string,
  text: string | undefined,
  path?: string,
  part?: PlanPart,
): Promise<FeedFile> {
  const folder = mkdtempSync(join(tmpdir(), 'shipload-test-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  if (text !== undefined) writeFileSync(join(folder, name), text);
  const file = new FeedFile(path ?? join(folder, name), part);
  t.after(() => file.close());
  await file.open();
  return file;
}

test('records come in order and from the start again, with line ends and blank lines of any kind', async (t) => {
  const file = await opened(t, 'a.csv', 'id,note\r\n1,"two\nlines"\r\n\r\n2,b\n\n3,"c, d"');
  const taken = [];
  for (let i = 0; i < 4; i += 1) taken.push(await file.next());
  assert.deepEqual(taken, [
    { id: '1', note: 'two\nlines' },
    { id: '2', note: 'b' },
    { id: '3', note: 'c, d' },
    { id: '1', note: 'two\nlines' },
  ]);
});

test('parts of a run take turns: together they hand out what one would, each record to one of them', async (t) => {
  const records = Array.from({ length: 7 }, (_, i) => i);
  const text = records.map((n) => `{"n":${n}}\n`).join('');
  const [whole, ...parts] = await Promise.all(
    [undefined, ...partsOf(3)].map((part) => opened(t, 'a.jsonl', text, undefined, part)),
  );
  const inTurn: unknown[] = [];
  const byParts: unknown[] = [];
  for (let i = 0; i < 17; i += 1) {
    inTurn.push(await whole!.next());
    byParts.push(await parts[i % 3]!.next());
  }
  assert.deepEqual(byParts, inTurn);

  const owners = await Promise.all(partsOf(3).map((part) => opened(t, 'b.jsonl', text, undefined, part)));
  const kept = await Promise.all(records.map((user) => owners[user % 3]!.ofUser(user)));
  assert.deepEqual(
    kept,
    records.map((n) => ({ n })),
  );
  await assert.rejects(owners[1]!.ofUser(7), /has 2 records for this agent, and user 7 needs one more/);
});

test('a user keeps its own record, and one too many is refused', async (t) => {
  const file = await opened(t, 'a.jsonl', '{"n":1}\n{"n":2}\n');
  const taken = await Promise.all([0, 1, 0, 1].map((user) => file.ofUser(user)));
  assert.deepEqual(taken, [{ n: 1 }, { n: 2 }, { n: 1 }, { n: 2 }]);
  await assert.rejects(file.ofUser(2), { code: 'feed-invalid' });
});

test('any record is as likely as any other, whatever its length', async (t) => {
  const records = ['1', '2', `"${'x'.repeat(5000)}"`, '4', '5'];
  const file = await opened(t, 'a.jsonl', `${records.join('\n')}\n`);
  const random = createRandom(7);
  const counts = new Map<unknown, number>();
  const draws = 2000;
  for (let i = 0; i < draws; i += 1) {
    const record = await file.any(random);
    counts.set(record, (counts.get(record) ?? 0) + 1);
  }
  assert.equal(counts.size, 5);
  // Five standard deviations of a share of n draws.
  const limit = 5 * Math.sqrt(draws * 0.2 * 0.8);
  for (const count of counts.values()) assert.ok(Math.abs(count - draws / 5) < limit, `${count}`);
});

test('what is no file of records is refused with its name', async (t) => {
  await assert.rejects(opened(t, 'a.csv', undefined), { code: 'file-not-found' });
  await assert.rejects(opened(t, 'a.csv', 'id,name\n'), { code: 'feed-invalid', message: /no records/ });
  await assert.rejects(opened(t, 'a.csv', 'id,name\n1\n'), /it has 1 fields, the first line 2 names/);
  await assert.rejects(opened(t, 'a.jsonl', '{oops}\n'), { code: 'feed-invalid' });
});

test('a record that cannot be read is told by its number: what it holds is nobody’s to see', async (t) => {
  const csv = await opened(t, 'a.csv', 'name,password\nann,a\nbob,hunter2,x\n');
  await csv.next();
  const refused = async (work: Promise<unknown>): Promise<void> => {
    await assert.rejects(work, (error: Error) => {
      assert.match(error.message, /record 2 /);
      assert.doesNotMatch(error.message, /hunter2/);
      return true;
    });
  };
  await refused(csv.next());
  const lines = await opened(t, 'a.jsonl', '{"password":"a"}\n{"password":"hunter2}\n');
  await lines.next();
  await refused(lines.next());
});

const GIBIBYTE = 1024 ** 3;
/** Of the records that make up most of a big file, which are holes on the disk. */
const HOLE_BYTES = 1 << 20;
const MOST_SECONDS = 6;

test('a file of five gigabytes streams without being held', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'shipload-test-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'big.csv');
  const handle = openSync(path, 'w');
  let at = writeSync(handle, `name,password\n${'a name,a word\n'.repeat(20_000)}`);
  for (; at < 5 * GIBIBYTE; at += HOLE_BYTES) {
    writeSync(handle, 'a hole,', at);
    writeSync(handle, '\n', at + HOLE_BYTES - 1);
  }
  closeSync(handle);
  assert.ok(statSync(path).size >= 5 * GIBIBYTE);
  const file = await opened(t, '', undefined, path);
  const before = process.memoryUsage().rss;
  for (let i = 0; i < 20_000; i += 1)
    assert.deepEqual(await file.next(), { name: 'a name', password: 'a word' });
  // As far as time allows: gigabytes, or what a busy machine reads meanwhile.
  const endsAt = performance.now() + MOST_SECONDS * 1e3;
  let holeCount = 0;
  let growth = 0;
  while (performance.now() < endsAt && holeCount < (4 * GIBIBYTE) / HOLE_BYTES) {
    const { name, password } = (await file.next()) as Record<string, string>;
    assert.equal(name, 'a hole');
    assert.equal(password!.length, HOLE_BYTES - 'a hole,\n'.length);
    growth = Math.max(growth, process.memoryUsage().rss - before);
    holeCount += 1;
  }
  // Without bound, so many records would take more memory than is let pass.
  assert.ok(holeCount > 200, `${holeCount} records of 1 MiB in ${MOST_SECONDS} s`);
  assert.ok(growth < 96 * 1024 ** 2, `${growth} bytes more`);
});
