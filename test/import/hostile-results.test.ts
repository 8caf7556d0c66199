import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { test } from 'node:test';
import { RESULT_FORMATS } from '../../src/import/results/index.ts';
import { importResults, sniff } from '../../src/session/import-results.ts';
import { importSample, resultText, sampleText } from '../support/import-results.ts';

const JTL = 'timeStamp,elapsed,label,responseCode,success,allThreads\n1796121232325,40,/a,200,true,1\n';

test('lines that cannot be read are counted and shown, without what opens doors', async () => {
  const text = `${JTL}rubbish\n1796121232425,4x,/a,200,true,1\n1796121232525,5,/a?token=abcdef0123456789,200,maybe,1\n1796121232625,5,/a,200,true,1\n`;
  const { imported, measurements } = await importResults(resultText(text, 7, 'run.jtl'));
  assert.equal(measurements[0]!.completionCount, 2);
  assert.equal(imported.lines.unread, 3);
  assert.deepEqual(
    imported.lines.examples.map(({ line }) => line),
    [3, 4, 5],
  );
  assert.match(imported.lines.examples[1]!.reason, /elapsed is "4x"/);
  assert.doesNotMatch(JSON.stringify(imported), /abcdef0123456789/);
  assert.match(imported.notices[0]!.message, /^3 lines of 6 could not be read/);
});

test('a file of which nothing can be read is refused with its first such line', async () => {
  await assert.rejects(importResults(resultText(`${JTL.split('\n')[0]}\nnonsense\n`, 9, 'run.jtl')), {
    code: 'results-invalid',
    where: 'run.jtl:2',
    message: /1 cells under 6 names/,
  });
});

for (const { title, bytes, message } of [
  { title: 'nothing', bytes: new Uint8Array(0), message: /is empty/ },
  { title: 'zeros', bytes: new Uint8Array(100), message: /binary/ },
  { title: 'UTF-16', bytes: Buffer.from(`\ufeff${JTL}`, 'utf16le'), message: /UTF-16/ },
  {
    title: 'broken JSON of a tool',
    bytes: Buffer.from('{"latencies":{"mean":1},\n"throughput":,}'),
    message: /not JSON/,
  },
  {
    title: 'wrk cut off',
    bytes: Buffer.from('Running 3s test @ http://a/\n  2 threads and 8 connections\n'),
    message: /cut off/,
  },
  {
    title: 'ab -e',
    bytes: Buffer.from('Percentage served,Time in ms\n0,2.9\n'),
    message: /without a count, a rate or a load/,
  },
])
  test(`${title}: refused in one sentence`, async () => {
    await assert.rejects(importResults(resultText(bytes)), { code: 'results-invalid', message });
  });

test('a packed file and one with a byte order mark read as the plain one', async () => {
  for (const bytes of [gzipSync(JTL), Buffer.from(`\ufeff${JTL}`)]) {
    const { measurements } = await importResults(resultText(bytes, 16));
    assert.equal(measurements[0]!.completionCount, 1);
  }
});

test('times that no run has are lines not read: years off, negative, endless', async () => {
  const rows = [
    '1796121232425,-5,/a,200,true,1',
    '99,5,/a,200,true,1',
    '1e999,5,/a,200,true,1',
    '1796121232425,1e18,/a,200,true,1',
  ];
  const { imported, measurements } = await importResults(resultText(`${JTL}${rows.join('\n')}\n`));
  assert.equal(measurements[0]!.completionCount, 1);
  assert.deepEqual(
    imported.lines.examples.map(({ reason }) => reason.replace(/-?\d[\d.e+-]*/g, '#')),
    [
      'a negative response time, # s',
      'its time lies # days off that of the first request',
      'no time at which the request was made',
      'a response time of more than a day, # s',
    ],
  );
});

test('each format knows its own reference sample, and no other does', async () => {
  const samples = {
    'k6-json': 'k6.json',
    'k6-csv': 'k6.csv',
    'k6-summary': 'k6-summary.json',
    'jtl-csv': 'jmeter.csv',
    'jtl-xml': 'jmeter.xml',
    'vegeta-json': 'vegeta.json',
    'vegeta-csv': 'vegeta.csv',
    'vegeta-report': 'vegeta-report.json',
    'hey-csv': 'hey.csv',
    hey: 'hey.txt',
    'oha-csv': 'oha.csv',
    'oha-json': 'oha.json',
    'locust-history': 'locust-history.csv',
    'locust-stats': 'locust-stats.csv',
    wrk: 'wrk.txt',
    wrk2: 'wrk2.txt',
    autocannon: 'autocannon.json',
    artillery: 'artillery.json',
    ab: 'ab.txt',
    'ab-gnuplot': 'ab.tsv',
  };
  for (const [name, file] of Object.entries(samples)) {
    const text = sampleText(file);
    const head = {
      text: text.slice(0, 1 << 16),
      lines: text.split('\n').filter((line) => line.trim() !== ''),
    };
    const known = RESULT_FORMATS.filter((format) => format.detect(head) !== undefined).map(
      (format) => format.name,
    );
    assert.deepEqual(known, [name], file);
    assert.equal((await importSample(file)).imported.format, name);
  }
  const without = RESULT_FORMATS.filter(({ name }) => !(name in samples)).map(({ name }) => name);
  assert.deepEqual(without, ['ab-percentiles'], 'every format has a sample, or is refused');
});

test('a format can be named, by itself or by its tool; a wrong name and a wrong file are told apart', async () => {
  assert.match((await importSample('k6.csv', { format: 'k6' })).imported.detectedBy, /^--format k6, and /);
  assert.equal((await importSample('jmeter.csv', { format: 'jtl' })).imported.format, 'jtl-csv');
  assert.equal((await importSample('wrk2.txt', { format: 'wrk' })).imported.tool, 'wrk');
  await assert.rejects(importSample('k6.csv', { format: 'k7' }), { code: 'option-invalid', hint: /k6-json/ });
  await assert.rejects(importSample('k6.csv', { format: 'vegeta' }), {
    code: 'results-invalid',
    message: /none of vegeta-json/,
  });
  await assert.rejects(importSample('k6.csv', { format: 'hey-csv' }), {
    code: 'results-invalid',
    where: 'k6.csv:1',
  });
});

test('what no format knows is a table of steps, and JSON that is none of theirs is no results', async () => {
  const { imported } = await importResults(resultText('users,X\n1,10\n2,20\n'));
  assert.equal(imported.basis, 'table');
  assert.equal(imported.rows!.length, 2);
  assert.equal(await sniff(resultText('{"kind":"run"}')), 'json');
});

test('loads that are given are as many as the steps', async () => {
  await assert.rejects(importSample('wrk-sweep.txt', { load: { kind: 'concurrency', values: [1, 2] } }), {
    code: 'option-invalid',
    message: /2 loads were given for 4 step/,
  });
});

test('two reports of one load stay two steps, and it is said why', async () => {
  const text = sampleText('wrk.txt');
  const { imported } = await importResults(resultText(text + text));
  assert.equal(imported.steps!.length, 2);
  const notice = imported.notices.find(({ code }) => code === 'percentiles-not-pooled')!;
  assert.match(
    notice.message,
    /^2 reports are of 8 workers: percentiles of separate reports cannot be pooled/,
  );
});
