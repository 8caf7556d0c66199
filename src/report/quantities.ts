/**
 * The only place where seconds become milliseconds, ratios become percent, and figures are rounded.
 * Inside, everything is SI; a missing or non-finite value prints as a dash, never as 0.
 */

/** What stands where nothing was measured. */
export const MISSING = '–';

type Maybe = number | undefined;

const isKnown = (value: Maybe): value is number => value !== undefined && Number.isFinite(value);

/** Rounds to `digits` significant digits without exponent; −0 prints as 0. */
function significantDigits(value: number, digits: number): string {
  if (value === 0) return '0';
  const rounded = Number(value.toPrecision(digits));
  const magnitude = Math.floor(Math.log10(Math.abs(rounded)));
  return rounded.toFixed(Math.min(20, Math.max(0, digits - 1 - magnitude)));
}

/**
 * A bare figure that suits a measurement: three significant digits from 1 up (2.00, 31.3, 105, 1450),
 * two below (0.21).
 */
export function figure(value: Maybe): string {
  if (!isKnown(value)) return MISSING;
  return significantDigits(value, Math.abs(value) < 0.995 ? 2 : 3);
}

/** A bare figure that was given, not measured: no trailing zeros (1, 2.5, 60). */
export function givenFigure(value: Maybe): string {
  return isKnown(value) ? String(Number(value.toPrecision(6))) : MISSING;
}

/** The length of a window, seconds to a tenth: 5, 40, 30.1. */
export function windowFigure(seconds: Maybe): string {
  return isKnown(seconds) ? String(Number(seconds.toFixed(1))) : MISSING;
}

/** A duration in seconds as a reader wants it: `0.21 ms`, `31.3 ms`, `1.45 s`. */
export function duration(seconds: Maybe): string {
  if (!isKnown(seconds)) return MISSING;
  return Math.abs(seconds) < 0.9995 ? `${figure(seconds * 1e3)} ms` : `${figure(seconds)} s`;
}

/** A duration that was given: `60 s`, `2.5 s`, `100 ms`. */
export function givenDuration(seconds: Maybe): string {
  if (!isKnown(seconds)) return MISSING;
  return seconds > 0 && seconds < 1 ? `${givenFigure(seconds * 1e3)} ms` : `${givenFigure(seconds)} s`;
}

/** Seconds as bare milliseconds, for a column whose heading names the unit. */
export function milliseconds(seconds: Maybe): string {
  return isKnown(seconds) ? figure(seconds * 1e3) : MISSING;
}

/** A rate as a bare figure: one decimal from 10 up to 1000 (131.7), none beyond (12771). */
export function rateFigure(perSecond: Maybe): string {
  if (!isKnown(perSecond)) return MISSING;
  const size = Math.abs(perSecond);
  if (size >= 999.95) return perSecond.toFixed(0);
  return size >= 9.995 ? perSecond.toFixed(1) : figure(perSecond);
}

/** A rate: `97.9/s`. */
export function rate(perSecond: Maybe): string {
  return isKnown(perSecond) ? `${rateFigure(perSecond)}/s` : MISSING;
}

/** A ratio as bare percent to three significant digits (two below 1 %), without trailing zeros; what is below 1 never reads 100. */
export function percentFigure(ratio: Maybe): string {
  if (!isKnown(ratio)) return MISSING;
  const percent = ratio * 100;
  for (let digits = Math.abs(percent) < 0.995 ? 2 : 3; digits <= 12; digits += 1) {
    const shown = Number(percent.toPrecision(digits));
    if (shown !== 100 || percent >= 100 - 1e-9) return String(Number(significantDigits(shown, digits)));
  }
  return '100';
}

/** A ratio as percent: `70 %`, `0.34 %`. */
export function percent(ratio: Maybe): string {
  return isKnown(ratio) ? `${percentFigure(ratio)} %` : MISSING;
}

/** A ratio of use with fixed decimals, for the columns U: `0.70`; one more where they would read 0. */
export function utilization(ratio: Maybe, decimals = 2): string {
  if (!isKnown(ratio)) return MISSING;
  const wouldReadZero = ratio !== 0 && Math.abs(ratio) < 0.95 * 10 ** -decimals;
  return ratio.toFixed(wouldReadZero ? decimals + 1 : decimals);
}

