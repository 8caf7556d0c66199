import type { LoadPlan } from '../model/load.ts';
import { openEngine } from './load-engine.ts';
import type { OpenService } from './open-service.ts';
import { protocolOptions } from './protocol-options.ts';
import { type LoadResult, type LoadRun, runLoad } from './run-load.ts';
import { type RunningScenario, startScenario } from './scenario-run.ts';
import { type ScenarioRequest } from './run-request.ts';

/** What is wanted of one plan besides its load. */
export type OnceRun = Omit<LoadRun, 'engine' | 'counters' | 'scenario'> & {
  readonly scenario?: ScenarioRequest;
  readonly say?: (text: string) => void;
};

/** One plan on a fresh set of connections. */
export async function loadOnce(
  plan: LoadPlan,
  service: OpenService,
  run: OnceRun,
  generatorCount = 1,
): Promise<LoadResult> {
  const engine = await openEngine(plan, protocolOptions(plan, service), {
    generatorCount,
    sendSamples: run.writeSamples === true,
    ...(run.replay !== undefined && { replay: run.replay }),
  });
  const { scenario: asked, say, ...rest } = run;
  let running: RunningScenario | undefined;
  try {
    if (asked !== undefined && engine.place !== undefined) {
      const { url } = service;
      const more = { url, seed: plan.seed, headers: asked.headers, ...(say !== undefined && { say }) };
      running = await startScenario(asked.open, { ...engine.place, ...more });
    }
    const scenario = running?.run;
    const loaded = {
      engine,
      counters: service.counters,
      ...rest,
      ...(scenario !== undefined && { scenario }),
    };
    const result = await runLoad(plan, loaded);
    return running === undefined ? result : { ...result, scenarioNotices: running.notices() };
  } finally {
    await running?.close();
    await engine.close();
  }
}
