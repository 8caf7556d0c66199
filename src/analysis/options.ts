import type { IsolatedRoute, RemedyOption, StepRow } from '../model/analysis.ts';
import type { PlannedRequest } from '../model/load.ts';
import type { SimulatedService } from '../model/simulation.ts';
import type { Verdict } from '../model/verdict.ts';
import { percentText, secondsText } from '../stats/wording.ts';
import { elsewhereSeconds } from './outside-cpu.ts';
import { REMEDIES } from './remedies.ts';
import type { Remedied, Remedy, RemedyBasis } from './remedies.ts';

export interface OptionsInput extends Omit<RemedyBasis, 'slow'> {
  /** The measured step at the peak. */
  readonly peak: StepRow;
  readonly users: number;
  readonly thinkTimeSeconds: number;
  /** Runs a service on a virtual clock and reports its step. */
  readonly simulate: (
    service: SimulatedService,
    users: number,
    requests: readonly PlannedRequest[],
  ) => StepRow;
  /** The targets of the peak, judged on a step (measured or predicted). */
  readonly judge: (row: StepRow) => Verdict;
}

interface Considered {
  readonly remedy: Remedy;
  readonly effect: string;
  readonly predicted: RemedyOption['predicted'];
  readonly verdict: Verdict;
}

/**
 * What could be done about the route that makes up most of the work, with the effect at the peak predicted from
 * the measured demands: a simulation of the remedied service gives X and the p95 of each route, the laws give
 * U = X·D / m and N* = (D + Z) / Dmax (D with the time spent outside the CPU). The cheapest option that meets
 * every target with margin is `chosen`, others that do are `fallback`; one that meets more targets than the
 * measured peak is `partial`, else `no`. Options that are not open are left out of the prediction and say why.
 */
export function considerOptions(input: OptionsInput): RemedyOption[] {
  const slow = heaviest(input.isolation.routes);
  if (slow === undefined) return [];
  const now = input.judge(input.peak);
  let chosen = false;
  return REMEDIES.map((remedy) => {
    const remedied = remedy.apply({ ...input, slow });
    if ('notOpen' in remedied) return notOpen(remedy, slow, remedied.notOpen, input);
    const considered = predict(remedy, remedied, input);
    const verdict = verdictOf(considered, now, chosen);
    chosen ||= verdict === 'chosen';
    return describe(considered, verdict, slow, input);
  });
}

function heaviest(routes: readonly IsolatedRoute[]): IsolatedRoute | undefined {
  return [...routes].sort((a, b) => b.shareOfWorkRatio - a.shareOfWorkRatio)[0];
}

function predict(remedy: Remedy, remedied: Remedied, input: OptionsInput): Considered {
  const row = input.simulate(remedied.service, input.users, remedied.requests);
  const { throughputPerSecond } = row;
  const utilizationRatio = (throughputPerSecond * remedied.mixDemandSeconds) / remedied.serverCount;
  const outside = input.isolation.routes.reduce((sum, r) => sum + r.shareRatio * elsewhereSeconds(r), 0);
  const unqueued = remedied.mixDemandSeconds + outside + input.thinkTimeSeconds;
  const predicted = {
    users: input.users,
    throughputPerSecond,
    utilizationRatio,
    saturationUsers: unqueued / remedied.largestDemandSeconds,
    p95ByRoute: p95ByRoute(row),
  };
  const judged = input.judge({
    ...row,
    utilizationRatio: { ...row.utilizationRatio, cpu: utilizationRatio },
  });
  return { remedy, effect: remedied.effect, predicted, verdict: judged };
}

const p95ByRoute = (row: StepRow): Record<string, number> =>
  Object.fromEntries(
    Object.entries(row.byRoute).flatMap(([route, { p95Seconds }]) =>
      p95Seconds === undefined ? [] : [[route, p95Seconds]],
    ),
  );

const passCount = (verdict: Verdict): number =>
  verdict.checks.filter(({ result }) => result === 'pass').length;

function verdictOf({ verdict }: Considered, now: Verdict, chosen: boolean): RemedyOption['verdict'] {
  if (verdict.decision === 'pass') return chosen ? 'fallback' : 'chosen';
  return verdict.decision === 'not-judged' || passCount(verdict) > passCount(now) ? 'partial' : 'no';
}

function describe(
  { remedy, effect, predicted, verdict: judged }: Considered,
  verdict: RemedyOption['verdict'],
  slow: IsolatedRoute,
  { peak }: OptionsInput,
): RemedyOption {
  const missed = judged.checks.filter(({ result }) => result !== 'pass');
  const figures = changes(predicted, peak);
  const why = {
    chosen: `meets every target with margin at the least cost: ${figures}`,
    fallback: `meets every target with margin, at more cost than the chosen one: ${figures}`,
    partial:
      judged.decision === 'not-judged'
        ? `no targets to judge by: ${figures}`
        : `helps, but ${missed.map(({ target, reason }) => `${target.text}: ${reason}`).join('; ')}`,
    no: `meets no more targets than now: ${figures}`,
  };
  return { id: remedy.id, option: remedy.option(slow), effect, predicted, verdict, reason: why[verdict] };
}

/** `p95 /search 141 ms → 3 ms, …, CPU 70 % → 4 %`. */
function changes(predicted: RemedyOption['predicted'], peak: StepRow): string {
  const routes = Object.entries(predicted.p95ByRoute).map(([route, seconds]) => {
    const before = peak.byRoute[route]?.p95Seconds;
    return `p95 ${route} ${before === undefined ? '' : `${secondsText(before)} → `}${secondsText(seconds)}`;
  });
  const cpu = peak.utilizationRatio['cpu'];
  const from = cpu === undefined ? '' : `${percentText(cpu)} → `;
  return [...routes, `CPU ${from}${percentText(predicted.utilizationRatio)}`].join(', ');
}

/** An option that is not open changes nothing: its prediction is the peak as measured. */
function notOpen(remedy: Remedy, slow: IsolatedRoute, why: string, input: OptionsInput): RemedyOption {
  const { peak, users, isolation, serverCount, thinkTimeSeconds } = input;
  const demand = isolation.mixDemandSeconds;
  return {
    id: remedy.id,
    option: remedy.option(slow),
    effect: 'none',
    predicted: {
      users,
      throughputPerSecond: peak.throughputPerSecond,
      utilizationRatio: peak.utilizationRatio['cpu'] ?? (peak.throughputPerSecond * demand) / serverCount,
      saturationUsers: ((demand + thinkTimeSeconds) * serverCount) / demand,
      p95ByRoute: p95ByRoute(peak),
    },
    verdict: 'no',
    reason: `not open: ${why}`,
    notOpen: why,
  };
}
