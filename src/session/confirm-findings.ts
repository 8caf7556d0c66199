import { judgeExperiment, notRun } from '../analysis/confirmations.ts';
import { stepTable } from '../analysis/step-table.ts';
import type { RunEvent } from '../drive/run-plan.ts';
import { experimentPlan } from '../load/experiment-plan.ts';
import type { Confirmation, Experiment, Finding, StepRow } from '../model/analysis.ts';
import type { LoadPlan, Step } from '../model/load.ts';
import type { LoadResult } from './run-load.ts';

/** An experiment shorter than this shows chance more than the service. */
const SHORTEST_SECONDS = 3;
/** The part of an experiment that goes by without load, where it asks for a rest. */
const REST_SHARE = 0.5;

export interface ConfirmOptions {
  readonly plan: LoadPlan;
  readonly rows: readonly StepRow[];
  readonly findings: readonly Finding[];
  /** For all experiments together, answers that are still awaited at the end of one not counted. */
  readonly limitSeconds: number;
  readonly serverCount?: number;
  readonly run: (plan: LoadPlan, listener: (event: RunEvent) => void) => Promise<LoadResult>;
  readonly rest: (seconds: number) => Promise<void>;
  readonly say?: (text: string) => void;
  readonly isStopped?: () => boolean;
}

interface Asked {
  readonly finding: Finding;
  readonly experiment: Experiment;
}

/** One run of the load that answers one finding or several. */
interface Trial {
  readonly step: Step;
  readonly before: StepRow;
  readonly asked: Asked[];
}

/**
 * Makes the experiments that the findings ask for, within a time limit: findings that are not sure come first, those
 * that ask for the same share one run, each gets its part of the time and at most the length of the step it starts from.
 * What finds no time is said to be not made.
 */
export async function confirmFindings(options: ConfirmOptions): Promise<readonly Confirmation[]> {
  const { trials, impossible } = planTrials(options);
  const confirmations: Confirmation[] = [...impossible];
  let leftSeconds = options.limitSeconds;
  for (const [i, trial] of trials.entries()) {
    const longest = trial.step.warmupSeconds + trial.step.measureSeconds;
    const seconds = Math.min(
      leftSeconds,
      Math.max(SHORTEST_SECONDS, leftSeconds / (trials.length - i)),
      longest,
    );
    const isStopped = options.isStopped?.() === true;
    if (isStopped || seconds < Math.min(SHORTEST_SECONDS, longest)) {
      const why = isStopped
        ? 'the run was stopped'
        : `no time was left of the ${Math.round(options.limitSeconds)} s`;
      confirmations.push(...trial.asked.map(({ finding, experiment }) => notRun(finding, experiment, why)));
      continue;
    }
    leftSeconds -= seconds;
    confirmations.push(...(await makeTrial(trial, seconds, options)));
  }
  return confirmations;
}

const FIRST_TO_DECIDE: readonly Finding['confidence'][] = ['medium', 'low', 'high'];

function planTrials({ plan, rows, findings }: ConfirmOptions): {
  readonly trials: readonly Trial[];
  readonly impossible: readonly Confirmation[];
} {
  const trials = new Map<string, Trial>();
  const impossible: Confirmation[] = [];
  const inOrder = FIRST_TO_DECIDE.flatMap((confidence) =>
    findings.filter((finding) => finding.confidence === confidence),
  );
  for (const finding of inOrder) {
    const { experiment } = finding;
    if (experiment === undefined) continue;
    const before = rows.find(({ index }) => index === experiment.stepIndex) ?? highestValid(rows);
    const step = plan.steps.find(({ index }) => index === before?.index);
    if (before === undefined || step === undefined) {
      impossible.push(notRun(finding, experiment, 'there is no step to compare it with'));
      continue;
    }
    const key = [experiment.kind, experiment.route ?? '', step.index].join('\n');
    const trial = trials.get(key) ?? { step, before, asked: [] };
    trials.set(key, trial);
    trial.asked.push({ finding, experiment });
  }
  return { trials: [...trials.values()], impossible };
}

const highestValid = (rows: readonly StepRow[]): StepRow | undefined => rows.findLast(({ valid }) => valid);

async function makeTrial(
  { step, before, asked }: Trial,
  seconds: number,
  options: ConfirmOptions,
): Promise<readonly Confirmation[]> {
  const { kind, route } = asked[0]!.experiment;
  options.say?.(`  ${kind}${route === undefined ? '' : ` (${route})`}, ${Math.round(seconds)} s`);
  const restSeconds = kind === 'load-off' ? seconds * REST_SHARE : 0;
  const trialPlan = experimentPlan(
    options.plan,
    step,
    { kind, ...(route && { route }) },
    seconds - restSeconds,
  );
  const none = (why: string) => asked.map(({ finding, experiment }) => notRun(finding, experiment, why));
  if (trialPlan === undefined) return none('nothing would be left of the load');
  if (restSeconds > 0) await options.rest(restSeconds);
  const { measurements } = await options.run(trialPlan, () => {});
  const { serverCount } = options;
  const [after] = stepTable(measurements, serverCount === undefined ? {} : { serverCount });
  if (after === undefined) return none('the service gave no answer');
  return asked.map(({ finding, experiment }) => judgeExperiment(finding, experiment, before, after, seconds));
}
