import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleAfterRecord, sampleRecord } from '../../test/support/sample-record.ts';
import { renderJunit } from './junit.ts';

const count = (xml: string, element: string): number =>
  xml.match(new RegExp(`<${element}[ >]`, 'g'))?.length ?? 0;
const attribute = (xml: string, name: string): number =>
  Number(new RegExp(`<testsuite [^>]*${name}="(\\d+)`).exec(xml)![1]);

test('a case a target; what is no pass fails, and the counts are those of the cases', () => {
  for (const record of [sampleRecord(), sampleAfterRecord()]) {
    const xml = renderJunit(record);
    const missed = record.verdict.checks.filter(({ result }) => result !== 'pass').length;
    assert.equal(count(xml, 'testcase'), record.verdict.checks.length);
    assert.equal(count(xml, 'failure'), missed);
    assert.deepEqual(
      [attribute(xml, 'tests'), attribute(xml, 'failures')],
      [record.verdict.checks.length, missed],
    );
  }
});

test('a run without a verdict is an error of every case, not a pass of some', () => {
  const record = sampleRecord();
  const xml = renderJunit({ ...record, verdict: { ...record.verdict, decision: 'invalid' } });
  assert.equal(count(xml, 'error'), record.verdict.checks.length);
  assert.equal(count(xml, 'failure'), 0);
});
