import { basisOfIsolation } from '../../src/analysis/demand-basis.ts';
import { predictCurve } from '../../src/analysis/predict.ts';
import { renderComparison } from '../../src/report/comparison-text.ts';
import { renderComparisonHtml } from '../../src/report/comparison-html.ts';
import { explainField } from '../../src/report/explain.ts';
import { renderExplanation } from '../../src/report/explanation-text.ts';
import { REPORTERS } from '../../src/report/index.ts';
import { toReportDocument } from '../../src/report/json.ts';
import { renderIsolation } from '../../src/report/isolation-text.ts';
import { renderPrediction } from '../../src/report/prediction-text.ts';
import { renderRecordDocument } from '../../src/report/record-document.ts';
import { renderWorkload } from '../../src/report/workload-text.ts';
import type { SampleNames } from './sample-record.ts';
import {
  sampleAfterRecord,
  sampleComparison,
  sampleIsolation,
  samplePoolRecord,
  sampleRecord,
  sampleWorkload,
} from './sample-record.ts';

const narrow = { color: false, width: 80 };
const wide = { color: false, width: 120 };
const text = REPORTERS.find(({ name }) => name === 'text')!;
const markdown = REPORTERS.find(({ name }) => name === 'markdown')!;
const csv = REPORTERS.find(({ name }) => name === 'csv')!;

/** The readings that people get, by file name; each takes the routes' names so that hostile ones can be tried. */
export const READINGS: Readonly<Record<string, (names?: SampleNames) => string>> = {
  'run.txt': (names) => text.render(sampleRecord(names), wide),
  'run-80-columns.txt': (names) => text.render(sampleRecord(names), narrow),
  'sweep.txt': () => text.render(samplePoolRecord(), narrow),
  'run.md': (names) => markdown.render(sampleRecord(names)),
  'run.csv': (names) => csv.render(sampleRecord(names)),
  'workload.txt': (names) => renderWorkload(sampleWorkload(names), wide),
  'isolation.txt': (names) => renderIsolation(sampleIsolation(names), wide),
  'prediction.txt': (names) =>
    renderPrediction(
      predictCurve(basisOfIsolation(sampleIsolation(names)), {
        thinkTimeSeconds: 2,
        measured: sampleRecord(names).analysis.steps,
      }),
      wide,
    ),
  'explanation.txt': (names) =>
    ['steps[5].serviceDemandSeconds.cpu', 'knee.planForPerSecond', 'verdict.checks[0].observed']
      .map((field) => renderExplanation(explainField(toReportDocument(sampleRecord(names)), field), narrow))
      .join('\n'),
  'comparison.txt': (names) =>
    renderComparison(sampleComparison(names), sampleRecord(names), sampleAfterRecord(names), wide),
  'comparison.html': (names) =>
    renderComparisonHtml(sampleComparison(names), sampleRecord(names), sampleAfterRecord(names)),
  'record.md': (names) =>
    renderRecordDocument([sampleRecord(names), sampleAfterRecord(names)], {
      fix: 'Search results are kept in memory for a minute.',
      comparison: sampleComparison(names),
    }),
};
