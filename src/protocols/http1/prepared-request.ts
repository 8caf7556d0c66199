import { ShiploadError } from '../../errors.ts';
import type { PlannedRequest } from '../../model/load.ts';
import { TOKEN_LOWER } from './bytes.ts';
import { KnownHead } from './known-head.ts';

/** One class of requests as it goes over the wire: octets as latin1 text before and after the target. */
export interface PreparedRequest {
  readonly beforeTarget: string;
  readonly afterTarget: string;
  /** False where the request itself asks for the connection to be closed. */
  readonly keepAlive: boolean;
  readonly known: KnownHead;
}

/** Fields that decide where a request ends; a caller's own would contradict the body that is sent. */
const FRAMING_FIELDS = new Set(['content-length', 'transfer-encoding', 'trailer', 'upgrade', 'expect']);
const METHODS_WITH_BODY = new Set(['POST', 'PUT', 'PATCH']);

/**
 * Lays out a request (RFC 9112 §3, §5): Host first, then the fields of the run, then those of the request,
 * the later winning whatever their case. A body goes as UTF-8 with its length in octets.
 * @throws ShiploadError `option-invalid` for a field or method that HTTP/1.1 cannot carry.
 */
export function prepareRequest(
  request: PlannedRequest,
  authority: string,
  runHeaders: Readonly<Record<string, string>>,
): PreparedRequest {
  requireToken(request.method, 'method', request.id);
  if (request.method === 'CONNECT')
    throw unusable('method CONNECT opens a tunnel and is no request', request.id);
  requirePaths(request);
  const fields = new Map([['host', `Host: ${authority}`]]);
  for (const [name, value] of [...Object.entries(runHeaders), ...Object.entries(request.headers ?? {})]) {
    requireField(name, value, request.id);
    fields.set(name.toLowerCase(), `${name}: ${value}`);
  }
  if (!fields.has('connection')) fields.set('connection', 'Connection: keep-alive');
  const body = Buffer.from(request.body ?? '', 'utf8');
  if (body.length > 0 || METHODS_WITH_BODY.has(request.method)) {
    fields.set('content-length', `Content-Length: ${body.length}`);
  }
  return {
    beforeTarget: `${request.method} `,
    afterTarget: ` HTTP/1.1\r\n${[...fields.values()].join('\r\n')}\r\n\r\n${body.toString('latin1')}`,
    keepAlive: !/(^|,)[ \t]*close[ \t]*(,|$)/i.test(fields.get('connection')!.slice('Connection:'.length)),
    known: new KnownHead(request.method !== 'HEAD'),
  };
}

/** A target with a scheme and a host would send a proxy elsewhere: the service is the url's, and nothing else. */
function requirePaths({ id, targets }: PlannedRequest): void {
  const elsewhere = targets.targets.find((target) => !/^(\/|\*$)/.test(target));
  if (elsewhere === undefined) return;
  throw new ShiploadError(
    'url-not-yours',
    `the target "${elsewhere.slice(0, 80)}" is no path of the service`,
    {
      where: id,
    },
  );
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
  const isToken =
    text !== '' && Array.from(text).every((char) => (TOKEN_LOWER[char.codePointAt(0)!] ?? 0) !== 0);
  if (!isToken) throw unusable(`${what} ${JSON.stringify(text)} is no token of HTTP`, where);
}

function unusable(message: string, where: string): ShiploadError {
  return new ShiploadError('option-invalid', message, { where });
}
