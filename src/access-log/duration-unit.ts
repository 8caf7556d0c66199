/** One line of a log whose last number is a duration in a unit that the line does not say. */
export interface UnitlessLine {
  /** As the log writes it, with the user agent if there is one. */
  readonly client: string;
  readonly startSeconds: number;
  readonly duration: number;
}

export type DurationUnit = 'microseconds' | 'milliseconds';

export interface UnitEvidence {
  readonly unit: DurationUnit;
  /** What speaks for it, with the counts. */
  readonly why: string;
  /** Nothing in the log speaks for it but the size of the numbers. */
  readonly isGuess?: true;
}

/** Median of an integer duration at and above which it counts microseconds, where nothing else tells. */
export const MICROSECONDS_FROM = 60_000;
const MILLISECOND = 1e-3;
const MICROSECOND = 1e-6;
/** A stamp to the second may stand for a moment up to a second later. */
const STAMP_SECONDS = 1;
/** Fewer cases may be chance, whatever their share. */
const FEWEST_CASES = 5;
/** Below this share a contradiction is one of the writer's (several processes share a log). */
const RARE_SHARE = 0.01;
const OFTEN_SHARE = 0.05;
/** One user seldom starts a request before the last has ended; so many do only under a wrong unit. */
const MOST_SHARE = 0.5;
/** As many overlaps as chance makes say nothing; a fifth of them says that clients wait for their answers. */
const WAITING_SHARE = 0.2;

/**
 * Whether the bare integers behind the lines of a server that stamps the start are micro- or milliseconds, told
 * by what a wrong unit makes impossible. Clients wait: read in the right unit, a client's next request seldom
 * begins before its last one ends, in one a thousand times too long as often as chance has it. And lines are
 * written when requests end: in the right unit their ends rise. Only contradictions that the stamps' second
 * cannot explain are counted. Where neither tells, the median decides: 60,000 or more are microseconds.
 * `lines` in the order of the file.
 */
export function durationUnitOf(lines: readonly UnitlessLine[]): UnitEvidence {
  const { pairCount, overlapCount, chanceCount } = overlapsOf(lines);
  const isWaiting = chanceCount >= FEWEST_CASES && overlapCount <= chanceCount * WAITING_SHARE;
  if (isWaiting)
    return {
      unit: 'milliseconds',
      why: `read so, ${overlapCount} of ${pairCount} requests begin before the same client’s last has ended, where chance would make ${Math.round(chanceCount)}: clients wait for their answers`,
    };
  const pairs = lines.length - 1;
  const read = { milliseconds: fallsOf(lines, MILLISECOND), microseconds: fallsOf(lines, MICROSECOND) };
  for (const [unit, other] of [
    ['microseconds', 'milliseconds'],
    ['milliseconds', 'microseconds'],
  ] as const)
    if (isRare(read[unit], pairs) && isFrequent(read[other], pairs))
      return {
        unit,
        why: `lines are written when requests end, and read in ${other} ${read[other]} of ${pairs} would end before the line before them, in ${unit} ${read[unit]}`,
      };
  if (overlapCount >= FEWEST_CASES && overlapCount >= pairCount * MOST_SHARE)
    return {
      unit: 'microseconds',
      why: `read in milliseconds, ${overlapCount} of ${pairCount} requests would begin before the same client’s last has ended`,
    };
  return unitByMedian(lines);
}

const isRare = (count: number, all: number): boolean => count <= all * RARE_SHARE;
const isFrequent = (count: number, all: number): boolean =>
  count >= FEWEST_CASES && count >= all * OFTEN_SHARE;

function unitByMedian(lines: readonly UnitlessLine[]): UnitEvidence {
  const sorted = lines.map(({ duration }) => duration).sort((a, b) => a - b);
  const median = sorted[sorted.length >> 1]!;
  return {
    unit: median >= MICROSECONDS_FROM ? 'microseconds' : 'milliseconds',
    isGuess: true,
    why: `the order of the lines and the clients’ pauses do not tell, the median of the first lines is ${median}, and ${MICROSECONDS_FROM} or more counts as microseconds`,
  };
}

/** How many lines end surely before the line before them, with durations in units of so many seconds. */
function fallsOf(lines: readonly UnitlessLine[], unitSeconds: number): number {
  const ends = lines.map(({ startSeconds, duration }) => startSeconds + duration * unitSeconds);
  return ends.filter((end, index) => index > 0 && ends[index - 1]! >= end + STAMP_SECONDS).length;
}

/**
 * Requests that, in milliseconds, begin surely before the same client's last has ended, of how many pairs, and how
 * many would if durations were dealt to the pauses at random.
 */
function overlapsOf(lines: readonly UnitlessLine[]): {
  readonly pairCount: number;
  readonly overlapCount: number;
  readonly chanceCount: number;
} {
  const sorted = lines.map(({ duration }) => duration * MILLISECOND).sort((a, b) => a - b);
  const last = new Map<string, UnitlessLine>();
  let [pairCount, overlapCount, chanceCount] = [0, 0, 0];
  for (const line of lines.toSorted((a, b) => a.startSeconds - b.startSeconds)) {
    const before = last.get(line.client);
    last.set(line.client, line);
    if (before === undefined) continue;
    const least = line.startSeconds - before.startSeconds + STAMP_SECONDS;
    pairCount += 1;
    if (before.duration * MILLISECOND >= least) overlapCount += 1;
    chanceCount += sorted.filter((seconds) => seconds >= least).length / sorted.length;
  }
  return { pairCount, overlapCount, chanceCount };
}
