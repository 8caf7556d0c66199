import type { PlannedRequest } from '../../model/load.ts';
import type { DrawnRequest } from '../protocol.ts';
import { drawnFields, hasLength, type RequestField, requestFields, requirePath } from '../request-fields.ts';
import { isIdempotent } from './keep-alive-race.ts';
import { KnownHead } from './known-head.ts';

/** One class of requests as it goes over the wire: octets as latin1 text before and after the target. */
export interface PreparedRequest {
  readonly beforeTarget: string;
  readonly afterTarget: string;
  /** The same for the last request of a connection: it asks the server to end it. */
  readonly afterLastTarget: string;
  /** False where every request asks for the connection to be closed. */
  readonly keepAlive: boolean;
  readonly isIdempotent: boolean;
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
  const connection = fields.get('connection')?.value;
  const known = new KnownHead(request.method !== 'HEAD');
  return endOf(request.method, linesOf(fields), connection, latin1Of(request.body ?? ''), known);
}

/** The field lines of drawn requests, all but the length of their body. */
interface DrawnLines {
  readonly method: string;
  readonly headers: DrawnRequest['headers'];
  readonly lines: string;
  readonly connection: string | undefined;
}

/** Requests of one user are mostly of a few kinds. */
const MOST_LAYOUTS = 4;

/**
 * Lays out requests that are sent once, over one connection. Header objects that come again are taken to hold the same
 * fields, and their lines are kept.
 */
export class DrawnRequests {
  readonly #runHeaders: Readonly<Record<string, string>>;
  readonly #bodiless = new KnownHead(false);
  readonly #usual = new KnownHead(true);
  readonly #layouts: DrawnLines[] = [];
  #replaced = 0;

  constructor(runHeaders: Readonly<Record<string, string>>) {
    this.#runHeaders = runHeaders;
  }

  /** @throws ShiploadError `option-invalid` or `url-not-yours` for what HTTP/1.1 cannot carry to the service. */
  prepare(request: DrawnRequest): PreparedRequest {
    const { method, target, body = '' } = request;
    const content = typeof body === 'string' ? latin1Of(body) : Buffer.from(body).toString('latin1');
    requirePath(target, target);
    const { lines, connection } = this.#linesOf(request);
    const length = hasLength(method, content.length) ? `Content-Length: ${content.length}\r\n` : '';
    const known = method === 'HEAD' ? this.#bodiless : this.#usual;
    return endOf(method, lines + length, connection, content, known);
  }

  #linesOf(request: DrawnRequest): DrawnLines {
    const { method, headers } = request;
    for (const layout of this.#layouts)
      if (layout.headers === headers && layout.method === method) return layout;
    const fields = drawnFields(request, this.#runHeaders);
    const connection = fields.get('connection')?.value;
    const layout = { method, headers, lines: linesOf(fields), connection };
    this.#layouts[this.#replaced] = layout;
    this.#replaced = (this.#replaced + 1) % MOST_LAYOUTS;
    return layout;
  }
}

/** A body goes as UTF-8. */
const latin1Of = (text: string): string =>
  Buffer.byteLength(text, 'utf8') === text.length ? text : Buffer.from(text, 'utf8').toString('latin1');

function linesOf(fields: ReadonlyMap<string, RequestField>): string {
  let lines = '';
  for (const [key, { name, value }] of fields) if (key !== 'connection') lines += `${name}: ${value}\r\n`;
  return lines;
}

function endOf(
  method: string,
  lines: string,
  connection: string | undefined,
  body: string,
  known: KnownHead,
): PreparedRequest {
  const after = (own: string): string => ` HTTP/1.1\r\n${lines}Connection: ${own}\r\n\r\n${body}`;
  return {
    beforeTarget: `${method} `,
    afterTarget: after(connection ?? 'keep-alive'),
    afterLastTarget: after('close'),
    isIdempotent: isIdempotent(method),
    keepAlive: connection === undefined || !/(^|,)[ \t]*close[ \t]*(,|$)/i.test(connection),
    known,
  };
}
