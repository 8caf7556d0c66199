import { ScenarioFault, ShiploadError } from '../errors.ts';
import type { FormPart, RequestOptions } from './request-options.ts';
import { requireOptions } from './require-options.ts';
import { asText, shown } from './values.ts';

/** A target and what goes with it, ready to be sent. */
export interface ComposedRequest {
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

type Headers = Readonly<Record<string, string>>;
const NO_HEADERS: Headers = {};
const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const TYPE_HEADERS: Readonly<Record<string, Headers>> = {
  [JSON_TYPE]: { 'Content-Type': JSON_TYPE },
  [FORM_TYPE]: { 'Content-Type': FORM_TYPE },
};
/** Header objects that stand for the same fields whenever they are met: what is laid out for one may be kept. */
export const FIXED_HEADERS: ReadonlySet<Headers> = new Set([NO_HEADERS, ...Object.values(TYPE_HEADERS)]);

/**
 * Puts a request together. Targets are paths of the service, or urls of its own origin. Throws `url-not-yours` for
 * any other, and `scenario-invalid` for options that are none or exclude each other.
 */
export function composeRequest(target: string, options: RequestOptions, origin: string): ComposedRequest {
  requireOptions(options);
  const path = withQuery(ownPath(target, origin), options.query);
  const { body, type } = bodyOf(options);
  const { headers = (type === undefined ? undefined : TYPE_HEADERS[type]) ?? NO_HEADERS } = options;
  if (body === undefined) return { target: path, headers };
  if (FIXED_HEADERS.has(headers) && headers !== NO_HEADERS) return { target: path, headers, body };
  const hasType = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  return {
    target: path,
    headers: type === undefined || hasType ? headers : { 'Content-Type': type, ...headers },
    body,
  };
}

function ownPath(target: string, origin: string): string {
  if (typeof target !== 'string')
    throw wrong(`a request needs a path such as '/books', not ${String(target)}`);
  if (target.startsWith('/') && !target.startsWith('//')) return beforeFragment(target);
  const url = URL.canParse(target, origin) ? new URL(target, origin) : undefined;
  if (url !== undefined && url.origin === origin && /^(https?:)?\/\//i.test(target))
    return url.pathname + url.search;
  throw new ShiploadError('url-not-yours', `"${target.slice(0, 80)}" is no path of ${origin}`, {
    hint: 'A scenario sends to the service under test and nowhere else; paths begin with /.',
  });
}

function beforeFragment(target: string): string {
  const at = target.indexOf('#');
  return at === -1 ? target : target.slice(0, at);
}

function withQuery(path: string, query: RequestOptions['query']): string {
  if (query === undefined) return path;
  const text = formText(query);
  return text === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${text}`;
}

const formText = (fields: Readonly<Record<string, string | number | boolean>>): string =>
  new URLSearchParams(
    Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();

function bodyOf(options: RequestOptions): { readonly body?: string | Uint8Array; readonly type?: string } {
  if (options.json !== undefined) return { body: jsonText(options.json), type: JSON_TYPE };
  if (options.form !== undefined) return { body: formText(options.form), type: FORM_TYPE };
  if (options.multipart !== undefined) return multipart(options.multipart);
  const { body } = options;
  if (body === undefined) return {};
  return { body: typeof body === 'string' || body instanceof Uint8Array ? body : asText(body) };
}

function jsonText(value: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    throw new ScenarioFault(`json cannot be written as JSON: ${(cause as Error).message}`);
  }
  if (text === undefined) throw new ScenarioFault(`json is ${shown(value)}, which is nothing in JSON`);
  return text;
}

/** Octets of its own in a body are all but impossible to meet the boundary by chance (RFC 2046 §5.1.1). */
const BOUNDARY = 'shipload-7d1f0a5c93be48e2';

function multipart(parts: Readonly<Record<string, FormPart>>): { body: Uint8Array; type: string } {
  const encoder = new TextEncoder();
  const pieces: Uint8Array[] = [];
  for (const [name, part] of Object.entries(parts)) {
    const file = typeof part === 'object' ? part : undefined;
    const disposition = `form-data; name="${quoted(name)}"${file ? `; filename="${quoted(file.filename)}"` : ''}`;
    const type = file ? `Content-Type: ${file.type ?? 'application/octet-stream'}\r\n` : '';
    const content = typeof part === 'object' ? part.content : asText(part);
    pieces.push(
      encoder.encode(`--${BOUNDARY}\r\nContent-Disposition: ${disposition}\r\n${type}\r\n`),
      typeof content === 'string' ? encoder.encode(content) : content,
      encoder.encode('\r\n'),
    );
  }
  pieces.push(encoder.encode(`--${BOUNDARY}--\r\n`));
  const body = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    body.set(piece, at);
    at += piece.length;
  }
  return { body, type: `multipart/form-data; boundary=${BOUNDARY}` };
}

/** RFC 7578 §4.2, as browsers do it. */
const quoted = (text: string): string =>
  text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const wrong = (message: string): ShiploadError => new ShiploadError('scenario-invalid', message);
