import { ShiploadError } from '../errors.ts';
import type { PlannedRequest } from '../model/load.ts';
import type { DrawnRequest } from './protocol.ts';

/** A field as the caller spelt it. */
export interface RequestField {
  readonly name: string;
  readonly value: string;
}

/** Fields that decide where a request ends; a caller's own would contradict the body that is sent. */
const FRAMING_FIELDS = new Set(['content-length', 'transfer-encoding', 'trailer', 'upgrade', 'expect']);
const METHODS_WITH_BODY = new Set(['POST', 'PUT', 'PATCH']);
/** RFC 9110 §5.6.2. */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

/**
 * The fields of a request by their name in lower case (RFC 9110 §5): those of the run, then those of the
 * request, the later winning whatever their case; and its length where it has, or could have, a body.
 * @throws ShiploadError `option-invalid` for a field or method that HTTP cannot carry.
 */
export function requestFields(
  request: PlannedRequest,
  runHeaders: Readonly<Record<string, string>>,
): Map<string, RequestField> {
  requireToken(request.method, 'method', request.id);
  if (request.method === 'CONNECT')
    throw unusable('method CONNECT opens a tunnel and is no request', request.id);
  requirePaths(request);
  const fields = new Map<string, RequestField>();
  for (const [name, value] of [...Object.entries(runHeaders), ...Object.entries(request.headers ?? {})]) {
    requireField(name, value, request.id);
    fields.set(name.toLowerCase(), { name, value });
  }
  const length = Buffer.byteLength(request.body ?? '', 'utf8');
  if (hasLength(request.method, length))
    fields.set('content-length', { name: 'Content-Length', value: String(length) });
  return fields;
}

/**
 * The same for a request that is sent once, without the length of its body. Fields of the run were checked before.
 * @throws ShiploadError `option-invalid`
 */
export function drawnFields(
  { method, target, headers }: DrawnRequest,
  runHeaders: Readonly<Record<string, string>>,
): Map<string, RequestField> {
  requireToken(method, 'method', target);
  if (method === 'CONNECT') throw unusable('method CONNECT opens a tunnel and is no request', target);
  const fields = new Map<string, RequestField>();
  for (const name in runHeaders) fields.set(name.toLowerCase(), { name, value: runHeaders[name]! });
  for (const name in headers) {
    const value = headers[name]!;
    requireField(name, value, target);
    fields.set(name.toLowerCase(), { name, value });
  }
  return fields;
}

/** Whether a request says how long its body is: where it has, or could have one (RFC 9110 §8.6). */
export const hasLength = (method: string, byteCount: number): boolean =>
  byteCount > 0 || METHODS_WITH_BODY.has(method);

/** Basic credentials of a url's user part (RFC 7617). */
export function authorizationOf(url: URL): Record<string, string> {
  if (url.username === '' && url.password === '') return {};
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  return { Authorization: `Basic ${Buffer.from(credentials, 'utf8').toString('base64')}` };
}

/** A target with a scheme and a host would send a proxy elsewhere: the service is the url's, and nothing else. */
function requirePaths({ id, targets }: PlannedRequest): void {
  for (const target of targets.targets) requirePath(target, id);
}

/** @throws ShiploadError `url-not-yours` for what is no path of the service. */
export function requirePath(target: string, where: string): void {
  if (/^(\/|\*$)/.test(target)) return;
  const seen = target.slice(0, 80);
  throw new ShiploadError('url-not-yours', `the target "${seen}" is no path of the service`, { where });
}

const OUTSIDE_TARGET = /[^\x21-\x7e]/;

/** A target as it may stand in a request line: octets that would end it are percent-encoded (as UTF-8). */
export function wireTarget(target: string): string {
  if (!OUTSIDE_TARGET.test(target)) return target;
  return target.replaceAll(/[^\x21-\x7e]+/g, (text) =>
    Array.from(
      Buffer.from(text, 'utf8'),
      (octet) => `%${octet.toString(16).toUpperCase().padStart(2, '0')}`,
    ).join(''),
  );
}

function requireField(name: string, value: string, where: string): void {
  requireToken(name, 'header name', where);
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
    throw unusable(
      `header ${name} holds a character that HTTP cannot carry: ${JSON.stringify(value)}`,
      where,
    );
  }
  if (FRAMING_FIELDS.has(name.toLowerCase())) {
    throw unusable(`header ${name} is set by the body that is sent, or unsupported`, where);
  }
}

function requireToken(text: string, what: string, where: string): void {
  if (!TOKEN.test(text)) throw unusable(`${what} ${JSON.stringify(text)} is no token of HTTP`, where);
}

function unusable(message: string, where: string): ShiploadError {
  return new ShiploadError('option-invalid', message, { where });
}
