import { templateOf, type FormatToken, type VariableMeaning } from './format-string.ts';
import type { Template } from './template.ts';

const SKIPPED: VariableMeaning = { kind: 'skipped' };

/** Source: gunicorn, setting `access_log_format`. */
const ATOMS: Readonly<Record<string, VariableMeaning>> = {
  h: { kind: 'client' },
  u: { kind: 'skippedText' },
  t: { kind: 'clfStamp' },
  r: { kind: 'request' },
  m: { kind: 'method' },
  U: { kind: 'target' },
  s: { kind: 'status' },
  B: { kind: 'responseBytes' },
  b: { kind: 'responseBytes', rank: 1 },
  f: { kind: 'referer' },
  a: { kind: 'userAgent' },
  T: { kind: 'durationSeconds' },
  M: { kind: 'durationMilliseconds', rank: 1 },
  D: { kind: 'durationMicroseconds', rank: 2 },
  L: { kind: 'durationSeconds', rank: 3 },
  '{x-forwarded-for}i': { kind: 'forwardedFor' },
};

const ATOM = /%\(([^)]+)\)s/g;

function tokensOf(text: string): FormatToken[] {
  const tokens: FormatToken[] = [];
  let at = 0;
  let literal = '';
  for (const match of text.matchAll(ATOM)) {
    literal += text.slice(at, match.index);
    at = match.index + match[0].length;
    const isTime = match[1] === 't';
    if (isTime) literal += '[';
    if (literal !== '') tokens.push({ literal });
    tokens.push({ variable: match[1]! });
    literal = isTime ? ']' : '';
  }
  literal += text.slice(at);
  if (literal !== '') tokens.push({ literal });
  return tokens;
}

/**
 * Compiles gunicorn's `access_log_format`. gunicorn stamps when the response is done.
 * Throws `log-format-unknown` for a string that cannot be cut or lacks what is needed.
 */
export function gunicornTemplate(text: string): Template {
  return templateOf(text, tokensOf(text), (name) => ATOMS[name] ?? SKIPPED, 'backslash', 'end');
}