/** A fitted coefficient: plain from a thousandth up, else with an exponent (`1.8e-6`). */
export function coefficient(value: Maybe): string {
  if (!isKnown(value)) return MISSING;
  return value !== 0 && Math.abs(value) < 1e-3 ? value.toExponential(1) : figure(value);
}

/** A count with grouped thousands: `89,345`. */
export function count(value: Maybe): string {
  return isKnown(value)
    ? Math.round(value)
        .toString()
        .replace(/\B(?=(\d{3})+$)/g, ',')
    : MISSING;
}

/** A count for a column: no grouping. */
export function countFigure(value: Maybe): string {
  return isKnown(value) ? String(Math.round(value)) : MISSING;
}

/** A load (users, workers): whole from 10 up, else up to two decimals. */
export function load(value: Maybe): string {
  if (!isKnown(value)) return MISSING;
  return Math.abs(value) >= 10 ? value.toFixed(0) : String(Number(value.toFixed(2)));
}

/** Bytes as bare megabytes (10⁶), for a column. */
export function megabytes(bytes: Maybe): string {
  return isKnown(bytes) ? figure(bytes / 1e6) : MISSING;
}

/** Bytes with the decimal unit that suits: `512 B`, `116 MB`, `1.20 GB`. */
export function bytes(value: Maybe): string {
  if (!isKnown(value)) return MISSING;
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.abs(value) || 1) / 3)));
  return power === 0 ? `${countFigure(value)} B` : `${figure(value / 10 ** (3 * power))} ${units[power]!}`;
}

/** How many times as much: `×0.019`. */
export function times(ratio: Maybe): string {
  return isKnown(ratio) ? `×${figure(ratio)}` : MISSING;
}

/** A signed relative difference: `+4.1 %`, `−12 %`. */
export function signedPercent(ratio: Maybe): string {
  if (!isKnown(ratio)) return MISSING;
  // Equal figures that were reckoned in two ways differ by rounding alone.
  const isNone = Math.abs(ratio) < 1e-9;
  const text = percent(isNone ? 0 : Math.abs(ratio));
  if (isNone) return text;
  return `${ratio < 0 ? '−' : '+'}${text}`;
}

/** Units of a compared metric or a target. */
export type Unit = 'seconds' | 'perSecond' | 'ratio' | 'count' | 'bytes' | 'users';

const BY_UNIT: Readonly<Record<Unit, (value: Maybe) => string>> = {
  seconds: duration,
  perSecond: rate,
  ratio: percent,
  count,
  bytes,
  users: (value) => (Number.isInteger(value) ? load(value) : figure(value)),
};

/** A value with its unit. */
export function quantity(value: Maybe, unit: Unit): string {
  return BY_UNIT[unit](value);
}

/** `low–high` of a pair, each end as `show` prints it. */
export function range(
  interval: readonly [number, number] | undefined,
  show: (value: number) => string,
): string {
  return interval === undefined ? MISSING : `${show(interval[0])}–${show(interval[1])}`;
}

/** An interval of a quantity, the unit once where both ends have the same: `101–109 ms`. */
export function quantityRange([low, high]: readonly [number, number], unit: Unit): string {
  const [from, to] = [quantity(low, unit), quantity(high, unit)];
  const suffix = /[ /].*$/.exec(to)?.[0] ?? '';
  return `${suffix !== '' && from.endsWith(suffix) ? from.slice(0, -suffix.length) : from}–${to}`;
}

/** A word with its count: `1 step`, `8 steps`. */
export function counted(value: number, word: string): string {
  return `${count(value)} ${word}${value === 1 ? '' : 's'}`;
}

/** Characters that take two columns: East Asian wide ones (Unicode annex 11) and pictures; marks take none. */
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff01-\uff60\p{Emoji_Presentation}]/u;
const MARK = /\p{M}/u;

function columnsOf(character: string): number {
  if (character < '\u0300') return 1;
  if (MARK.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

/** Columns a text takes on a terminal. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) width += columnsOf(character);
  return width;
}

/** A text of at most `width` columns; a longer one ends in `…`. */
export function cutTo(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = '';
  let room = width - 1;
  for (const character of text) {
    room -= columnsOf(character);
    if (room < 0) break;
    kept += character;
  }
  return `${kept}…`;
}

/** Pads to `width` columns on the left. */
export function alignRight(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - displayWidth(text))) + text;
}

/** Pads to `width` columns on the right. */
export function alignLeft(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}
