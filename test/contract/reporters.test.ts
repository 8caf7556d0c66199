import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { PAGE_SCRIPT, PAGE_SCRIPT_HASH } from '../../src/report/html-script.ts';
import { REPORTERS } from '../../src/report/index.ts';
import { withCounters } from '../support/sample-counters.ts';
import { sampleAfterRecord, samplePoolRecord, sampleRecord } from '../support/sample-record.ts';

/** What a log line can hold: each name attacks another form. */
const HOSTILE: readonly string[] = [
  '/<script>alert(1)</script>',
  '/"><img src=x onerror=alert(1)>',
  '/a\u001b]0;owned\u0007\u001b[2J',
  '/new\nline\r\ttab\u0000',
  '/\u202egnp.exe',
  '/c1\u009b31m',
  '__proto__',
  'constructor',
  '=cmd|\u0027/c calc\u0027!A1',
  '+1',
  '@SUM(1)',
  '/a|b|c',
  '/`code`*bold*_em_[x](javascript:alert(1))',
  '```',
  '{{constructor.constructor}}',
  '/'.padEnd(4000, 'long'),
];

const records = [sampleRecord(), sampleAfterRecord(), samplePoolRecord()];

const named = (hostile: string) => sampleRecord({ book: hostile, search: `${hostile} ` });

const hostileLabel = (label: string) => {
  const record = sampleRecord();
  return { ...record, manifest: { ...record.manifest, label } };
};

