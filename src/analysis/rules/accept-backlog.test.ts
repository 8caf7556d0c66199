import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diagnosisInput } from '../../../test/support/diagnosis-input.ts';
import { cumulative, histogramOf } from '../../../test/support/measurements.ts';
import { stepMeasurement } from '../../../test/support/step-measurement.ts';
import { stepRow } from '../../../test/support/step-rows.ts';
import { acceptBacklog } from './accept-backlog.ts';

const QUICK = Array.from({ length: 500 }, (_, i) => 0.002 + (i % 7) * 1e-3);

interface Of {
  readonly overflowsPerSecond?: number;
  readonly resentPerSecond?: number;
  readonly connects?: readonly number[];
  readonly isTransient?: true;
}

const examine = (slow: readonly number[], of: Of = {}) => {
  const { overflowsPerSecond = 0, resentPerSecond = 0, connects = [], isTransient } = of;
  const measurements = [0, 1].map((index) =>
    stepMeasurement(index, {
      step: { ...stepMeasurement(index).step, part: { name: 'part', ...(isTransient && { isTransient }) } },
      transport: {
        connectionsOpenedCount: 500,
        redirectsFollowedCount: 0,
        connectTime: histogramOf([...QUICK, ...connects]),
      },
      responseTime: histogramOf([...QUICK, ...slow]),
      counters: [
        cumulative('listener', 'listenOverflowCount', overflowsPerSecond, 10),
        cumulative('machine', 'retransmitCount', resentPerSecond, 10),
      ],
    }),
  );
  const rows = measurements.map((_, index) => stepRow({ index, users: 8 * (index + 1) }));
  return acceptBacklog.examine(diagnosisInput(rows, { measurements }));
};

const RETRIED = [1.01, 1.02, 1.03, 1.05, 1.1, 3.02];

test('answers at 1 and 3 s with nothing between are SYNs sent again where the kernel or the connects say so', () => {
  assert.equal(examine(RETRIED, { overflowsPerSecond: 4 })[0]!.confidence, 'high');
  assert.equal(examine(RETRIED, { connects: RETRIED })[0]!.confidence, 'high');
  assert.equal(examine(RETRIED, { resentPerSecond: 3 })[0]!.confidence, 'medium');
});

test('it says what speaks against it: counts of the whole machine, connections that stand at once', () => {
  const [byOverflows] = examine(RETRIED, { overflowsPerSecond: 4 });
  const quantities = byOverflows!.counterEvidence.map(({ quantity }) => quantity);
  assert.deepEqual(quantities, ['connectP99Seconds', 'listenOverflowsPerSecond']);
  const [byConnects] = examine(RETRIED, { connects: RETRIED });
  assert.match(byConnects!.counterEvidence[0]!.text, /hardly overflowed/);
});

test('answers at 1 and 3 s of connections that nobody turned away are none, nor is the drain of a spike', () => {
  assert.deepEqual(examine(RETRIED), []);
  assert.deepEqual(examine(RETRIED, { overflowsPerSecond: 4, isTransient: true }), []);
  assert.equal(examine(RETRIED, { connects: RETRIED, isTransient: true }).length, 1);
});

test('a long tail that passes through 1 s is none, nor are overflows of another port', () => {
  const tail = [0.6, 0.7, 0.8, 0.9, 1.05, 1.1, 1.3, 1.4];
  assert.deepEqual(examine(tail, { overflowsPerSecond: 4 }), []);
  assert.deepEqual(examine([], { overflowsPerSecond: 40 }), []);
});
