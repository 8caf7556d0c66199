import type { ImportedBody, ImportedText } from './imported-load.ts';
import type { Secrets } from './secrets.ts';

/** What a browser or a client adds by itself, what frames the body, and what would only make a cache answer. */
const NOISE =
  /^(?::.*|host|connection|keep-alive|content-length|transfer-encoding|te|trailer|upgrade(?:-insecure-requests)?|expect|accept-encoding|accept-language|user-agent|referer|origin|dnt|priority|pragma|cache-control|if-.*|range|sec-.*|cookie2?|x-forwarded-.*|forwarded|via|x-client-data|save-data|downlink|ect|rtt|proxy-.*|traceparent|tracestate)$/i;
/** A name of a field (RFC 9110 §5.6.2). */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

/**
 * The fields of a recorded request that decide what the service answers; their secrets named. A form with files
 * brings its own content type, boundary included.
 */
export function keptHeaders(
  headers: readonly (readonly [name: string, value: string])[],
  secrets: Secrets,
  body: ImportedBody['kind'] | undefined,
): Readonly<Record<string, ImportedText>> {
  const kept = headers.filter(([name, value]) => {
    if (NOISE.test(name) || !TOKEN.test(name) || /[^\t\x20-\x7e\x80-\xff]/.test(value)) return false;
    if (/^content-type$/i.test(name))
      return body !== undefined && body !== 'multipart' && !(body === 'json' && value === 'application/json');
    return !(/^accept$/i.test(name) && value.trim() === '*/*');
  });
  return Object.fromEntries(kept.map(([name, value]) => [canonical(name), secrets.header(name, value)]));
}

/** HTTP/2 has lower case; people read `Content-Type`. */
const canonical = (name: string): string =>
  name === name.toLowerCase()
    ? name.replace(/(^|-)([a-z])/g, (_, lead: string, letter: string) => lead + letter.toUpperCase())
    : name;
