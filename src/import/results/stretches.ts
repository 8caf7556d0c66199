import type { ImportedLoad } from '../../model/imported.ts';
import type { Notice } from '../../model/notice.ts';
import { countText, figure } from '../../stats/wording.ts';
import type { GivenLoad } from './result-format.ts';
import type { Survey } from './survey.ts';

/** Part of a file that becomes a step. `toSeconds` is not in it, but for the end of the file. */
export interface Stretch {
  readonly load: ImportedLoad;
  readonly fromSeconds: number;
  readonly toSeconds: number;
}

export interface Stretches {
  readonly stretches: readonly Stretch[];
  readonly notices: readonly Notice[];
}

/** A number of users that held for less is part of a ramp. */
const LEAST_SECONDS = 3;
/** Without a request for longer, a number of users is not known to have held. */
const LONGEST_GAP_SECONDS = 60;
/** One number of users that made so much of the run is that of the whole run. */
const NEARLY_ALL = 0.9;

/**
 * Cuts a file into steps: one for every stretch of at least three seconds in which the number of users stayed the
 * same. One such stretch with nearly all requests, a load that was given, or none that the file tells: the whole file
 * is one step, and a load that neither says is estimated.
 */
export function stretchesOf(
  survey: Survey,
  { given, openLoop = false }: { readonly given?: GivenLoad; readonly openLoop?: boolean },
): Stretches {
  const { fromSeconds, toSeconds } = survey.span;
  const whole = (load: ImportedLoad, notices: readonly Notice[] = []): Stretches => ({
    stretches: [{ load, fromSeconds, toSeconds }],
    notices,
  });
  if (given !== undefined) return whole({ kind: given.kind, value: given.values[0]!, source: 'given' });
  const { usersBySecond } = survey;
  if (usersBySecond.length === 0) return openLoop ? arrivals(survey, whole) : inFlight(survey, whole);
  const held = heldStretches(survey);
  if (held.length === 0) {
    const mean = usersBySecond.reduce((sum, [, { highest }]) => sum + highest, 0) / usersBySecond.length;
    return whole({ kind: 'users', value: rounded(mean), source: 'estimated' }, [neverHeld(mean)]);
  }
  const ended = (stretch: Stretch): number =>
    survey.endsBetween(stretch.fromSeconds, Math.ceil(stretch.toSeconds));
  const inSteps = held.reduce((sum, stretch) => sum + ended(stretch), 0);
  if (held.length === 1 && inSteps >= NEARLY_ALL * survey.requestCount) return whole(held[0]!.load);
  return { stretches: held, notices: [] };
}

function heldStretches(survey: Survey): Stretch[] {
  const { fromSeconds, toSeconds } = survey.span;
  const stretches: { users: number; from: number; to: number }[] = [];
  let open: { users: number; from: number; to: number } | undefined;
  for (const [second, { lowest, highest }] of survey.usersBySecond) {
    const goesOn =
      open !== undefined &&
      lowest === open.users &&
      highest === open.users &&
      second - open.to <= LONGEST_GAP_SECONDS;
    if (goesOn) open!.to = second + 1;
    else if (lowest === highest) stretches.push((open = { users: lowest, from: second, to: second + 1 }));
    else open = undefined;
  }
  return stretches
    .map(({ users, from, to }, i) => ({
      load: { kind: 'users' as const, value: users, source: 'reported' as const },
      fromSeconds: Math.max(from, fromSeconds),
      // The last figure of a gauge says how many there were then, not that they stayed.
      toSeconds: Math.min(survey.toldApart && i < stretches.length - 1 ? to - 1 : to, toSeconds),
    }))
    .filter(({ load, fromSeconds: from, toSeconds: to }) => load.value > 0 && to - from >= LEAST_SECONDS);
}

const rounded = (value: number): number => (value >= 10 ? Math.round(value) : Number(value.toPrecision(2)));

type Whole = (load: ImportedLoad, notices: readonly Notice[]) => Stretches;

function arrivals(survey: Survey, whole: Whole): Stretches {
  const rate = survey.startsPerSecond;
  const value = rounded(rate);
  return whole({ kind: 'arrivalRatePerSecond', value, source: 'estimated' }, [
    {
      code: 'load-estimated',
      severity: 'info',
      message: `the file does not say which rate was asked for: ${figure(rate)} requests were begun a second, taken as ${value}/s`,
      advice: 'give the rate that was asked for: --rate',
    },
  ]);
}

function inFlight(survey: Survey, whole: Whole): Stretches {
  const mean = survey.meanInFlight;
  const value = workersBehind(mean);
  return whole({ kind: 'concurrency', value, source: 'estimated' }, [estimatedFromLittle(mean, value)]);
}

/** So far the figures of X and R may be rounded. */
const ROUNDING = 0.01;

/** The least whole number of workers that can have had so many requests in flight on average. */
export const workersBehind = (meanInFlight: number): number =>
  Math.max(1, Math.ceil(meanInFlight * (1 - ROUNDING)));

/** Where a file tells no load: what Little's law makes of X and R. */
export const estimatedFromLittle = (mean: number, value: number): Notice => ({
  code: 'load-estimated',
  severity: 'info',
  message: `the file does not say how many workers there were: ${figure(mean)} requests were in flight on average (X·R), taken as ${value}`,
  advice: 'give their number: -c, or --users for users that pause',
});

const neverHeld = (mean: number): Notice => ({
  code: 'load-never-held',
  severity: 'warning',
  message: `the number of users never stayed the same for ${LEAST_SECONDS} s: all is one step at their mean, ${figure(mean)}`,
  advice: 'steps of equal load, each of a minute or so, give a curve; a ramp does not',
});

/** What is in no step because the load changed meanwhile. */
export function outsideNotices(count: number, of: number): Notice[] {
  if (count <= 0) return [];
  return [
    {
      code: 'requests-outside-steps',
      severity: 'info',
      message: `${countText(count, 'request')} of ${of} ended while the number of users changed, and are in no step`,
    },
  ];
}
