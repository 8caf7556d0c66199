const SECONDS_PER_DAY = 86_400;

/**
 * Days from 1970-01-01 to a date of the proleptic Gregorian calendar; `month` and `day` count from 1.
 * Source: E. M. Reingold and N. Dershowitz, Calendrical Calculations, with years that begin in March.
 */
export function daysFromCivil(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const monthFromMarch = (month + 9) % 12;
  const dayOfYear = Math.floor((153 * monthFromMarch + 2) / 5) + day - 1;
  return 365 * y + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400) + dayOfYear - 719_468;
}

const INSTANT = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(\.\d+)?)?(Z|([+-])(\d\d):?(\d\d))?)?$/i;

/** Seconds since the epoch of an ISO 8601 instant (UTC where no zone is given); undefined if it is none. */
export function parseInstant(text: string): number | undefined {
  const match = INSTANT.exec(text);
  if (match === null) return undefined;
  const part = (index: number): number => Number(match[index] ?? 0);
  if (part(2) < 1 || part(2) > 12 || part(3) < 1 || part(3) > 31) return undefined;
  const zoneSeconds = (match[9] === '-' ? -1 : 1) * (part(10) * 3600 + part(11) * 60);
  const ofDay = part(4) * 3600 + part(5) * 60 + part(6) + part(7);
  return daysFromCivil(part(1), part(2), part(3)) * SECONDS_PER_DAY + ofDay - zoneSeconds;
}