for (const reporter of REPORTERS) {
  test(`${reporter.name}: has a name, a file extension and a line for the help`, () => {
    assert.match(reporter.name, /^[a-z0-9]+$/);
    assert.match(reporter.extension, /^[a-z.]+$/);
    assert.ok(reporter.describe.length > 10);
  });

  test(`${reporter.name}: the same record gives the same text, and the record is left as it was`, () => {
    const record = sampleRecord();
    const before = JSON.stringify(record);
    assert.equal(reporter.render(record), reporter.render(sampleRecord()));
    assert.equal(JSON.stringify(record), before);
  });

  test(`${reporter.name}: ends with a line break and names no missing number`, () => {
    for (const record of records) {
      const text = reporter.render(record);
      assert.ok(text.endsWith('\n'));
      assert.doesNotMatch(text, /NaN|undefined|Infinity|\[object/);
    }
  });

  test(`${reporter.name}: a record read back from its file gives the same text`, () => {
    const record = sampleRecord();
    assert.equal(reporter.render(JSON.parse(JSON.stringify(record))), reporter.render(record));
  });

  test(`${reporter.name}: no character of a hostile name acts on a terminal`, () => {
    for (const hostile of HOSTILE) {
      for (const record of [named(hostile), hostileLabel(hostile)]) {
        const text = reporter.render(record, { color: false, width: 120 });
        assert.doesNotMatch(text, /[^\r\n\P{Cc}]|\p{Cf}/u, JSON.stringify(hostile));
      }
    }
  });

  test(`${reporter.name}: a hostile name does not change the number of lines`, () => {
    const lineCount = (record: Parameters<typeof reporter.render>[0]) =>
      reporter.render(record, { color: false, width: 1e6 }).split('\n').length;
    const expected = lineCount(named('/plain'));
    for (const hostile of HOSTILE) assert.equal(lineCount(named(hostile)), expected, JSON.stringify(hostile));
  });
}

test('every name and every extension is there once', () => {
  for (const key of ['name', 'extension'] as const)
    assert.equal(new Set(REPORTERS.map((reporter) => reporter[key])).size, REPORTERS.length);
});

const render = (name: string, hostile: string): string =>
  REPORTERS.find((reporter) => reporter.name === name)!.render(named(hostile));

test('html: a hostile name makes no element, and the page holds its own script alone and fetches nothing', () => {
  const tags = (page: string) => page.match(/<[^>]*>/g)!.map((tag) => /^<\/?[a-z0-9!-]+/.exec(tag)?.[0]);
  const plain = tags(render('html', '/plain'));
  for (const hostile of HOSTILE) {
    const page = render('html', hostile);
    assert.deepEqual(tags(page), plain, JSON.stringify(hostile));
    const rest = page.replace(`<script>${PAGE_SCRIPT}</script>`, '');
    assert.doesNotMatch(rest, /<script|<link|<img|<iframe|@import|url\(/i);
  }
});

test('html: the policy admits the page’s own script by its hash, and no other', () => {
  const hash = createHash('sha256').update(PAGE_SCRIPT).digest('base64');
  assert.equal(PAGE_SCRIPT_HASH, `sha256-${hash}`);
  assert.ok(render('html', '/plain').includes(`script-src '${PAGE_SCRIPT_HASH}'">`));
});

test('html: every id is there once and eight steps of a minute with their counters stay under 400 KB', () => {
  const page = REPORTERS.find(({ name }) => name === 'html')!.render(withCounters(sampleRecord()));
  const ids = [...page.matchAll(/ id="([^"]*)"/g)].map((match) => match[1]);
  assert.equal(new Set(ids).size, ids.length);
  assert.ok(page.length < 400_000, `${page.length} characters`);
  assert.equal(page.match(/<figure>/g)?.length, 7);
  assert.equal(page.match(/<summary>The values as a table/g)?.length, 7);
});

test('markdown: every row of a table has as many cells as its heading', () => {
  for (const hostile of HOSTILE) {
    let cells = 0;
    for (const line of render('markdown', hostile).split('\n')) {
      const bars = line.startsWith('|') ? line.replaceAll(/\\[\\|]/g, '').split('|').length : 0;
      if (bars > 0 && cells > 0) assert.equal(bars, cells, line.slice(0, 200));
      cells = bars;
    }
  }
});

test('markdown: a hostile name makes neither element nor link', () => {
  for (const hostile of HOSTILE) {
    const inert = render('markdown', hostile).replaceAll(/\\[^\n]/g, '');
    assert.doesNotMatch(inert, /<[a-z/!?]|\]\(|`|\*(?!\*)(?<!\*\*)/i, JSON.stringify(hostile));
  }
});

test('csv: every row has as many cells, and no cell begins like a formula', () => {
  const cells = (line: string) =>
    [...line.matchAll(/(?:^|,)("(?:[^"]|"")*"|[^,"]*)/g)].map((match) => match[1]!);
  for (const hostile of HOSTILE) {
    const record = hostileLabel(hostile);
    const rows = REPORTERS.find(({ name }) => name === 'csv')!
      .render(record)
      .trimEnd()
      .split('\r\n');
    for (const row of rows) {
      assert.equal(cells(row).length, cells(rows[0]!).length);
      for (const cell of cells(row)) assert.doesNotMatch(cell, /^"?\s*[=+@]/);
    }
  }
});

test('json and vega: the routes survive as they were named', () => {
  for (const hostile of HOSTILE) {
    const document = JSON.parse(render('json', hostile)) as { steps: { byRoute: object }[] };
    assert.deepEqual(Object.keys(document.steps[0]!.byRoute), [hostile, `${hostile} `]);
    assert.ok(Array.isArray((JSON.parse(render('vega', hostile)) as { layer: unknown[] }).layer));
  }
});

test('text: colours are there only where asked for, and change nothing else', () => {
  const text = REPORTERS.find(({ name }) => name === 'text')!;
  for (const record of records) {
    const plain = text.render(record, { color: false, width: 100 });
    const colored = text.render(record, { color: true, width: 100 });
    assert.ok(colored.includes('\u001b['));
    assert.equal(
      colored
        .split('\u001b')
        .map((part, i) => (i === 0 ? part : part.replace(/^\[\d+m/, '')))
        .join(''),
      plain,
    );
  }
});

test('text: tables keep to the width of the terminal', () => {
  const text = REPORTERS.find(({ name }) => name === 'text')!;
  for (const width of [60, 80, 120, 200])
    for (const record of records)
      for (const line of text.render(record, { color: false, width }).split('\n'))
        assert.ok(line.length <= width, `${line.length} > ${width}: ${line}`);
});
