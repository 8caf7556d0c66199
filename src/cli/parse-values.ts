import { parseCpuList } from '../counters/proc-text.ts';
import { ShiploadError } from '../errors.ts';
import type { ErrorStop } from '../model/load.ts';
import type { Distribution } from '../model/distribution.ts';
import { secondsOf } from '../stats/duration-text.ts';

function refuse(option: string, text: string, expected: string): never {
  throw new ShiploadError('option-invalid', `${option}: "${text}" is not ${expected}`, { where: option });
}

/** `60s`, `500ms`, `15m`, `1h`; a bare number is seconds. Seconds, above 0 (or from 0 with `allowZero`). */
export function parseDuration(option: string, text: string, allowZero = false): number {
  const seconds = secondsOf(text);
  if (!Number.isFinite(seconds) || seconds < 0 || (seconds === 0 && !allowZero)) {
    refuse(option, text, 'a duration such as 500ms, 60s, 15m or 1h');
  }
  return seconds;
}

/** A whole number from `min` up. */
export function parseCount(option: string, text: string, min = 1): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isInteger(value) || value < min)
    refuse(option, text, `a whole number from ${min} up`);
  return value;
}

/** The number of a port. */
export function parsePort(option: string, text: string, min = 1): number {
  const port = parseCount(option, text, min);
  if (port > 65_535) refuse(option, text, `a port from ${min} to 65535`);
  return port;
}

/** A positive number. */
export function parsePositive(option: string, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value <= 0) refuse(option, text, 'a positive number');
  return value;
}

/** `1,25,50`: whole numbers, rising, each once. */
export function parseLoads(option: string, text: string): readonly number[] {
  const loads = text.split(',').map((part) => parseCount(option, part));
  if (loads.some((load, i) => i > 0 && load <= loads[i - 1]!))
    refuse(option, text, 'a list of rising numbers such as 1,25,50');
  return loads;
}

/** `1`, `2-3`, `0,4-7`: numbers of cores. `any` is the wish without numbers. */
export function parseCores(option: string, text: string): readonly number[] | 'any' {
  if (text === 'any') return text;
  if (!/^\d+(-\d+)?(,\d+(-\d+)?)*$/.test(text)) refuse(option, text, 'a list of cores such as 1 or 2-3');
  const cores = [...new Set(parseCpuList(text))];
  if (cores.length === 0) refuse(option, text, 'a list of cores such as 1 or 2-3');
  return cores;
}

/** `50,100.5,200`: positive numbers, rising, each once. */
export function parseRates(option: string, text: string): readonly number[] {
  const rates = text.split(',').map((part) => parsePositive(option, part));
  if (rates.some((rate, i) => i > 0 && rate <= rates[i - 1]!))
    refuse(option, text, 'a list of rising numbers such as 50,100,200');
  return rates;
}

/** One of a few words. */
export function parseChoice<Word extends string>(option: string, text: string, words: readonly Word[]): Word {
  const word = words.find((candidate) => candidate === text.trim());
  return word ?? refuse(option, text, `one of ${words.join(', ')}`);
}

/** `10%` or `0.1`: a ratio from 0 to below 1. */
export function parseRatio(option: string, text: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*(%)?$/.exec(text.trim());
  const ratio = match === null ? Number.NaN : Number(match[1]) / (match[2] === '%' ? 100 : 1);
  if (!(ratio >= 0 && ratio < 1)) refuse(option, text, 'a share such as 10% or 0.1');
  return ratio;
}

/** `0.1,0.9` or `10%,90%`: shares above 0 and below 1, rising, each once. */
export function parseRatios(option: string, text: string): readonly number[] {
  const ratios = text.split(',').map((part) => parseRatio(option, part));
  if (ratios.some((ratio, i) => ratio <= (ratios[i - 1] ?? 0)))
    refuse(option, text, 'a list of rising shares such as 0.1,0.9');
  return ratios;
}

/** `POST /books?draft=1`: a method and a path with its query. */
export function parseRequestLine(
  option: string,
  text: string,
): { readonly method: string; readonly target: string } {
  const match = /^([A-Za-z]+) +(\/[^\s#]*)$/.exec(text.trim());
  if (match === null) refuse(option, text, "a method and a path such as 'POST /books'");
  return { method: match[1]!.toUpperCase(), target: match[2]! };
}

/** `50%` over ten seconds, `30%:5s`, or `off`: when a run ends by itself. */
export function parseErrorStop(option: string, text: string): ErrorStop | 'off' {
  if (text.trim() === 'off') return 'off';
  const [share, time] = text.split(':');
  const ratio = parseRatio(option, share!);
  if (ratio === 0) refuse(option, text, 'a share above 0 such as 50%, a share and a time as 30%:5s, or off');
  return { ratio, seconds: time === undefined ? 10 : parseDuration(option, time) };
}

const LONGEST_PERMISSION_DAYS = 366;

/** A day (its end, UTC) or a moment as ISO 8601, or a duration from now such as 8h; at most a year ahead. */
export function parseUntil(option: string, text: string, nowMilliseconds: number): Date {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const milliseconds = /^\d+(?:\.\d+)?\s*(?:s|m|min|h)$/.test(text)
    ? nowMilliseconds + 1000 * parseDuration(option, text)
    : Date.parse(isDay ? `${text}T23:59:59Z` : /^\d{4}-\d{2}-\d{2}T/.test(text) ? text : 'none');
  const days = (milliseconds - nowMilliseconds) / 86_400_000;
  // A day that no month has is rolled over by the clock, and would be another than was meant.
  const isNoDay = isDay && days > 0 && new Date(milliseconds).toISOString().slice(0, 10) !== text;
  if (isNoDay || !(days > 0 && days <= LONGEST_PERMISSION_DAYS))
    refuse(
      option,
      text,
      'a day such as 2027-01-31 or a time such as 8h, in the future, at most a year ahead',
    );
  return new Date(milliseconds);
}

/** `2s` (constant), `1s..3s` (uniform), or `exp:2s` (exponential). */
export function parseThinkTime(option: string, text: string): Distribution {
  const [low, high] = text.split('..');
  if (text.startsWith('exp:'))
    return { kind: 'exponential', meanSeconds: parseDuration(option, text.slice(4)) };
  if (high === undefined) return { kind: 'constant', meanSeconds: parseDuration(option, text) };
  const minSeconds = parseDuration(option, low!, true);
  const maxSeconds = parseDuration(option, high);
  if (maxSeconds < minSeconds) refuse(option, text, 'a range from low to high such as 1s..3s');
  return { kind: 'uniform', meanSeconds: (minSeconds + maxSeconds) / 2, minSeconds, maxSeconds };
}

/** `Name: value`; the name is a header token, neither holds a line break. */
export function parseHeader(option: string, text: string): readonly [name: string, value: string] {
  const match = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\r\n\0]*)$/.exec(text);
  if (match === null) refuse(option, text, "a header such as 'Accept: application/json'");
  return [match[1]!, match[2]!.trimEnd()];
}

/** An http, https or http+unix URL. */
export function parseUrl(option: string, text: string): URL {
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  let url: URL;
  try {
    url = new URL(withScheme);
  } catch (cause) {
    throw new ShiploadError('url-invalid', `${option}: "${text}" is not a URL`, {
      where: option,
      hint: 'For example http://127.0.0.1:8080',
      cause,
    });
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new ShiploadError(
      'url-invalid',
      `${option}: ${url.protocol}// is not a protocol that can be loaded`,
      {
        where: option,
        hint: 'Use http:// or https://, with --unix-socket for a socket.',
      },
    );
  }
  return url;
}
