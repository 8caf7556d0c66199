import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyze } from '../../src/analysis/analyze.ts';
import type { RunRecord } from '../../src/model/record.ts';
import { REPORTERS } from '../../src/report/index.ts';
import { judge } from '../../src/verdict/judge.ts';
import { stepRow } from '../support/step-rows.ts';
import { sampleAfterRecord, sampleRecord } from '../support/sample-record.ts';

/** What is said of a set, and does not hold for one or none. */
const OF_SEVERAL =
  /\ball (?:0|1|one|no)\b|\b(?:0|1) of 0\b|still rising|every offered rate|(?<![\d.,–-])\b1 (?:steps|loads|runs|requests|checks|targets|users|workers|samples|reasons)\b|\b1 of 1 \w+ are\b|\b1 [\w ]{0,12}\bare (?:not|too)\b/i;

const cut = (record: RunRecord, count: number): RunRecord => {
  const rows = record.analysis.steps.slice(0, count);
  const { isolation: _, options: __, manifest, ...rest } = record;
  return {
    ...rest,
    // The labels of its steps are those of the sample.
    manifest: { ...manifest, plan: { ...manifest.plan, steps: [] } },
    measurements: record.measurements.slice(0, count),
    analysis: analyze(rows),
    verdict: judge(record.manifest.targets, rows),
  };
};

const openRecord = (): RunRecord => {
  const { notices: _, ...row } = stepRow({ arrivalRatePerSecond: 50, throughputPerSecond: 50 });
  const rows = [{ ...row, notices: [] }];
  return { ...cut(sampleRecord(), 0), analysis: analyze(rows), verdict: judge([], rows) };
};

const invalidRecord = (): RunRecord => {
  const rows = [stepRow({ users: 5, valid: false })];
  return { ...cut(sampleRecord(), 0), analysis: analyze(rows), verdict: judge([], rows) };
};

for (const reporter of REPORTERS.filter(({ name }) => name !== 'hlog')) {
  test(`${reporter.name}: says of no step and of one what is true of them`, () => {
    for (const [name, record] of [
      ['no step', cut(sampleRecord(), 0)],
      ['one step', cut(sampleRecord(), 1)],
      ['one step of another run', cut(sampleAfterRecord(), 1)],
      ['one rate', openRecord()],
      ['one step that is not valid', invalidRecord()],
    ] as const) {
      const said = OF_SEVERAL.exec(reporter.render(record, { color: false, width: 200 }));
      assert.equal(
        said?.[0],
        undefined,
        `${name}: …${said?.input.slice(Math.max(0, said.index - 60), said.index + 80)}`,
      );
    }
  });
}
