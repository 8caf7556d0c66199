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
  sampleJourneyRecord,
  samplePoolRecord,
  sampleRecord,
  sampleWorkload,
} from './sample-record.ts';

const narrow = { color: false, width: 80 };
const wide = { color: false, width: 120 };
const text = REPORTERS.find(({ name }) => name === 'text')!;
const html = REPORTERS.find(({ name }) => name === 'html')!;
const markdown = REPORTERS.find(({ name }) => name === 'markdown')!;
const csv = REPORTERS.find(({ name }) => name === 'csv')!;

/** What a page says of journeys. */
function journeysOf(page: string): string {
  const at = page.indexOf('<h2>Journeys</h2>');
  return page.slice(at, page.indexOf('</section>', at));
}

/** The readings that people get, by file name; each takes the routes' names so that hostile ones can be tried. */
export const READINGS: Readonly<Record<string, (names?: SampleNames) => string>> = {
  'run.txt': (names) => text.render(sampleRecord(names), wide),
  'run-80-columns.txt': (names) => text.render(sampleRecord(names), narrow),
  'sweep.txt': () => text.render(samplePoolRecord(), narrow),
  'run.md': (names) => markdown.render(sampleRecord(names)),
  'journeys.txt': (names) => text.render(sampleJourneyRecord(names), narrow),
  'journeys.md': (names) => markdown.render(sampleJourneyRecord(names)),
  'journeys.html': (names) => journeysOf(html.render(sampleJourneyRecord(names))),
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
