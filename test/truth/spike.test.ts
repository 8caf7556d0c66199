import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyze } from '../../src/analysis/analyze.ts';
import { drainSeconds, spikeDrain } from '../../src/analysis/rules/spike-drain.ts';
import { stepTable } from '../../src/analysis/step-table.ts';
import { basisOfUrl } from '../../src/load/load-basis.ts';
import { planLoad } from '../../src/load/plan-load.ts';
import { simulatePlan } from '../support/simulate.ts';

const BASE = 50;
const BURST = 150;
const CAPACITY = 100;
const BURST_SECONDS = 60;
const EXPECTED = ((BURST - CAPACITY) * BURST_SECONDS) / (CAPACITY - BASE);

const spikeOf = (arrivals: 'poisson' | 'constant', seed: number, stepSeconds = 2 * BURST_SECONDS) => {
  const { plan } = planLoad(basisOfUrl({ pathname: '/a', search: '' }, { method: 'GET' }), {
    shape: 'spike',
    loads: [BASE, BURST],
    arrivals,
    stepSeconds,
    warmupSeconds: 5,
    requestTimeoutSeconds: 1000,
    seed,
  });
  const steps = plan.steps.map((step) =>
    step.index === 1 ? { ...step, measureSeconds: BURST_SECONDS } : step,
  );
  const kind = arrivals === 'poisson' ? 'exponential' : 'constant';
  const service = {
    stations: [{ name: 'cpu', serverCount: 1 }],
    visits: { 'GET /a': [{ station: 'cpu', service: { kind, meanSeconds: 1 / CAPACITY } as const }] },
  };
  const spike = { ...plan, steps };
  return { plan: spike, measurements: simulatePlan(spike, service).measurements };
};

test('a spike drains in (λs − μ)·Ts/(μ − λb) within 10 % where nothing is left to chance', () => {
  const { measurements } = spikeOf('constant', 1);
  const drained = drainSeconds(measurements[0]!, measurements[2]!)!;
  assert.ok(Math.abs(drained / EXPECTED - 1) <= 0.1, `${drained} s, expected ${EXPECTED} s`);
});

test('with Poisson arrivals and exponential service it does so within four standard deviations', () => {
  // The backlog after the burst varies by √((λs + μ)·Ts), what the drain takes away by √((λb + μ)·drain).
  const spread = Math.sqrt((BURST + CAPACITY) * BURST_SECONDS + (BASE + CAPACITY) * EXPECTED);
  const allowed = (4 * spread) / (CAPACITY - BASE) + 1;
  for (const seed of [1, 2, 3]) {
    const { measurements } = spikeOf('poisson', seed);
    const drained = drainSeconds(measurements[0]!, measurements[2]!)!;
    assert.ok(
      Math.abs(drained - EXPECTED) <= allowed,
      `seed ${seed}: ${drained} s, ${EXPECTED} ± ${allowed} s`,
    );
  }
});

test('the finding says how long it took beside what the law gives, and that it did not drain where it did not', () => {
  const findingsOf = ({ plan, measurements }: ReturnType<typeof spikeOf>) =>
    analyze(stepTable(measurements), { rules: [spikeDrain], plan, measurements }).findings;
  const [finding] = findingsOf(spikeOf('constant', 1));
  assert.match(finding!.claim, /^after a burst of 60 s at 150\/s it takes (59|60|61) s to recover$/);
  assert.match(finding!.evidence[1]!.text, /gives 60 s/);
  const [short] = findingsOf(spikeOf('constant', 1, 30));
  assert.match(short!.claim, /has not recovered 30 s later/);
});
