import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diagnosisInput } from '../../../test/support/diagnosis-input.ts';
import { stepMeasurement } from '../../../test/support/step-measurement.ts';
import { stepRow } from '../../../test/support/step-rows.ts';
import { connectionLimit } from './connection-limit.ts';
import { failuresGrow } from './failures.ts';
import { rateLimited } from './rate-limited.ts';

interface FailedStep {
  readonly users: number;
  readonly ok: number;
  readonly failed: number;
  readonly cpu?: number;
}

/** Windows of ten seconds with one error code. */
const inputOf = (code: string, steps: readonly FailedStep[]) => {
  const rows = steps.map(({ users, ok, failed, cpu = 0.2 }, index) =>
    stepRow({
      index,
      users,
      completionCount: ok,
      throughputPerSecond: ok / 10,
      errorCount: failed,
      errorRatio: failed / (ok + failed),
      utilizationRatio: { cpu },
    }),
  );
  const measurements = steps.map(({ failed }, index) =>
    stepMeasurement(index, { errorCodes: { [code]: failed } }),
  );
  return diagnosisInput(rows, { measurements });
};

const LIMITED: readonly FailedStep[] = [
  { users: 8, ok: 800, failed: 0 },
  { users: 16, ok: 1200, failed: 400 },
  { users: 32, ok: 1210, failed: 1990 },
];

test('429 beyond 120/s, whatever is offered, is a limit of 120/s', () => {
  const [finding] = rateLimited.examine(inputOf('http-429', LIMITED));
  assert.equal(finding!.confidence, 'high');
  assert.match(finding!.claim, /a limit of about 121\/s refuses the rest/);
});

test('503 may be a service that sheds load, and a busy CPU says so', () => {
  assert.equal(rateLimited.examine(inputOf('http-503', LIMITED))[0]!.confidence, 'medium');
  const busy = LIMITED.map((step) => ({ ...step, cpu: 0.95 }));
  assert.match(
    rateLimited.examine(inputOf('http-503', busy))[0]!.counterEvidence[0]!.text,
    /the CPU is busy too/,
  );
});

test('no rate is claimed for other failures, or where successes go on growing', () => {
  assert.deepEqual(rateLimited.examine(inputOf('http-500', LIMITED)), []);
  const growing = LIMITED.map((step, i) => (i === 2 ? { ...step, ok: 2000 } : step));
  assert.deepEqual(rateLimited.examine(inputOf('http-429', growing)), []);
});

test('connections that fail from 16 users on and not at 8 are a limit of connections', () => {
  const [finding] = connectionLimit.examine(inputOf('ECONNRESET', LIMITED));
  assert.match(finding!.claim, /fail from 16 users on and not at 8 users/);
  assert.deepEqual(connectionLimit.examine(inputOf('http-500', LIMITED)), []);
});

test('a constant share of broken connections is no limit, though the lightest step shows none', () => {
  const constant = [
    { users: 1, ok: 20, failed: 0 },
    { users: 8, ok: 784, failed: 16 },
    { users: 32, ok: 3136, failed: 64 },
  ];
  const input = inputOf('ECONNRESET', constant);
  assert.equal(failuresGrow(input.rows), false);
  assert.deepEqual(connectionLimit.examine(input), []);
});
