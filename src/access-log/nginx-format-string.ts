import { templateOf, type FormatToken, type VariableMeaning } from './format-string.ts';
import type { Template } from './template.ts';

const SKIPPED: VariableMeaning = { kind: 'skipped' };

/** Source: nginx, modules ngx_http_log_module, ngx_http_core_module and ngx_http_upstream_module. */
const VARIABLES: Readonly<Record<string, VariableMeaning>> = {
  remote_addr: { kind: 'client' },
  http_x_forwarded_for: { kind: 'forwardedFor' },
  proxy_add_x_forwarded_for: { kind: 'forwardedFor' },
  time_local: { kind: 'clfStamp' },
  time_iso8601: { kind: 'isoStamp' },
  msec: { kind: 'epochStamp', rank: 1, resolutionSeconds: 0.001 },
  request: { kind: 'request' },
  request_method: { kind: 'method' },
  request_uri: { kind: 'target', rank: 1 },
  uri: { kind: 'target' },
  status: { kind: 'status' },
  body_bytes_sent: { kind: 'responseBytes', rank: 1 },
  bytes_sent: { kind: 'responseBytes' },
  request_time: { kind: 'durationSeconds' },
  upstream_response_time: { kind: 'upstreamSeconds' },
  http_user_agent: { kind: 'userAgent' },
  http_referer: { kind: 'referer' },
  remote_user: { kind: 'user' },
};

const VARIABLE = /\$\{?(\w+)\}?/g;

function tokensOf(text: string): FormatToken[] {
  const tokens: FormatToken[] = [];
  let at = 0;
  for (const match of text.matchAll(VARIABLE)) {
    if (match.index > at) tokens.push({ literal: text.slice(at, match.index) });
    tokens.push({ variable: match[1]! });
    at = match.index + match[0].length;
  }
  if (at < text.length) tokens.push({ literal: text.slice(at) });
  return tokens;
}

const STATEMENT = /^\s*(?:log_format\s+[^\s'"$]+\s+)?(?:escape=(\w+)\s+)?/;
const PARTS = /'([^']*)'/g;

/** The format of a whole `log_format` statement: its quoted parts put together. */
function statementOf(text: string): { format: string; escapes: Template['escapes'] } {
  const head = STATEMENT.exec(text)!;
  const rest = text.slice(head[0].length);
  const isQuoted = rest.startsWith("'");
  return {
    format: isQuoted ? [...rest.matchAll(PARTS)].map((part) => part[1]).join('') : rest,
    escapes: head[1] === 'none' ? 'none' : 'backslash',
  };
}

/**
 * Compiles an nginx `log_format` string, or the whole statement (`log_format main escape=none '…' '…';`).
 * nginx stamps when the response is done, so stamps are ends. `$uri` with its `$args` is one target.
 * Throws `log-format-unknown` for a string that cannot be cut or lacks what is needed.
 */
export function nginxTemplate(text: string): Template {
  const { format, escapes } = statementOf(text);
  const oneTarget = format.replace(/\$uri(?:\$is_args|\?)\$(?:args|query_string)/g, '$request_uri');
  return templateOf(text, tokensOf(oneTarget), (name) => VARIABLES[name] ?? SKIPPED, escapes, 'end');
}
