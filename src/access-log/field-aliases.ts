import { NAMED, type JsonField, type NamedMeaning } from './named-fields.ts';

const words = (text: string): readonly string[] => text.split(' ');

/** Names that people give to a meaning in logs of their own, the better first. */
const ALIASES: Readonly<Partial<Record<NamedMeaning, readonly string[]>>> = {
  stamp: words(
    'msec startutc start_time time_iso8601 @timestamp timestamp ts time datetime date time_local eventtime',
  ),
  request: words('request req request_line'),
  method: words('method request_method http_method verb requestmethod'),
  target: words(
    'request_uri uri url requestpath target original_path path request_path http_path document_uri',
  ),
  status: words(
    'status status_code code response_code response_status response http_status statuscode sc-status',
  ),
  size: words('body_bytes_sent bytes_sent body_bytes bytes size response_size response_body_size'),
  client: words('client_ip clientip remote_addr remote_ip remote_host client ip host forwardedfor'),
  forwardedFor: words('http_x_forwarded_for x_forwarded_for x-forwarded-for xff forwarded_for'),
  user: words(
    'session_id sessionid session user_id userid uid username user_name remote_user clientusername user account_id',
  ),
  userAgent: words('http_user_agent user_agent user-agent useragent ua agent request_user_agent'),
  referer: words('http_referer referer referrer request_referer'),
  seconds: words('request_time reqtime response_time apptime duration latency elapsed taken_sec'),
  milliseconds: words('duration_ms latency_ms response_time_ms elapsed_ms responsetime took_ms'),
  microseconds: words('reqtime_microsec duration_us time_us taken_us time_elapsed'),
  nanoseconds: words('duration_ns latency_ns'),
  upstream: words('upstream_response_time'),
};
const DURATIONS: readonly NamedMeaning[] = ['seconds', 'milliseconds', 'microseconds', 'nanoseconds'];

/** A name that fewer lines have is an accident of theirs. */
const LEAST_SHARE = 0.25;

/** The names that many lines have, in small letters. */
function namesOf(lines: readonly (readonly string[])[]): Set<string> {
  const counts = new Map<string, number>();
  for (const name of lines.flat()) counts.set(name.toLowerCase(), (counts.get(name.toLowerCase()) ?? 0) + 1);
  return new Set(
    [...counts].filter(([, count]) => count >= lines.length * LEAST_SHARE).map(([name]) => name),
  );
}

/** How the names of a log are read, or which meanings no name has. */
export interface NameMapping {
  readonly fields: ReadonlyMap<string, JsonField>;
  readonly names: Readonly<Partial<Record<NamedMeaning, string>>>;
  readonly missing: readonly string[];
}

/**
 * Finds the meaning of a log's names. Of several names for one meaning the best known is read: the stamp in
 * milliseconds before the one in seconds, the time of the whole request before the upstream's.
 * The request line counts before its parts, which servers leave empty for requests they refuse.
 */
export function mapNames(lines: readonly (readonly string[])[]): NameMapping {
  const present = namesOf(lines);
  const names: Partial<Record<NamedMeaning, string>> = {};
  for (const [meaning, aliases] of Object.entries(ALIASES) as [NamedMeaning, readonly string[]][]) {
    const name = aliases.find((alias) => present.has(alias));
    if (name !== undefined) names[meaning] = name;
  }
  const duration = DURATIONS.find((meaning) => names[meaning] !== undefined);
  for (const meaning of DURATIONS) if (meaning !== duration) delete names[meaning];
  if (duration !== undefined) delete names.upstream;
  if (names.request !== undefined) {
    delete names.method;
    delete names.target;
  }
  const hasRequest =
    names.request !== undefined || (names.method !== undefined && names.target !== undefined);
  const missing = [
    ...(names.stamp === undefined ? ['the time'] : []),
    ...(hasRequest ? [] : ['the request']),
    ...(names.status === undefined ? ['the status'] : []),
  ];
  const entries = Object.entries(names) as [NamedMeaning, string][];
  const fields = new Map<string, JsonField>(entries.map(([meaning, name]) => [name, NAMED[meaning]]));
  // A line may lack the usual duration and have another of the same unit.
  if (names.seconds !== undefined)
    for (const other of ALIASES.seconds!) if (!fields.has(other)) fields.set(other, NAMED.otherwiseSeconds);
  return { fields, names, missing };
}
