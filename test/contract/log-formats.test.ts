import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOf } from '../../src/access-log/bytes.ts';
import { isComment } from '../../src/access-log/detect-format.ts';
import { LOG_FORMATS } from '../../src/access-log/formats/index.ts';
import { LineFields, VERDICT, type FormatSample, type LogFormat } from '../../src/access-log/log-format.ts';
import { readLog } from '../../src/access-log/read-log.ts';
import { entryOf } from '../../src/access-log/log-entry.ts';

const VERDICT_NAMES = ['ok', 'badRequest', 'unparsed', 'comment', 'aside'];

async function* chunksOf(text: string): AsyncIterable<Uint8Array> {
  yield bytesOf(text);
}

function checkLines(format: LogFormat, sample: FormatSample): void {
  const lines = sample.lines.map(bytesOf);
  const parser = format.open(
    lines.filter((line) => !isComment(line, 0, line.length)),
    lines.filter((line) => isComment(line, 0, line.length)),
  );
  assert.ok(parser, 'the format opens its own sample');
  const fields = new LineFields();
  lines.forEach((line, index) => {
    const expected = sample.expect[index];
    if (expected === undefined && isComment(line, 0, line.length))
      return parser.comment?.(line, 0, line.length);
    const verdict = parser.parse(line, 0, line.length, fields);
    const wanted = typeof expected === 'object' ? 'ok' : (expected ?? 'comment');
    assert.equal(VERDICT_NAMES[verdict], wanted, `${sample.lines[index]}: ${fields.reason}`);
    if (expected === undefined) return;
    if (typeof expected === 'string') return assert.notEqual(fields.reason, '');
    const entry = entryOf(parser, line, fields);
    for (const [name, value] of Object.entries(expected)) {
      const got = entry[name as keyof typeof entry];
      if (typeof value === 'number')
        assert.ok(Math.abs(Number(got) - value) < 1e-6, `${name}: ${got} for ${value}`);
      else assert.equal(got, value, name);
    }
    for (const name of sample.absent ?? []) assert.equal(entry[name], undefined, name);
  });
}

for (const format of LOG_FORMATS) {
  test(`${format.name} has samples and a name of its own`, () => {
    assert.ok(format.samples.length > 0);
    assert.equal(LOG_FORMATS.filter((other) => other.name === format.name).length, 1);
  });
  for (const sample of format.samples) {
    test(`${format.name}: ${sample.title}`, () => checkLines(format, sample));
    test(`${format.name} is told from its ${format.isNamedOnly === true ? 'name' : 'lines'} alone: ${sample.title}`, async () => {
      const source = { name: 'sample.log', chunks: chunksOf(sample.lines.join('\n')) };
      const table = await readLog([source], { format: format.isNamedOnly === true ? format.name : 'auto' });
      assert.equal(table.format, format.name);
      assert.equal(table.rowCount, sample.expect.filter((entry) => typeof entry === 'object').length);
    });
  }
}

test('the verdicts are numbered as their names are', () => {
  assert.deepEqual(Object.keys(VERDICT), VERDICT_NAMES);
});
