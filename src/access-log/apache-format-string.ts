import { templateOf, type FormatToken, type VariableMeaning } from './format-string.ts';
import type { Template } from './template.ts';

const SKIPPED: VariableMeaning = { kind: 'skipped' };

/** Source: Apache HTTP Server 2.4, mod_log_config, "Custom Log Formats". */
const DIRECTIVES: Readonly<Record<string, VariableMeaning>> = {
  a: { kind: 'client' },
  h: { kind: 'client' },
  u: { kind: 'user' },
  t: { kind: 'clfStamp' },
  r: { kind: 'request' },
  m: { kind: 'method' },
  U: { kind: 'target' },
  s: { kind: 'status' },
  B: { kind: 'responseBytes' },
  b: { kind: 'responseBytes', rank: 1 },
  D: { kind: 'durationMicroseconds', rank: 3 },
  T: { kind: 'durationSeconds' },
  'T:s': { kind: 'durationSeconds' },
  'T:ms': { kind: 'durationMilliseconds', rank: 1 },
  'T:us': { kind: 'durationMicroseconds', rank: 2 },
  'i:user-agent': { kind: 'userAgent' },
  'i:referer': { kind: 'referer' },
  'i:referrer': { kind: 'referer' },
  'i:x-forwarded-for': { kind: 'forwardedFor' },
};

const DIRECTIVE = /%(?:[!<>,\d]*)(?:\{([^}]*)\})?(\^?[A-Za-z]{1,2}?|%)/g;
const EPOCHS: Readonly<Record<string, number>> = { sec: 1, msec: 1e-3, usec: 1e-6 };

function meaningOf(name: string): VariableMeaning {
  if (name.startsWith('t:')) return stampMeaning(name.slice(2));
  return DIRECTIVES[name.startsWith('i:') ? name.toLowerCase() : name] ?? SKIPPED;
}

const ISO = String.raw`%(?:F|Y-%m-%d)[ T]%(?:T|H:%M:%S)`;
const CLF = String.raw`%d\/%b\/%Y[: ]%(?:T|H:%M:%S)`;
/** A time with the fraction and the zone that may stand behind it. */
const STRFTIME = new RegExp(`^(?:(${ISO})|${CLF})(?:\\.([mu])sec_frac)?(?: ?%z)?$`);
/** A time whose fraction and zone are directives of their own: `%{%F %T}t.%{msec_frac}t %{%z}t`. */
const IN_PARTS =
  /%\{(begin:|end:)?([^}]*)\}t\.%\{(?:begin:|end:)?([mu]sec_frac)\}t(?:( ?)%\{(?:begin:|end:)?%z\}t)?/g;

const inOne = (format: string): string =>
  format.replace(
    IN_PARTS,
    (_, event: string | undefined, time: string, fraction: string, space: string | undefined) =>
      `%{${event ?? ''}${time}.${fraction}${space === undefined ? '' : `${space}%z`}}t`,
  );

/** `%{begin:usec}t`, `%{msec}t`, `%{…%F %T…}t` and `%{…%d/%b/%Y:%T…}t`; other strftime texts cannot be read. */
function stampMeaning(argument: string): VariableMeaning {
  const [, event = 'begin', unit = ''] = /^(?:(begin|end):)?(.*)$/s.exec(argument)!;
  const resolutionSeconds = EPOCHS[unit];
  const meaning = event === 'end' ? 'end' : 'start';
  if (resolutionSeconds !== undefined)
    return { kind: 'epochStamp', meaning, resolutionSeconds, rank: event === 'end' ? 1 : 2 };
  const time = STRFTIME.exec(unit);
  if (time === null) return { kind: 'skippedText' };
  const [, iso, fraction] = time;
  return {
    kind: iso === undefined ? 'clfStamp' : 'isoStamp',
    meaning,
    ...(fraction !== undefined && { resolutionSeconds: fraction === 'm' ? 1e-3 : 1e-6, rank: 1 }),
  };
}

function tokensOf(text: string): FormatToken[] {
  const tokens: FormatToken[] = [];
  let at = 0;
  const literal = (part: string): void => {
    if (part !== '') tokens.push({ literal: part });
  };
  for (const match of text.matchAll(DIRECTIVE)) {
    literal(text.slice(at, match.index));
    at = match.index + match[0].length;
    const [, argument, letter] = match;
    if (letter === '%') literal('%');
    else if (letter === 't' && argument === undefined) {
      literal('[');
      tokens.push({ variable: 't' });
      literal(']');
    } else tokens.push({ variable: argument === undefined ? letter! : `${letter}:${argument}` });
  }
  literal(text.slice(at));
  return tokens;
}

/**
 * Compiles an Apache `LogFormat` string, alone or as the whole statement, with `\"` or plain quotes.
 * Apache stamps the request's start, except `%{end:…}t`. `%U%q` is read as one target.
 * Throws `log-format-unknown` for a string that cannot be cut or lacks what is needed.
 */
export function apacheTemplate(text: string): Template {
  const statement = /^\s*LogFormat\s+"(.*)"\s*\S*\s*$/i.exec(text);
  const plain = inOne((statement?.[1] ?? text).replaceAll('\\"', '"').replaceAll('%U%q', '%U'));
  return templateOf(text, tokensOf(plain), meaningOf, 'backslash', 'start');
}
