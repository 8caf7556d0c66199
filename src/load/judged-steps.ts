import type { PlannedRequest, Step } from '../model/load.ts';
import type { Notice } from '../model/notice.ts';
import type { Target } from '../model/verdict.ts';

/** A percentile is judged only with ten samples beyond it. */
const SAMPLES_BEYOND = 10;
/** Slack for unevenly arriving requests and for a service that answers fewer than planned. */
const SLACK = 1.3;
/** A judged step is made this long at most; where that does not hold the samples (a slow service), half as long again. */
const LONGEST_SECONDS = 30;
const LONGEST_ON_SLOW_SERVICES_SECONDS = 45;

/**
 * The loads of a ladder and those that targets are judged at beside them (a target without a load: at the peak),
 * rising, each once. A notice says which were added, and for what.
 */
export function addJudgedLoads(
  ladder: readonly number[],
  targets: readonly Target[],
  peakLoad: number,
  textOf: (load: number) => string,
): { readonly loads: readonly number[]; readonly notices: readonly Notice[] } {
  const judged = new Map<number, Target[]>();
  for (const target of targets) {
    const { load = peakLoad } = target;
    judged.set(load, [...(judged.get(load) ?? []), target]);
  }
  const added = [...judged.keys()].filter((load) => !ladder.includes(load));
  const loads = [...new Set([...ladder, ...added])].sort((a, b) => a - b);
  if (ladder.length === 0) return { loads, notices: [] };
  const notices = added.map((load): Notice => {
    const texts = judged.get(load)!.map(({ text }) => `"${text}"`);
    return {
      code: 'judged-step-added',
      severity: 'info',
      message: `A step of ${textOf(load)} is added to the ladder: ${texts.join(' and ')} ${texts.length === 1 ? 'is' : 'are'} judged there.`,
    };
  });
  return { loads, notices };
}

export interface JudgedSteps {
  readonly steps: readonly Step[];
  readonly notices: readonly Notice[];
}

/**
 * Makes the steps at which percentiles are judged long enough for ten samples beyond each of them (200 for a 95th
 * percentile of one route), where users think: a route with share s of N users who take `cycleSeconds` from
 * request to request gives N·s / cycle samples a second. Longer steps stay as they are. A notice says what was
 * lengthened.
 */
export function lengthenJudgedSteps(
  steps: readonly Step[],
  targets: readonly Target[],
  basis: {
    readonly requests: readonly PlannedRequest[];
    readonly cycleSeconds: number;
    readonly peakLoad: number;
  },
): JudgedSteps {
  const notices: Notice[] = [];
  const lengthened = steps.map((step) => {
    if (step.driver.kind !== 'closed') return step;
    const { users } = step.driver;
    const judged = targets.filter((target) => (target.load ?? basis.peakLoad) === users);
    const neededSeconds = Math.max(0, ...judged.map((target) => secondsFor(target, users, basis)));
    if (neededSeconds <= step.measureSeconds) return step;
    notices.push({
      code: 'judged-step-lengthened',
      severity: 'info',
      message: `The step of ${step.label} measures ${neededSeconds} s instead of ${step.measureSeconds} s: its percentiles need the samples.`,
    });
    return { ...step, measureSeconds: neededSeconds };
  });
  return { steps: lengthened, notices };
}

function secondsFor(
  target: Target,
  users: number,
  { requests, cycleSeconds }: Parameters<typeof lengthenJudgedSteps>[2],
): number {
  const percentile = /^p(\d+(?:\.\d+)?)$/.exec(target.metric)?.[1];
  if (percentile === undefined || !(cycleSeconds > 0)) return 0;
  const beyondRatio = 1 - Number(percentile) / 100;
  const ofRoute = requests.filter(
    ({ route, id }) => target.route === undefined || target.route === route || target.route === id,
  );
  const shareRatio = ofRoute.reduce((sum, request) => sum + request.shareRatio, 0);
  if (!(beyondRatio > 0) || !(shareRatio > 0)) return 0;
  const seconds = (SAMPLES_BEYOND / beyondRatio / ((users * shareRatio) / cycleSeconds)) * SLACK;
  return Math.ceil(
    Math.min(seconds > LONGEST_SECONDS ? LONGEST_ON_SLOW_SERVICES_SECONDS : LONGEST_SECONDS, seconds),
  );
}
