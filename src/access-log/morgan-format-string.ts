import { templateOf, type FormatToken, type VariableMeaning } from './format-string.ts';
import type { Template } from './template.ts';

const SKIPPED: VariableMeaning = { kind: 'skipped' };

/** Source: Express, middleware morgan, "Tokens". `response-time` ends at the headers, `total-time` when all is sent. */
const TOKENS: Readonly<Record<string, VariableMeaning>> = {
  'remote-addr': { kind: 'client' },
  'remote-user': { kind: 'skippedText' },
  'date[clf]': { kind: 'clfStamp' },
  'date[iso]': { kind: 'isoStamp', rank: 1, resolutionSeconds: 0.001 },
  method: { kind: 'method' },
  url: { kind: 'target' },
  status: { kind: 'status' },
  'response-time': { kind: 'durationMilliseconds' },
  'total-time': { kind: 'durationMilliseconds', rank: 1 },
  'res[content-length]': { kind: 'responseBytes' },
  referrer: { kind: 'referer' },
  'user-agent': { kind: 'userAgent' },
  'req[x-forwarded-for]': { kind: 'forwardedFor' },
};

const TOKEN = /:([a-z]{2,}(?:-[a-z]+)*(?:\[[^\]]+\])?)/gi;

function tokensOf(text: string): FormatToken[] {
  const tokens: FormatToken[] = [];
  let at = 0;
  for (const match of text.matchAll(TOKEN)) {
    if (match.index > at) tokens.push({ literal: text.slice(at, match.index) });
    tokens.push({ variable: match[1]!.toLowerCase() });
    at = match.index + match[0].length;
  }
  if (at < text.length) tokens.push({ literal: text.slice(at) });
  return tokens;
}

/**
 * Compiles a format string of morgan (`:date[iso] :method :url :status :total-time`). It stamps when the
 * response is done, unless the middleware was given `immediate`.
 * Throws `log-format-unknown` for a string that cannot be cut or lacks what is needed.
 */
export function morganTemplate(text: string): Template {
  return templateOf(text, tokensOf(text), (name) => TOKENS[name] ?? SKIPPED, 'backslash', 'end');
}
