import { ShiploadError } from '../errors.ts';
import { parseInstant } from '../stats/calendar.ts';

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** The seconds of a rule `busiest:15m`; undefined for any other rule. */
export function busiestLengthOf(rule: string): number | undefined {
  const busiest = /^busiest:(\d+(?:\.\d+)?)([smhd])$/.exec(rule);
  return busiest === null ? undefined : Number(busiest[1]) * UNIT_SECONDS[busiest[2]!]!;
}

/** The bounds of a rule `FROM..TO`; undefined for any other rule. */
export function boundsOf(
  rule: string,
): { readonly fromSeconds: number; readonly toSeconds: number } | undefined {
  const [from, to, ...more] = rule.split('..').map(instantOf);
  return from === undefined || to === undefined || more.length > 0 || !(from < to)
    ? undefined
    : { fromSeconds: from, toSeconds: to };
}

/**
 * Throws `option-invalid`, with the part that is wrong and what is allowed, for what is neither `all` nor
 * `busiest:LENGTH` nor `FROM..TO`; before any log is read.
 */
export function checkWindow(rule: string): void {
  if (rule === 'all' || boundsOf(rule) !== undefined) return;
  const length = busiestLengthOf(rule);
  if (length === undefined) throw invalidRule(rule, whyNoWindow(rule));
  if (length <= 0) throw invalidRule(rule, 'a stretch of no length holds no request');
}

function instantOf(text: string): number | undefined {
  const trimmed = text.trim();
  if (!/^\d{9,16}(\.\d+)?$/.test(trimmed)) return parseInstant(trimmed);
  const digits = trimmed.split('.')[0]!.length;
  return Number(trimmed) / (digits >= 16 ? 1e6 : digits >= 13 ? 1e3 : 1);
}

const LONGEST_TIME_SECONDS = 8.64e12;
/** A time as ISO 8601 in UTC. */
export const instantText = (seconds: number): string =>
  Math.abs(seconds) < LONGEST_TIME_SECONDS ? new Date(seconds * 1e3).toISOString() : `${seconds} s`;

/** Which part of a rule is wrong. */
function whyNoWindow(rule: string): string {
  if (rule.trim() === '') return 'it is empty';
  if (!rule.includes('..')) return whyNoStretch(rule);
  const parts = rule.split('..');
  if (parts.length > 2) return `it has ${parts.length} times where FROM..TO has two`;
  const [from = '', to = ''] = parts;
  for (const [name, text] of [
    ['FROM', from],
    ['TO', to],
  ] as const) {
    if (text.trim() === '') return `${name} is missing`;
    if (instantOf(text) === undefined)
      return `${name} ("${text}") is no time: it is neither ISO 8601 (2026-11-30T12:00:00Z) nor epoch seconds`;
  }
  return instantOf(from) === instantOf(to)
    ? 'FROM and TO are the same moment'
    : `FROM (${instantText(instantOf(from)!)}) is later than TO (${instantText(instantOf(to)!)})`;
}

function whyNoStretch(rule: string): string {
  const [name = '', length] = rule.split(':');
  if (name !== 'busiest') {
    const meant = /^all$/i.test(name) ? 'all' : /^busiest$/i.test(name) ? 'busiest:15m' : undefined;
    return meant === undefined
      ? 'it begins with none of the forms there are'
      : `small letters are meant: ${meant}`;
  }
  if (length === undefined || length === '') return 'busiest needs a length: busiest:15m';
  const unit = /^\d+(?:\.\d+)?(.*)$/.exec(length)?.[1];
  if (unit === undefined) return `"${length}" is no length`;
  return unit === '' ? `"${length}" has no unit (s, m, h or d)` : `"${unit}" is no unit (s, m, h or d)`;
}

function invalidRule(rule: string, why: string): ShiploadError {
  return new ShiploadError('option-invalid', `"${rule}" is no window: ${why}`, {
    where: '--window',
    hint: 'Give all, busiest:LENGTH such as busiest:15m or busiest:90s, or FROM..TO with ISO times (UTC unless they say a zone) or epoch seconds.',
  });
}
