import { ReplayStream } from '../load/replay-stream.ts';
import type { RequestStream } from '../load/request-stream.ts';
import type { LoadPlan } from '../model/load.ts';
import { durationSampler } from '../stats/random.ts';
import { ClosedLoop } from './closed-loop.ts';
import type { DriveHost } from './drive-host.ts';
import type { LoadLoop } from './load-loop.ts';
import { OpenLoop } from './open-loop.ts';
import type { PlanPart } from './plan-part.ts';
import type { Recorder } from './recorder.ts';
import { routeIndexOf } from './route-index.ts';
import { ScenarioArrivals, ScenarioUsers } from './scenario-loop.ts';

/** One loop of each kind, over the same connections, requests and records. */
export function createLoops(
  plan: LoadPlan,
  host: DriveHost,
  recorder: Recorder,
  stream: RequestStream,
  part: PlanPart,
): readonly LoadLoop[] {
  const { thinkTimeSeconds, usersPerSecond, seed } = plan;
  const { clock, protocol } = host;
  const replay = host.replay && {
    stream: new ReplayStream(host.replay),
    speedFactor: plan.speedFactor ?? 1,
  };
  const shared = { clock, protocol, recorder, seed, part, stream, ...(replay && { replay }) };
  const drawThinkSeconds = thinkTimeSeconds === undefined ? undefined : durationSampler(thinkTimeSeconds);
  const { scenario } = host;
  if (scenario !== undefined) {
    const routeIndex = routeIndexOf(plan, recorder, host.onRouteAdded);
    const scenarioHost = { clock, protocol, recorder, seed, part, scenario, drawThinkSeconds, routeIndex };
    return [new ScenarioUsers(scenarioHost, usersPerSecond), new ScenarioArrivals(scenarioHost)];
  }
  return [new ClosedLoop({ ...shared, drawThinkSeconds, usersPerSecond }), new OpenLoop(shared)];
}
