import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stepRow } from '../../test/support/step-rows.ts';
import type { Finding } from '../model/analysis.ts';
import { parseGuess } from '../verdict/parse-guess.ts';
import { analyze } from './analyze.ts';
import { scoreGuess } from './score-guess.ts';

const rows = [
  [100, 48, 0.05],
  [200, 90, 0.15],
  [250, 100, 0.25],
  [300, 100, 0.4],
].map(([users, throughputPerSecond, p99Seconds], index) =>
  stepRow({
    index,
    users: users!,
    throughputPerSecond: throughputPerSecond!,
    overall: { p99Seconds: p99Seconds! },
    utilizationRatio: { cpu: throughputPerSecond! / 102 },
    serviceDemandSeconds: { cpu: 1 / 102 },
    serverCount: { cpu: 1 },
  }),
);
const score = (text: string, findings: Finding[] = []) =>
  scoreGuess(parseGuess(text), { ...analyze(rows), findings });

test('the peak, the crossing on a straight line between its steps, and the full resource', () => {
  const [peak, crossing, first] = score('peak=150/s, p99>200ms at 250 users, first=cpu');
  assert.equal(peak!.measured, 100);
  assert.ok(Math.abs(peak!.errorRatio! - 0.5) < 1e-12);
  assert.ok(Math.abs(Number(crossing!.measured) - 225) < 1e-9, 'half way from 150 to 250 ms');
  assert.match(crossing!.note, /200 and 250/);
  assert.equal(first!.measured, 'cpu');
});

test('what the run did not reach has a reason and no figure', () => {
  const [crossing] = score('p99>900ms at 250 users');
  assert.equal(crossing!.measured, undefined);
  assert.equal(crossing!.note, 'not up to 300');
  const [unmeasured] = score('p95 of /nowhere > 1s at 3');
  assert.match(unmeasured!.note, /was not measured/);
});

test('a finding names the resource before the highest use does', () => {
  const finding: Finding = {
    ruleId: 'pool-bound',
    claim: '',
    confidence: 'high',
    resource: 'pool',
    evidence: [],
    counterEvidence: [],
  };
  assert.equal(score('first=cpu', [finding])[0]!.measured, 'pool');
});
