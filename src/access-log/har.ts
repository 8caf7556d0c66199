import { ShiploadError } from '../errors.ts';
import { bytesOf, latin1Of, textOf } from './bytes.ts';

/** A HAR file is one document; larger ones are no recording of a person. */
const MOST_BYTES = 1 << 28;

/** Whether a file begins as an HTTP Archive does: an object whose first key is `log`. */
export const isHar = (start: Uint8Array): boolean =>
  /^\s*\{\s*"log"\s*:\s*\{/.test(latin1Of(start.subarray(0, 256)));

/**
 * The entries of an HTTP Archive (HAR 1.2), one JSON object a line, so that it can be read as other logs are.
 * Throws `log-format-unknown` for a document that is cut or has no entries.
 */
export async function* harLines(chunks: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    parts.push(Uint8Array.prototype.slice.call(chunk));
    length += chunk.length;
    if (length > MOST_BYTES) throw notHar(name, `it is larger than ${MOST_BYTES} bytes`);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  for (const entry of parseHar(textOf(whole), name).entries)
    yield bytesOf(`${JSON.stringify(leanEntry(entry))}\n`);
}

/** The parts of an archive that are lists; what each holds is the recorder's own. */
export interface HarParts {
  readonly pages: readonly unknown[];
  readonly entries: readonly unknown[];
}

/** An HTTP Archive's pages and entries. Throws `log-format-unknown` for text that is none. */
export function parseHar(text: string, name: string): HarParts {
  let document: { readonly log?: { readonly pages?: unknown; readonly entries?: unknown } } | null;
  try {
    document = JSON.parse(text.replace(/^\uFEFF/, '')) as typeof document;
  } catch (cause) {
    throw notHar(name, String(cause));
  }
  const { pages, entries } = document?.log ?? {};
  if (!Array.isArray(entries)) throw notHar(name, 'it has no log.entries');
  return { pages: Array.isArray(pages) ? pages : [], entries };
}

/** The bodies are what makes an archive large, and nobody reads them here. */
function leanEntry(entry: unknown): unknown {
  const { startedDateTime, time, request, response, serverIPAddress } = (entry ?? {}) as Record<
    string,
    unknown
  >;
  const { method, url, headers } = (request ?? {}) as Record<string, unknown>;
  const { status, bodySize } = (response ?? {}) as Record<string, unknown>;
  const agent = Array.isArray(headers)
    ? (headers as { name?: string; value?: string }[]).find(
        (header) => header.name?.toLowerCase() === 'user-agent',
      )?.value
    : undefined;
  return { startedDateTime, time, method, url, status, bodySize, userAgent: agent, serverIPAddress };
}

function notHar(name: string, why: string): ShiploadError {
  return new ShiploadError('log-format-unknown', `${name} begins as an HTTP Archive and is none: ${why}`, {
    where: name,
    hint: 'Record it again, or give the access log of the server.',
  });
}
