import type { Notice } from '../model/notice.ts';
import { MICROSECONDS_FROM } from './duration-unit.ts';
import type { NamedMeaning } from './named-fields.ts';

/** Names of durations under which some write seconds and others milliseconds; nginx's `request_time` is none. */
const UNITLESS = /^(?:duration|latency|elapsed|response_time)$/;
/** What Rails' lograge writes beside its durations, which are milliseconds. */
const LOGRAGE = ['controller', 'action'];

/** A median of so many seconds, or one answer of so many, is no web server's. */
const LONGEST_MEDIAN = 20;
const LONGEST = 600;
const NANOSECONDS_FROM = MICROSECONDS_FROM * 1e3;

type Unit = Extract<NamedMeaning, 'seconds' | 'milliseconds' | 'microseconds' | 'nanoseconds'>;

/** The unit of a duration whose name says none, with what speaks for it; undefined: seconds, as far as is known. */
export function unitOfJsonDuration(
  name: string,
  objects: readonly object[],
): { readonly unit: Unit; readonly notice: Notice } | undefined {
  if (!UNITLESS.test(name)) return undefined;
  const records = objects.map((object) =>
    Object.fromEntries(Object.entries(object).map(([key, value]) => [key.toLowerCase(), value as unknown])),
  );
  const texts = records.map((record) => String(record[name])).filter((text) => /^\d+(?:\.\d+)?$/.test(text));
  const values = texts.map(Number).sort((a, b) => a - b);
  const median = values[values.length >> 1];
  if (median === undefined) return undefined;
  const said = (
    unit: Unit,
    why: string,
    isKnown = false,
  ): { readonly unit: Unit; readonly notice: Notice } => ({
    unit,
    notice: {
      code: 'duration-unit-guessed',
      severity: isKnown ? 'info' : 'warning',
      message: `"${name}" is read as a duration in ${unit}: ${why}`,
      advice: `Name the unit in the key (${name}_ms, ${name}_us), and nothing is guessed.`,
    },
  });
  if (records.every((record) => LOGRAGE.every((key) => record[key] !== undefined)))
    return said('milliseconds', 'so does lograge, whose keys the lines have', true);
  const isWhole = texts.every((text) => !text.includes('.')) && values.at(-1)! > 0;
  // An object is read before it is printed, and 2.0 reads as 2: whole numbers are told by being all whole.
  if (!isWhole && median < LONGEST_MEDIAN && values.at(-1)! < LONGEST) return undefined;
  const why = isWhole
    ? `the first lines have whole numbers, with a median of ${median}`
    : `the first lines have a median of ${median} and a largest of ${values.at(-1)}`;
  if (median >= NANOSECONDS_FROM) return said('nanoseconds', why);
  return said(median >= MICROSECONDS_FROM ? 'microseconds' : 'milliseconds', why);
}
