import assert from 'node:assert/strict';
import test from 'node:test';
import { stepRow } from '../../test/support/step-rows.ts';
import type { Experiment, Finding, StepRow } from '../model/analysis.ts';
import { applyConfirmations, judgeExperiment } from './confirmations.ts';

const DOUBLE: Experiment = {
  kind: 'double-load',
  reads: { quantity: 'throughputPerSecond' },
  supports: { atMost: 1.15 },
  refutes: { atLeast: 1.4 },
};
const LEAVE_OUT: Experiment = {
  kind: 'leave-out-route',
  route: '/slow',
  reads: { quantity: 'p95Seconds', route: '/fast' },
  supports: { atMost: 0.4 },
  refutes: { atLeast: 0.8 },
};
const AGAIN: Experiment = {
  kind: 'repeat-load',
  reads: { quantity: 'residentGrowthBytes' },
  supports: { atLeast: 0.5 },
  refutes: { atMost: 0.2 },
};

const finding = (confidence: Finding['confidence'], experiment: Experiment): Finding => ({
  ruleId: 'some-rule',
  claim: 'something',
  confidence,
  evidence: [],
  counterEvidence: [],
  nextExperiment: 'do it',
  experiment,
});

const fast = (p95Seconds: number): StepRow => stepRow({ users: 10, byRoute: { '/fast': { p95Seconds } } });
const grown = (residentGrowthBytes: number, windowSeconds: number): StepRow =>
  stepRow({ users: 10, residentGrowthBytes, windowSeconds });

interface Case {
  readonly title: string;
  readonly experiment: Experiment;
  readonly before: StepRow;
  readonly after: StepRow;
  readonly from: Finding['confidence'];
  readonly outcome: string;
  readonly to: Finding['confidence'];
}

const CASES: readonly Case[] = [
  {
    title: 'throughput that stays under twice the load makes a limit surer',
    experiment: DOUBLE,
    before: stepRow({ users: 10, throughputPerSecond: 100 }),
    after: stepRow({ users: 20, throughputPerSecond: 103 }),
    from: 'medium',
    outcome: 'supports',
    to: 'high',
  },
  {
    title: 'throughput that doubles leaves the limit with little',
    experiment: DOUBLE,
    before: stepRow({ users: 10, throughputPerSecond: 100 }),
    after: stepRow({ users: 20, throughputPerSecond: 195 }),
    from: 'high',
    outcome: 'refutes',
    to: 'low',
  },
  {
    title: 'throughput in between decides nothing',
    experiment: DOUBLE,
    before: stepRow({ users: 10, throughputPerSecond: 100 }),
    after: stepRow({ users: 20, throughputPerSecond: 125 }),
    from: 'medium',
    outcome: 'undecided',
    to: 'medium',
  },
  {
    title: 'a generator at its limit decides nothing',
    experiment: DOUBLE,
    before: stepRow({ users: 10, throughputPerSecond: 100 }),
    after: stepRow({ users: 20, throughputPerSecond: 101, generator: { utilizationRatio: 0.93 } }),
    from: 'medium',
    outcome: 'undecided',
    to: 'medium',
  },
  {
    title: 'a fast route that stays slow without the slow one was not held up by it',
    experiment: LEAVE_OUT,
    before: fast(0.2),
    after: fast(0.19),
    from: 'medium',
    outcome: 'refutes',
    to: 'low',
  },
  {
    title: 'a fast route that gets fast without the slow one was',
    experiment: LEAVE_OUT,
    before: fast(0.2),
    after: fast(0.01),
    from: 'low',
    outcome: 'supports',
    to: 'medium',
  },
  {
    title: 'growth is compared by second, however long the windows',
    experiment: AGAIN,
    before: grown(60e6, 60),
    after: grown(9e6, 10),
    from: 'medium',
    outcome: 'supports',
    to: 'high',
  },
  {
    title: 'memory that shrinks the second time grows by nothing',
    experiment: AGAIN,
    before: grown(60e6, 60),
    after: grown(-5e6, 10),
    from: 'medium',
    outcome: 'refutes',
    to: 'low',
  },
  {
    title: 'a route that was not measured decides nothing',
    experiment: LEAVE_OUT,
    before: fast(0.2),
    after: stepRow({ users: 10 }),
    from: 'medium',
    outcome: 'undecided',
    to: 'medium',
  },
];

for (const { title, experiment, before, after, from, outcome, to } of CASES) {
  test(title, () => {
    const asked = finding(from, experiment);
    const confirmation = judgeExperiment(asked, experiment, before, after, 10);
    assert.equal(confirmation.outcome, outcome);
    const [judged] = applyConfirmations([asked], [confirmation]);
    assert.equal(judged!.confidence, to);
    const isDecided = outcome !== 'undecided';
    assert.equal(judged!.nextExperiment, isDecided ? undefined : 'do it');
    assert.equal(judged!.evidence.length + judged!.counterEvidence.length, isDecided ? 1 : 0);
  });
}
