import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyze } from '../../src/analysis/analyze.ts';
import { stepTable } from '../../src/analysis/step-table.ts';
import type { LoadPlan } from '../../src/model/load.ts';
import { loadTrial } from '../../src/verdict/load-trial.ts';
import { judge } from '../../src/verdict/judge.ts';
import { parseTarget } from '../../src/verdict/parse-target.ts';
import { openStep, request, simulatePlan } from '../support/simulate.ts';

/* A service of one server, 10 ms each (exponential): it carries 100/s, whatever the generator lets through. */

const S = 0.01;
const CAPACITY = 1 / S;
const service = {
  stations: [{ name: 'cpu', serverCount: 1 }],
  visits: { 'GET /a': [{ station: 'cpu', service: { kind: 'exponential', meanSeconds: S } as const }] },
};
/** The same with 90 ms of waiting that anybody may do at once: R₀ = 100 ms, so that K = 5 lets 50/s through. */
const withDelay = {
  stations: [...service.stations, { name: 'delay', serverCount: 100_000 }],
  visits: {
    'GET /a': [
      { station: 'delay', service: { kind: 'constant', meanSeconds: 0.09 } as const },
      ...service.visits['GET /a'],
    ],
  },
};

const ladder = (rates: readonly number[], maxInFlight: number): LoadPlan => ({
  seed: 7,
  shape: 'rate',
  requests: [request('/a', 1)],
  requestTimeoutSeconds: 600,
  steps: rates.map((rate, index) => openStep(index, rate, 'poisson', [20, 200], maxInFlight)),
});

const codesOf = (notices: readonly { readonly code: string }[]): readonly string[] =>
  notices.map(({ code }) => code);

test('a small limit in flight is not read as the capacity of the service', () => {
  const rows = stepTable(simulatePlan(ladder([10, 20, 80, 160], 5), withDelay).measurements);
  const [, , third, fourth] = rows;
  // K/R₀ = 5/0.1 s: the tool's own limit, half of what the service carries.
  for (const row of [third!, fourth!]) {
    assert.ok(row.throughputPerSecond < 55, `${row.throughputPerSecond}`);
    assert.ok(codesOf(row.notices).includes('load-held-back'));
    assert.equal(row.valid, false);
  }
  const { knee } = analyze(rows);
  assert.equal(knee.seen, false);
  assert.notEqual(knee.capacitySource, 'plateau');
  assert.ok(knee.capacityPerSecond! <= 22, `${knee.capacityPerSecond}`);
});

test('arrivals dropped behind a queue that makes requests 34 times as long show the capacity within 3 %', () => {
  const rows = stepTable(simulatePlan(ladder([20, 50, 200], 400), service).measurements);
  const last = rows.at(-1)!;
  // R = K·S = 4 s, R₀ = S/(1 − 0.2) = 12.5 ms.
  assert.deepEqual(codesOf(last.notices), ['requests-dropped']);
  assert.equal(last.valid, true);
  const { knee } = analyze(rows);
  assert.equal(knee.seen, true);
  assert.equal(knee.capacitySource, 'plateau');
  // Five standard deviations of a Poisson count over 200 s.
  assert.ok(Math.abs(knee.capacityPerSecond! - CAPACITY) <= 5 * Math.sqrt(CAPACITY / 200));
});

test('one step alone does not tell the limit in flight from the service', () => {
  const [row] = stepTable(simulatePlan(ladder([200], 400), service).measurements);
  assert.ok(codesOf(row!.notices).includes('load-held-back'));
});

test('a target met by the requests that were let through is not met at the load; a search is told so', () => {
  const { measurements } = simulatePlan(ladder([10, 160], 5), withDelay);
  const rows = stepTable(measurements);
  const target = parseTarget('p95 <= 500 ms at 160/s');
  assert.ok(rows[1]!.overall.p95Seconds! < 0.5);
  assert.equal(judge([target], rows).decision, 'invalid');
  const { load: _, ...anywhere } = target;
  const goals = { targets: [anywhere], marginRatio: 0.1 };
  const passing = loadTrial(rows[1]!, measurements[1]!, goals, { load: 160, stepCount: 1 });
  assert.match(passing.blocked!, /--max-in-flight/);
  // What fails with some of the load fails with all of it.
  const strict = { targets: [{ ...anywhere, limit: 0.05 }], marginRatio: 0.1 };
  const failing = loadTrial(rows[1]!, measurements[1]!, strict, { load: 160, stepCount: 1 });
  assert.equal(failing.blocked, undefined);
  assert.equal(failing.passes, false);
});
