import { ShiploadError } from '../errors.ts';
import type { LoadPlan, PlannedRequest, Step } from '../model/load.ts';
import type { Notice } from '../model/notice.ts';
import type { ReplaySchedule } from '../model/replay.ts';
import type { TargetSet, WorkloadModel } from '../model/workload.ts';
import { figure, percentText } from '../stats/wording.ts';
import { BODYLESS } from './planned-requests.ts';
import { DEFAULT_MAX_IN_FLIGHT } from './shapes/shape.ts';

export interface ReplayOptions {
  /** How many times faster than the log. */
  readonly speedFactor: number;
  /** Length of a step of the result; longer where the log would make more than 60 of them. */
  readonly stepSeconds: number;
  readonly maxInFlight?: number;
  readonly requestTimeoutSeconds: number;
  readonly seed: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface PlannedReplay {
  readonly plan: LoadPlan;
  /** The requests that are sent, with class indexes of the plan. */
  readonly replay: ReplaySchedule;
  /** The highest rate of a step. */
  readonly peakLoad: number;
  readonly notices: readonly Notice[];
}

const MOST_STEPS = 60;

/**
 * The plan that sends the log's own requests at their own times, `speedFactor` times faster: steps of equal length
 * without warm-up, each with the rate the log has there. Requests whose method needs a body are left out, with a
 * notice; those that failed in the log are sent as they were. Throws `workload-nothing-to-send`.
 */
export function planReplay(
  workload: WorkloadModel,
  log: ReplaySchedule,
  options: ReplayOptions,
): PlannedReplay {
  const classes = workload.requestClasses.filter(({ method }) => BODYLESS.has(method));
  const planIndex = new Map(classes.map(({ id }, index) => [id, index]));
  const replay = keepClasses(log, planIndex);
  const count = replay.atSeconds.length;
  if (count === 0) {
    throw new ShiploadError('workload-nothing-to-send', 'no request of the log can be sent again', {
      hint: 'All of them need a body, which an access log does not hold.',
    });
  }
  const counts = new Uint32Array(classes.length);
  for (const index of replay.classIndex) counts[index]! += 1;
  const requests = classes.map((one, index): PlannedRequest => {
    const { id, method, route } = one;
    const targets = one.targets.targets.length > 0 ? one.targets : failedTarget(replay, index);
    const headers = options.headers === undefined ? {} : { headers: options.headers };
    return { id, method, route, shareRatio: counts[index]! / count, targets, ...headers };
  });
  const steps = stepsOf(replay, options);
  return {
    plan: {
      seed: options.seed,
      shape: 'replay',
      requests,
      requestTimeoutSeconds: options.requestTimeoutSeconds,
      steps,
      speedFactor: options.speedFactor,
    },
    replay,
    peakLoad: Math.max(
      ...steps.map(({ driver }) => (driver.kind === 'open' ? driver.arrivalRatePerSecond : 0)),
    ),
    notices: leftOut(log.atSeconds.length, count),
  };
}

/** A class that only failed in the log has nothing that is worth drawing; the replay sends it all the same. */
function failedTarget({ classIndex, targetIndex, targets }: ReplaySchedule, index: number): TargetSet {
  const first = targets[targetIndex[classIndex.indexOf(index)]!] ?? '/';
  return { draw: 'uniform', targets: [first], distinctCount: 1 };
}

/** The requests of the classes in `planIndex`, numbered by it. */
function keepClasses(log: ReplaySchedule, planIndex: ReadonlyMap<string, number>): ReplaySchedule {
  const newIndex = log.classIds.map((id) => planIndex.get(id));
  const kept = Array.from(log.classIndex.keys()).filter((i) => newIndex[log.classIndex[i]!] !== undefined);
  return {
    ...log,
    atSeconds: Float64Array.from(kept, (i) => log.atSeconds[i]!),
    classIndex: Uint32Array.from(kept, (i) => newIndex[log.classIndex[i]!]!),
    targetIndex: Uint32Array.from(kept, (i) => log.targetIndex[i]!),
    classIds: [...planIndex.keys()],
  };
}

/** Equal steps over the window; the rate of each is that of its requests. */
function stepsOf({ atSeconds, spanSeconds }: ReplaySchedule, options: ReplayOptions): readonly Step[] {
  const { speedFactor, stepSeconds, maxInFlight = DEFAULT_MAX_IN_FLIGHT } = options;
  const seconds = Math.max(1, spanSeconds / speedFactor);
  const count = Math.min(MOST_STEPS, Math.max(1, Math.round(seconds / stepSeconds)));
  const measureSeconds = seconds / count;
  const perStep = new Uint32Array(count);
  for (const at of atSeconds)
    perStep[Math.min(count - 1, Math.floor(at / speedFactor / measureSeconds))]! += 1;
  return Array.from(perStep, (requests, index) => {
    const arrivalRatePerSecond = requests / measureSeconds;
    return {
      index,
      label: `${figure(arrivalRatePerSecond)}/s`,
      driver: { kind: 'open', arrivalRatePerSecond, arrivals: 'log', maxInFlight },
      warmupSeconds: 0,
      measureSeconds,
    };
  });
}

function leftOut(all: number, kept: number): readonly Notice[] {
  if (kept === all) return [];
  return [
    {
      code: 'bodies-unknown',
      severity: 'warning',
      message: `${percentText((all - kept) / all)} of the requests are left out of the replay: they need a body, which an access log does not hold.`,
      advice: 'The load is lighter than the log by that share; read the result with that in mind.',
    },
  ];
}
