import type { LoadPlan } from '../model/load.ts';
import { type EngineConclusion, type LoadEngine, openEngine } from './load-engine.ts';
import type { OpenService } from './open-service.ts';
import { protocolOptions } from './protocol-options.ts';
import { type LoadResult, type LoadRun, runLoad } from './run-load.ts';
import { type RunningScenario, startScenario } from './scenario-run.ts';
import { type ScenarioRequest } from './run-request.ts';

/** What is wanted of one plan besides its load. */
export type OnceRun = Omit<LoadRun, 'engine' | 'counters' | 'scenario'> & {
  readonly scenario?: ScenarioRequest;
  readonly say?: (text: string) => void;
  /** Opens what makes the load, in place of threads of this process. */
  readonly openEngine?: (plan: LoadPlan, service: OpenService) => Promise<LoadEngine>;
};

/** One plan on a fresh set of connections. */
export async function loadOnce(
  plan: LoadPlan,
  service: OpenService,
  run: OnceRun,
  generatorCount = 1,
): Promise<LoadResult> {
  const { scenario: asked, say, openEngine: openOther, ...rest } = run;
  const engine =
    (await openOther?.(plan, service)) ??
    (await openEngine(plan, protocolOptions(plan, service), {
      generatorCount,
      sendSamples: run.writeSamples === true,
      ...(run.replay !== undefined && { replay: run.replay }),
    }));
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
    const conclusion = await engine.conclude?.();
    if (conclusion !== undefined) return concluded(result, conclusion);
    return running === undefined ? result : { ...result, notices: running.notices() };
  } finally {
    await running?.close();
    await engine.close();
  }
}

/** What the agents say of themselves, with the run; what they leave in doubt, with each of its steps. */
const concluded = (result: LoadResult, { agents, notices, doubts }: EngineConclusion): LoadResult => ({
  ...result,
  agents,
  notices,
  measurements: result.measurements.map((step) => ({ ...step, notices: [...step.notices, ...doubts] })),
});
