import type { Analysis, StepRow } from '../model/analysis.ts';
import type { Guess, ScoredGuess } from '../model/guess.ts';
import { loadOf } from '../stats/wording.ts';
import { busiestResource } from './saturation.ts';

/** A resource at this use has given out, also where no rule names it. */
const FULL = 0.85;

/**
 * A person's guesses beside what the run showed: the highest X; the load where the percentile went above the limit,
 * between the two steps on a straight line; and the resource that the findings name as the limit, else the one
 * that was full. A guess that the run did not reach has no measured figure, and the reason.
 */
export function scoreGuess(guess: Guess, analysis: Analysis): ScoredGuess[] {
  const { peakPerSecond, crossing, firstResource } = guess;
  return [
    ...(peakPerSecond === undefined ? [] : [peakGuess(peakPerSecond, analysis)]),
    ...(crossing === undefined ? [] : [crossingGuess(crossing, analysis)]),
    ...(firstResource === undefined ? [] : [resourceGuess(firstResource, analysis)]),
  ];
}

const scored = (
  base: Pick<ScoredGuess, 'quantity' | 'unit'>,
  guessed: number,
  measured: number | undefined,
  note: string,
): ScoredGuess =>
  measured === undefined
    ? { ...base, guessed, note }
    : { ...base, guessed, measured, errorRatio: guessed / measured - 1, note };

function peakGuess(guessed: number, { knee }: Analysis): ScoredGuess {
  const base = { quantity: 'peak throughput', unit: 'perSecond' } as const;
  if (knee.peak === undefined) return scored(base, guessed, undefined, 'no valid step');
  const { load, throughputPerSecond, reached } = knee.peak;
  const note = reached ? `at ${load}` : `at ${load}, the last step: it may rise on`;
  return scored(base, guessed, throughputPerSecond, note);
}

function crossingGuess(crossing: NonNullable<Guess['crossing']>, { steps }: Analysis): ScoredGuess {
  const { percentile, route, limitSeconds, load } = crossing;
  const of = route === undefined ? '' : ` of ${route}`;
  const base = { quantity: `load where ${percentile}${of} goes above its limit`, unit: 'users' } as const;
  const read = (row: StepRow): number | undefined =>
    (route === undefined ? row.overall : row.byRoute[route])?.[`${percentile}Seconds`];
  const points = steps
    .flatMap((row) => {
      const at = loadOf(row)?.value;
      const seconds = read(row);
      return !row.valid || at === undefined || seconds === undefined ? [] : [{ at, seconds }];
    })
    .sort((a, b) => a.at - b.at);
  if (points.length === 0) return scored(base, load, undefined, `${percentile}${of} was not measured`);
  const above = points.findIndex(({ seconds }) => seconds > limitSeconds);
  if (above < 0) return scored(base, load, undefined, `not up to ${points.at(-1)!.at}`);
  if (above === 0) return scored(base, load, points[0]!.at, 'above it from the first step on');
  const [low, high] = [points[above - 1]!, points[above]!];
  const share = (limitSeconds - low.seconds) / (high.seconds - low.seconds);
  const note = `between the steps ${low.at} and ${high.at}`;
  return scored(base, load, low.at + share * (high.at - low.at), note);
}

function resourceGuess(guessed: string, { findings, steps }: Analysis): ScoredGuess {
  const base = { quantity: 'first to give out', unit: 'resource', guessed } as const;
  const limit = findings.find(
    ({ ruleId, resource, confidence }) =>
      resource !== undefined && confidence !== 'low' && /-bound$|^one-lane-bridge$/.test(ruleId),
  );
  if (limit !== undefined)
    return {
      ...base,
      measured: limit.resource!,
      note: `finding ${limit.ruleId}, confidence ${limit.confidence}`,
    };
  const busiest = busiestResource(steps);
  if (busiest === undefined) return { ...base, note: 'no use of any resource was measured' };
  const use = `${busiest.resource} at ${Math.round(100 * busiest.utilizationRatio)} % at most`;
  return busiest.utilizationRatio >= FULL
    ? { ...base, measured: busiest.resource, note: use }
    : { ...base, note: `nothing reached its limit: ${use}` };
}
