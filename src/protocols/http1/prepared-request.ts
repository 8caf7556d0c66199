import type { PlannedRequest } from '../../model/load.ts';
import type { DrawnRequest } from '../protocol.ts';
import { drawnFields, type RequestField, requestFields } from '../request-fields.ts';
import { KnownHead } from './known-head.ts';

/** One class of requests as it goes over the wire: octets as latin1 text before and after the target. */
export interface PreparedRequest {
  readonly beforeTarget: string;
  readonly afterTarget: string;
  /** The same for the last request of a connection: it asks the server to end it. */
  readonly afterLastTarget: string;
  /** False where every request asks for the connection to be closed. */
  readonly keepAlive: boolean;
  readonly known: KnownHead;
}

/**
 * Lays out a request (RFC 9112 §3, §5): Host first, then its fields. A body goes as UTF-8.
 * @throws ShiploadError `option-invalid` for a field or method that HTTP/1.1 cannot carry.
 */
export function prepareRequest(
  request: PlannedRequest,
  authority: string,
  runHeaders: Readonly<Record<string, string>>,
): PreparedRequest {
  const fields = requestFields(request, { Host: authority, ...runHeaders });
  const body = Buffer.from(request.body ?? '', 'utf8').toString('latin1');
  return layOut(request.method, fields, body, new KnownHead(request.method !== 'HEAD'));
}

/**
 * Lays out a request that is sent once; `known` is the memory of such requests.
 * @throws ShiploadError `option-invalid` or `url-not-yours` for what HTTP/1.1 cannot carry to the service.
 */
export function prepareDrawn(
  request: DrawnRequest,
  runHeaders: Readonly<Record<string, string>>,
  known: KnownHead,
): PreparedRequest {
  const { body = '' } = request;
  const octets = typeof body === 'string' ? Buffer.from(body, 'utf8') : Buffer.from(body);
  const fields = drawnFields(request, runHeaders, octets.length);
  return layOut(request.method, fields, octets.toString('latin1'), known);
}

function layOut(
  method: string,
  fields: Map<string, RequestField>,
  body: string,
  known: KnownHead,
): PreparedRequest {
  const own = fields.get('connection')?.value;
  fields.delete('connection');
  let lines = '';
  for (const { name, value } of fields.values()) lines += `${name}: ${value}\r\n`;
  const after = (connection: string): string =>
    ` HTTP/1.1\r\n${lines}Connection: ${connection}\r\n\r\n${body}`;
  return {
    beforeTarget: `${method} `,
    afterTarget: after(own ?? 'keep-alive'),
    afterLastTarget: after('close'),
    keepAlive: own === undefined || !/(^|,)[ \t]*close[ \t]*(,|$)/i.test(own),
    known,
  };
}
