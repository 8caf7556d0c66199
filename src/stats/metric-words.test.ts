import assert from 'node:assert/strict';
import { test } from 'node:test';
import { publishedRows } from '../../test/support/step-rows.ts';
import { metricsOf } from '../record/compared-metrics.ts';
import { metricWords } from './metric-words.ts';

test('names of fields become words, with their load; what is words already stays', () => {
  for (const [name, words] of [
    ['throughputPerSecond at 256 workers', 'throughput X at 256 workers'],
    ['utilizationRatio.busiestThread at 1 user', 'busiest thread in use at 1 user'],
    ['serviceDemandSeconds.cpu at 50/s (burst)', 'service CPU time per request at 50/s (burst)'],
    ['knee', 'knee N*'],
    ['capacityPerSecond', 'capacity'],
    ['p95 /look.at at 3 users', 'p95 /look.at at 3 users'],
    ['constructor', 'constructor'],
  ] as const)
    assert.equal(metricWords(name), words);
});

test('no metric of a run is shown by the name of its field', () => {
  const record = {
    analysis: { steps: publishedRows('publishedBeforeFix'), knee: { seen: false, reason: '' } },
  };
  const names = metricsOf(record as never).map(({ name }) => metricWords(name));
  assert.ok(names.length > 10);
  for (const name of names) assert.doesNotMatch(name.replaceAll(/\/\S+/g, ''), /[a-z][A-Z]|\w\.\w/, name);
});
