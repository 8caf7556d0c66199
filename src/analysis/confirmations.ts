import type { Confirmation, Experiment, Finding, RatioLimits, StepRow } from '../model/analysis.ts';
import { figure, loadText } from '../stats/wording.ts';

/** A generator that is busier than this may be what the experiment shows. */
const GENERATOR_LIMIT_RATIO = 0.8;

/**
 * What an experiment's step says of the finding that asked for it, beside the step it started from: after / before lies
 * within what supports it, within what refutes it, or decides nothing. Growth of memory is compared by second.
 */
export function judgeExperiment(
  finding: Pick<Finding, 'ruleId' | 'route'>,
  experiment: Experiment,
  before: StepRow,
  after: StepRow,
  seconds: number,
): Confirmation {
  const base = { ...keyOf(finding), experiment, seconds };
  const strained = (after.generator?.utilizationRatio ?? 0) >= GENERATOR_LIMIT_RATIO;
  const [from, to] = [readQuantity(before, experiment), readQuantity(after, experiment)];
  if (from === undefined || to === undefined || strained) {
    const why = strained ? 'the generator was at its limit' : `${nameOf(experiment)} is not known of both`;
    return { ...base, outcome: 'undecided', text: `${wordsOf(experiment)}: nothing decided, ${why}` };
  }
  const ratio = ratioOf(from, to);
  const outcome = outcomeOf(experiment, ratio);
  const figures = `${nameOf(experiment)} went from ${figure(from)} to ${figure(to)} (× ${figure(ratio)})`;
  const text = `${wordsOf(experiment)}, compared with ${loadText(before)}: ${figures}; ${OUTCOME_WORDS[outcome]}`;
  return { ...base, before: from, after: to, ratio, outcome, text };
}

/** A finding whose experiment was not made, and why. */
export function notRun(
  finding: Pick<Finding, 'ruleId' | 'route'>,
  experiment: Experiment,
  why: string,
): Confirmation {
  const text = `${wordsOf(experiment)}: not made, ${why}`;
  return { ...keyOf(finding), experiment, outcome: 'not-run', text, seconds: 0 };
}

const keyOf = ({ ruleId, route }: Pick<Finding, 'ruleId' | 'route'>) => ({
  ruleId,
  ...(route !== undefined && { route }),
});

const OUTCOME_WORDS = {
  supports: 'this is what the finding foretells',
  refutes: 'the finding foretells otherwise',
  undecided: 'this decides nothing',
} as const;

const outcomeOf = ({ supports, refutes }: Experiment, ratio: number): keyof typeof OUTCOME_WORDS => {
  if (isWithin(supports, ratio)) return 'supports';
  return isWithin(refutes, ratio) ? 'refutes' : 'undecided';
};

const isWithin = ({ atLeast, atMost }: RatioLimits, ratio: number): boolean =>
  (atLeast !== undefined || atMost !== undefined) &&
  ratio >= (atLeast ?? -Infinity) &&
  ratio <= (atMost ?? Infinity);

/** Nothing before and nothing after is no change. */
const ratioOf = (from: number, to: number): number => (from === 0 ? (to === 0 ? 1 : Infinity) : to / from);

function readQuantity(row: StepRow, { reads }: Experiment): number | undefined {
  const { quantity, route } = reads;
  const times = route === undefined ? row.overall : row.byRoute[route];
  switch (quantity) {
    case 'throughputPerSecond':
      return route === undefined ? row.throughputPerSecond : times?.throughputPerSecond;
    case 'responseTimeSeconds':
      return route === undefined ? row.responseTimeSeconds : times?.meanSeconds;
    case 'p50Seconds':
    case 'p95Seconds':
      return times?.[quantity];
    case 'errorRatio':
      return row.errorRatio;
    case 'utilizationRatio.cpu':
      return row.utilizationRatio['cpu'];
    case 'residentBytes':
    case 'descriptorCount':
      return row[quantity];
    case 'residentGrowthBytes':
      return row.residentGrowthBytes === undefined || !row.windowSeconds
        ? undefined
        : Math.max(0, row.residentGrowthBytes) / row.windowSeconds;
  }
}

const QUANTITY_WORDS: Readonly<Record<Experiment['reads']['quantity'], string>> = {
  throughputPerSecond: 'throughput per second',
  responseTimeSeconds: 'mean response time in seconds',
  p50Seconds: 'p50 in seconds',
  p95Seconds: 'p95 in seconds',
  errorRatio: 'the share of errors',
  'utilizationRatio.cpu': 'the CPU’s utilisation',
  residentBytes: 'resident memory in bytes',
  residentGrowthBytes: 'growth of memory in bytes a second',
  descriptorCount: 'open descriptors',
};

const nameOf = ({ reads: { quantity, route } }: Experiment): string =>
  `${QUANTITY_WORDS[quantity]}${route === undefined ? '' : ` of ${route}`}`;

const wordsOf = ({ kind, route }: Experiment): string =>
  ({
    'leave-out-route': `the same load without ${route}`,
    'double-load': 'twice the load',
    'light-load': 'next to no load',
    'load-off': 'after a rest without load',
    'repeat-load': 'the same load once more',
  })[kind];

const ONE_UP: Readonly<Record<Finding['confidence'], Finding['confidence']>> = {
  low: 'medium',
  medium: 'high',
  high: 'high',
};

/**
 * The findings after their experiments: one that its experiment supports is one step surer; one that it refutes is left
 * with low confidence, the refutation among what speaks against it. An undecided experiment changes nothing, one that
 * was made is no next one.
 */
export function applyConfirmations(
  findings: readonly Finding[],
  confirmations: readonly Confirmation[],
): readonly Finding[] {
  return findings.map((finding) => {
    const made = confirmations.find(
      ({ ruleId, route, outcome }) =>
        ruleId === finding.ruleId && route === finding.route && outcome !== 'not-run',
    );
    return made === undefined ? finding : confirmed(finding, made);
  });
}

function confirmed(finding: Finding, { outcome, text, ratio, experiment }: Confirmation): Finding {
  const { nextExperiment: _made, ...rest } = finding;
  const evidence = { quantity: `experiment.${experiment.kind}`, value: ratio ?? 0, unit: 'ratio', text };
  if (outcome === 'supports')
    return { ...rest, confidence: ONE_UP[finding.confidence], evidence: [...finding.evidence, evidence] };
  if (outcome === 'refutes')
    return { ...rest, confidence: 'low', counterEvidence: [...finding.counterEvidence, evidence] };
  return finding;
}
