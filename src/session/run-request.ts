import { ShiploadError } from '../errors.ts';
import type { RunEvent } from '../drive/run-plan.ts';
import type { ExportTarget } from '../export/targets.ts';
import { readEnvironment } from '../host/environment.ts';
import type { Guess } from '../model/guess.ts';
import type { LoadPlan } from '../model/load.ts';
import type { ReplaySchedule } from '../model/replay.ts';
import type { Notice } from '../model/notice.ts';
import type { Pinning, RunManifest } from '../model/record.ts';
import type { Target } from '../model/verdict.ts';
import type { WorkloadModel } from '../model/workload.ts';
import {
  type Grant,
  plannedSeconds,
  type SafetyRequest,
  safetyLimits,
  withinLimits,
} from '../load/safety.ts';
import type { AgentsRequest } from './agents-load.ts';
import type { OpenScenario } from './open-scenario.ts';
import type { OpenService } from './open-service.ts';
import { redactCommand, redactPlan } from './redact.ts';

/** All that a run needs to know before the first request. */
export interface RunRequest {
  readonly label: string;
  readonly plan: LoadPlan;
  /** The requests of a plan that replays a log. */
  readonly replay?: ReplaySchedule;
  /** What users do, in place of the plan's mix. */
  readonly scenario?: ScenarioRequest;
  readonly peakLoad: number;
  readonly workload?: WorkloadModel;
  readonly targets: readonly Target[];
  readonly marginRatio: number;
  readonly guess?: Guess;
  readonly writeSamples: boolean;
  /** Where the metrics go while the run goes on. */
  readonly exportTargets?: readonly ExportTarget[];
  /** Threads that make the load; missing: one. */
  readonly generatorCount?: number;
  /** Machines that make the load; missing: this process does. */
  readonly agents?: AgentsRequest;
  readonly pinning?: Pinning;
  /** Length of each isolated route when the run fails; missing: none is run. */
  readonly isolateSeconds?: number;
  /** For the experiments that decide the findings, all together; missing: none is made. */
  readonly confirmSeconds?: number;
  readonly commandLine: readonly string[];
  readonly planNotices: readonly Notice[];
  /** Missing: the defaults of the place the load goes to. */
  readonly safety?: SafetyRequest;
}

/**
 * The request under the ceilings of where it goes. Throws `option-invalid` for a plan above them, and
 * `url-not-yours` for one that would run on after the permission has ended.
 */
export function underLimits<Request extends Pick<RunRequest, 'plan' | 'safety'>>(
  request: Request,
  grant: Grant,
  nowMilliseconds: number,
): Request {
  const plan = withinLimits(request.plan, safetyLimits(request.safety ?? {}, grant));
  const endsAt = nowMilliseconds + plannedSeconds(plan) * 1000;
  if (grant.until === undefined || endsAt <= Date.parse(grant.until)) return { ...request, plan };
  throw new ShiploadError(
    'url-not-yours',
    `the run would go on after the permission ends at ${grant.until}`,
    {
      where: '--url',
      hint: 'Run fewer or shorter steps, or allow it for longer with shipload allow.',
    },
  );
}

/** A scenario, and the fields of the run that go with every request. */
export interface ScenarioRequest {
  readonly open: OpenScenario;
  readonly headers: Readonly<Record<string, string>>;
}

export interface RunHooks {
  readonly onEvent?: (event: RunEvent) => void;
  readonly say?: (text: string) => void;
  readonly signal?: AbortSignal;
}

/** What stands before the first request: enough to read a run that never came to its end. */
export function manifestOf(request: RunRequest, service: OpenService, startedAt: string): RunManifest {
  return {
    kind: 'run',
    schemaVersion: 1,
    label: request.label,
    startedAt,
    state: 'running',
    command: redactCommand(request.commandLine),
    plan: redactPlan(request.plan),
    service: service.description,
    targets: request.targets,
    marginRatio: request.marginRatio,
    peakLoad: request.peakLoad,
    ...(request.guess !== undefined && { guess: request.guess }),
    environment: { ...readEnvironment(), ...(request.pinning !== undefined && { pinning: request.pinning }) },
  };
}
