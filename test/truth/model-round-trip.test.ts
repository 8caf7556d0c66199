import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { constructLog } from '../../src/demo/constructed-log.ts';
import { SEARCH_TERMS } from '../../src/demo/worked-case.ts';
import { plannedRequests } from '../../src/load/planned-requests.ts';
import type { WorkloadModel } from '../../src/model/workload.ts';
import { modelLog } from '../../src/pipeline.ts';
import { simulateStep } from '../../src/session/simulate-step.ts';
import { meanOf } from '../../src/stats/histogram.ts';
import { shared, skipWithout } from '../support/paths.ts';

async function modelOf(text: Buffer): Promise<WorkloadModel> {
  const chunks = (async function* () {
    yield text;
  })();
  return modelLog([{ name: 'access.log', chunks }], { window: 'all' });
}

/**
 * Drives M users of the model against a service that takes each route's mean time of the log, and compares what
 * they send with the log. 2 % is asked; the simulated five minutes at 100/s (30,000 requests) carry a standard
 * error of the mean think time of 0.58 s / √30,000 = 0.17 %, of a quarter's share of 1 %.
 */
function assertGivesBack(model: WorkloadModel): void {
  const { requests } = plannedRequests(model);
  const users = Math.round(model.activeUsers!);
  const service = {
    stations: [{ name: 'service' }],
    visits: Object.fromEntries(
      model.requestClasses.map((one) => [
        one.id,
        [
          {
            station: 'service',
            service: { kind: 'constant' as const, meanSeconds: one.responseTimeSeconds!.mean },
          },
        ],
      ]),
    ),
  };
  const step = simulateStep(service, users, requests, model.thinkTimeSeconds!.distribution, 1, 7);
  const throughput = step.completionCount / step.windowSeconds;
  const within2Percent = (name: string, actual: number, expected: number): void =>
    assert.ok(Math.abs(actual / expected - 1) < 0.02, `${name}: ${actual} of ${expected}`);
  within2Percent('X', throughput, model.throughputPerSecond);
  within2Percent('Z', step.thinkTimeSeconds!, model.thinkTimeSeconds!.mean);
  within2Percent('M', throughput * (step.thinkTimeSeconds! + meanOf(step.responseTime)!), model.activeUsers!);
  for (const one of model.requestClasses) {
    const sent = step.byRoute.find((route) => route.requestClassId === one.id)!;
    within2Percent(`share of ${one.route}`, sent.okCount / step.completionCount, one.shareRatio);
  }
}

test('a constructed log’s model on the virtual clock gives back its X, mix, Z and M within 2 %', async () => {
  const log = constructLog({
    users: 200,
    spanSeconds: 900,
    startedAtEpochMs: 1_761_750_000_000,
    bookCount: 200_000,
    bookResponseSeconds: 0.003,
    searchResponseSeconds: 0.04,
    terms: SEARCH_TERMS,
    seed: 7,
  });
  const model = await modelOf(Buffer.from(log));
  assert.equal(model.clientCount, 200);
  assertGivesBack(model);
});

const caseLog = shared('case', 'access.log');

test('so does the worked case’s log', { skip: skipWithout(caseLog) }, async () => {
  assertGivesBack(await modelOf(readFileSync(caseLog!)));
});
