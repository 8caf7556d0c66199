import assert from 'node:assert/strict';
import test from 'node:test';
import { stepMeasurement } from '../../test/support/step-measurement.ts';
import { stepRow } from '../../test/support/step-rows.ts';
import type { Analysis, StepRow } from '../model/analysis.ts';
import type { Verdict } from '../model/verdict.ts';
import { poolOption } from './pool-option.ts';

const PLATEAU = 1600;
const row = (index: number, concurrency: number, throughputPerSecond: number): StepRow =>
  stepRow({
    index,
    concurrency,
    throughputPerSecond,
    responseTimeSeconds: concurrency / throughputPerSecond,
    byRoute: { '/x': {} },
    serverCount: { cpu: 1 },
    utilizationRatio: { cpu: 0.16 },
    serviceDemandSeconds: { cpu: 1e-4 },
  });
const steps = [row(0, 1, 200), row(1, 8, PLATEAU), row(2, 64, PLATEAU)];
const analysis: Analysis = {
  steps,
  knee: { seen: true, reason: '', users: 8, capacityPerSecond: PLATEAU, capacitySource: 'plateau' },
  crossChecks: [],
  notices: [],
  findings: [
    {
      ruleId: 'pool-bound',
      claim: '',
      confidence: 'high',
      resource: 'pool',
      evidence: [],
      counterEvidence: [],
    },
  ],
};
const measurements = [
  stepMeasurement(0, {
    counters: [
      { source: 'stats', quantity: 'poolInUse', unit: 'count', kind: 'gauge', capacity: 8, points: [[0, 8]] },
    ],
  }),
];
const NOT_JUDGED: Verdict = { checks: [], decision: 'not-judged', marginRatio: 0.1, reason: 'no targets' };

test('twice the places are predicted from the size the service tells and the time that a full pool shows', () => {
  let places: number | undefined;
  const option = poolOption({
    analysis,
    measurements,
    peak: steps[2]!,
    users: 64,
    thinkTimeSeconds: 0,
    judge: () => NOT_JUDGED,
    simulate: ({ service }) => {
      places = service.stations[1]!.serverCount;
      const [, elsewhere] = service.visits['/x']!;
      assert.ok(Math.abs(elsewhere!.service.meanSeconds - 8 / PLATEAU) < 1e-12);
      return stepRow({ throughputPerSecond: 3200, overall: { p95Seconds: 0.02 } });
    },
  });
  assert.equal(places, 16);
  assert.equal(option!.verdict, 'partial');
  assert.deepEqual(option!.predicted.p95ByRoute, { '/x': 0.02 });
  assert.ok(Math.abs(option!.predicted.utilizationRatio - 0.32) < 1e-12);
});

test('where no pool is full there is nothing to double', () => {
  const free = { ...analysis, findings: [] };
  const input = { measurements, peak: steps[2]!, users: 64, thinkTimeSeconds: 0 };
  const unused = () => assert.fail('nothing is simulated');
  assert.equal(
    poolOption({ ...input, analysis: free, judge: () => NOT_JUDGED, simulate: unused }),
    undefined,
  );
});
